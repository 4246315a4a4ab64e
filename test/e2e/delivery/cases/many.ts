import type { Headless } from '../../harness/headless.ts'
import type { Pane } from '../../harness/pane.ts'
import { eventually } from '../../harness/poll.ts'
import { hears, newText } from '../../harness/request.ts'
import type { Case } from '../cases.ts'
import { heardRings, isShown, ringsIn } from '../heard.ts'
import { bash, standardRule } from '../model.ts'
import type { Round } from '../round.ts'
import { CLAUDE_ARGS, type Stage } from '../stage.ts'
import { endWork, workStarted } from './plain.ts'
import { ringOf, sendIntoTurn, withWitness } from './turns.ts'

/** `npm run e2e` measures it with 20 clients; `npm test` has two cores for everything. */
const CIRCLE = Array.from(
  { length: process.env.AGENT_CHAT_E2E_RUNS ? 20 : 4 },
  (_, index) => `s${index + 1}`,
)

/** More than one session, a session without a terminal, and one that nobody launched. */
export const manyCases: readonly Case[] = [
  {
    name: 'the bell hook broken: tmux after 5 s',
    doorbells: ['auto'],
    start: oneDeaf,
    run: backedUp,
  },
  {
    name: `${CIRCLE.length} sessions, each writing to the next`,
    doorbells: ['native', 'tmux'],
    start: circle,
    run: aroundTheCircle,
    from: 'the ring, in a turn or not',
  },
  {
    name: 'claude -p with stream-json',
    doorbells: ['native'],
    start: headless,
    run: async (round) => void (await round.send()),
  },
  {
    name: 'claude -p with stream-json, in a turn',
    doorbells: ['native'],
    start: headlessWithWitness,
    run: headlessBusy,
    from: 'the end of the call',
  },
  {
    name: 'joined from inside, no tmux',
    doorbells: ['auto'],
    start: fromInside,
    run: inside,
    fresh: true,
  },
]

/** A few at a time: each start keeps a core busy for a second or two. */
async function circle(stage: Stage): Promise<void> {
  for (let first = 0; first < CIRCLE.length; first += 4) {
    await Promise.all(CIRCLE.slice(first, first + 4).map((name) => stage.launch(name)))
  }
}

/** Every session is asked by its user, at the same moment, to write to the next. */
async function aroundTheCircle(round: Round): Promise<void> {
  const { stage } = round
  const before = (await stage.events('sent')).length
  round.measureEach(CIRCLE)
  const panes = await Promise.all(CIRCLE.map((name) => stage.pane(name)))
  const prompts = CIRCLE.map((_, index) => `pass it on to @${CIRCLE[(index + 1) % CIRCLE.length]}`)
  for (const [index, pane] of panes.entries()) await pane.type(prompts[index] ?? '')
  await Promise.all(
    panes.map((pane, index) => pane.waitFor((screen) => screen.includes(prompts[index] ?? ''))),
  )
  await Promise.all(panes.map((pane) => pane.key('Enter')))
  const sent = async () => (await stage.events('sent')).slice(before).map(({ id }) => String(id))
  const options = { timeoutMs: 90_000, state: async () => `${(await sent()).length} have` }
  await eventually('all to have sent', async () => (await sent()).length === CIRCLE.length, options)
  for (const id of await sent()) round.sentBy(id)
}

/** Two sessions in one home: the bell hook of the second does nothing. */
async function oneDeaf(stage: Stage): Promise<void> {
  await stage.launch('listener')
  await stage.launch('frontend', [], stage.plugin.deafRoot)
  await stage.settled()
}

/**
 * The ring of the deaf session shows that the time is over after which the other's would have been
 * doubled.
 */
async function backedUp(round: Round): Promise<void> {
  const { stage } = round
  let reading = false
  stage.rule = (request) => {
    if (!reading && ringsIn(newText(request)).length > 0) return { text: 'Later.' }
    return hears(request, 'read them now') ? bash('agent-chat inbox') : standardRule(request)
  }
  const before = heardRings(stage.requests('listener')).length
  await round.send({ to: 'listener' })
  await eventually('the native ring', () => heardRings(stage.requests('listener')).length > before)
  await round.send({ to: 'frontend' })
  const ours = () => heardRings(stage.requests('frontend'))
  const count = ours().length
  await eventually('the tmux ring', () => ours().length > count)
  round.unharmed(
    heardRings(stage.requests('listener')).length === before + 1,
    'the healthy session was rung twice',
  )
  const rung = await stage.events('rung')
  const by = (to: string) => rung.findLast((event) => event.to === to)?.doorbell
  round.unharmed(by('listener') === 'native' && by('frontend') === 'tmux', 'another doorbell rang')
  round.expectRings(2)
  reading = true
  for (const name of ['listener', 'frontend']) {
    await stage.idle(name)
    await (await stage.pane(name)).submit('read them now')
  }
}

const workers = new WeakMap<Stage, Headless>()

/** A worker's life begins with a prompt, which also tells what has come before. */
async function headless(stage: Stage): Promise<void> {
  await stage.chat(['join', 'frontend', '--no-watch'], { TMUX: '', TMUX_PANE: '' })
  const worker = await stage.world.startHeadless({
    name: 'frontend',
    args: ['--plugin-dir', stage.plugin.root, ...CLAUDE_ARGS.slice(2)],
  })
  workers.set(stage, worker)
  worker.prompt('hello')
  await worker.waitFor('the first turn', (message) => message.type === 'result')
  await stage.idle()
}

async function headlessWithWitness(stage: Stage): Promise<void> {
  await headless(stage)
  await withWitness(stage)
}

async function headlessBusy(round: Round): Promise<void> {
  const { stage, n } = round
  const file = `go-${n}`
  workers.get(stage)?.prompt(`wait in a shell for ${file}`)
  await workStarted(stage, file)
  await sendIntoTurn(round)
  round.free()
  await endWork(stage, file)
  await ringOf(round, 'between turns', 'frontend')
}

/** A Claude Code that nobody launched, outside tmux as far as it can tell. */
async function fromInside(stage: Stage): Promise<Pane> {
  const { world, env } = stage
  const words = [world.claude, '--plugin-dir', stage.plugin.root, ...CLAUDE_ARGS]
  const cmd = `exec env -u TMUX -u TMUX_PANE ${words.map((word) => `'${word}'`).join(' ')}`
  const pane = await world.tmux.newSession({ cmd, env, cwd: world.cwd, name: 'inside' })
  await pane.waitFor(/manual mode on/)
  return pane
}

async function inside(round: Round): Promise<void> {
  const { stage } = round
  const pane = stage.world.tmux.pane(
    (await stage.world.tmux.tmux('list-panes', '-t', '=inside:', '-F', '#{pane_id}')).trim(),
  )
  await pane.submit('/chat join frontend')
  await stage.world.api.waitFor('the answer of join', (request) =>
    hears(request, 'joined as @frontend'),
  )
  await eventually('the hooks to take it up', async () => (await stage.state())?.native === true)
  await stage.idle()
  await sayName(pane, stage, 'named <frontend>')
  await stage.idle()
  const before = (await stage.state())?.session_id
  await pane.submit('/clear')
  await eventually('a new conversation', async () => (await stage.state())?.session_id !== before)
  await sayName(pane, stage, 'named <frontend>')
  await stage.idle()
  const id = await round.send()
  await eventually('the message to be read', () => isShown(stage.requests(), id), {
    timeoutMs: 30_000,
  })
  await stage.idle()
  await pane.submit('/chat leave')
  await eventually(
    'the session to leave',
    async () => !(await stage.chat(['who'])).includes('@frontend'),
  )
  await pane.waitFor(/manual mode on/)
  // The hook that takes the name out of the shell runs beside the agent: until then a command still
  // has it.
  await eventually('the name to go', async () =>
    (await sayName(pane, stage, 'named <')).includes('named <>'),
  )
  const refused = await stage
    .chat(['send', '@frontend', 'still there?'], { AGENT_CHAT_NAME: 'backend' })
    .then(
      () => false,
      () => true,
    )
  round.unharmed(refused, 'a session that has left could still be written to')
}

async function sayName(pane: Pane, stage: Stage, answer: string): Promise<string> {
  const from = stage.world.api.requests.length
  await pane.submit('say your name')
  const request = await stage.world.api.waitFor(answer, (request) => hears(request, answer), {
    from,
  })
  await pane.waitFor((screen) => !/esc to interrupt/.test(screen))
  return newText(request)
}
