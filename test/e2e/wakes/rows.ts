import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { ringsIn } from '../delivery/heard.ts'
import { bash } from '../delivery/model.ts'
import { delegate, type Plan } from '../gate/agents.ts'
import type { Scene } from '../gate/scene.ts'
import { finished, idle } from '../gate/session.ts'
import { eventually } from '../harness/poll.ts'
import type { Reply } from '../harness/reply.ts'
import { HOME_ROWS } from './homes.ts'

/** One bad day: what happens, what should come of it, and what plays it; it throws where it does not. */
export type Row = { name: string; should: string; play(scene: Scene): Promise<void> }

/** The first ring after a failed turn comes after half a minute. In milliseconds. */
const AGAIN_MS = 120_000
/** The client itself asks about no command, and takes no classifier to judge one. */
const MANUAL = ['--permission-mode', 'manual', '--allowedTools', 'Bash']

/** So long a client that Ctrl+Z has stopped takes to come back. In milliseconds. */
const BACK_MS = 5000
/** So long no ring comes that a timer would have made. In milliseconds. */
const NO_TIMER_MS = 45_000

const FAILURES: [what: string, reply: () => Reply, said: RegExp][] = [
  [
    '529',
    () => ({ status: 529, error: 'overloaded_error', message: 'Overloaded' }),
    /its last turn failed .*529/,
  ],
  [
    '400',
    () => ({ status: 400, error: 'invalid_request_error', message: 'bad request' }),
    /its last turn failed .*400/,
  ],
  [
    '401',
    () => ({ status: 401, error: 'authentication_error', message: 'bad key' }),
    /its last turn failed/,
  ],
  [
    'a usage limit that ends soon',
    () => ({
      status: 400,
      error: 'invalid_request_error',
      message: `usage limit reached|${soon()}`,
    }),
    /its last turn failed .*limit/,
  ],
]

/** A minute from now. In seconds. */
const soon = () => Math.ceil(Date.now() / 1000) + 60

const onScreen = (scene: Scene) => () => scene.chat(['who'])

/** Waits until `who` says so of @frontend. */
async function says(scene: Scene, what: RegExp): Promise<void> {
  const look = onScreen(scene)
  await eventually(`who to say ${what}`, async () => what.test(await look()), { state: look })
}

const rings = async (scene: Scene) => (await scene.events('rung')).length
/** How many messages of @frontend are unread. */
async function unread({ world }: Scene): Promise<number> {
  const files = await readdir(`${world.chat}/inbox/frontend`)
  return files.filter((file) => file.endsWith('.md')).length
}

const done = (plan: Plan) =>
  eventually(`the message to be read and done: ${plan.key}`, () => plan.done, {
    timeoutMs: AGAIN_MS,
  })

/** The model's first answer to a ring never comes; gives when it was asked for. */
function hangs(scene: Scene): () => Promise<unknown> {
  let asked = false
  scene.agents.habit('frontend', (text) => {
    if (asked || ringsIn(text).length === 0) return undefined
    asked = true
    return new Promise<Reply>(() => {})
  })
  return () => eventually('the woken turn', () => asked)
}

async function clientOf({ world }: Scene): Promise<number> {
  const state = JSON.parse(await readFile(`${world.chat}/state/frontend.json`, 'utf8'))
  return state.agent.pid
}

async function synchronized(scene: Scene): Promise<void> {
  const { world, agents } = scene
  const session = await scene.session('frontend', { env: { AGENT_CHAT_DOORBELL: 'tmux' } })
  const other = await world.startClaude()
  await other.submit(`Please do ${agents.plan(bash(`touch ${scene.path('other')}`)).key}`)
  await other.waitFor(/Do you want to/)
  const { tmux } = world.tmux
  await tmux('join-pane', '-d', '-s', other.id, '-t', session.pane.id)
  await tmux('set-option', '-w', '-t', session.pane.id, 'synchronize-panes', 'on')
  const plan = agents.plan()
  await scene.asks(plan)
  await says(scene, /synchronize-panes is on/)
  await tmux('set-option', '-w', '-t', session.pane.id, 'synchronize-panes', 'off')
  await done(plan)
  expect(await other.screen()).toMatch(/Do you want to/)
  expect(scene.made('other')).toBe(false)
}

function failing(reply: () => Reply, said: RegExp) {
  return async (scene: Scene) => {
    await scene.session('frontend', { env: { CLAUDE_CODE_MAX_RETRIES: '1' } })
    let fails = true
    scene.agents.habit('frontend', () => (fails ? reply() : undefined))
    const plan = scene.agents.plan()
    await scene.asks(plan)
    await says(scene, said)
    fails = false
    await done(plan)
    expect(await rings(scene)).toBe(2)
  }
}

async function crashed(scene: Scene): Promise<void> {
  await scene.session()
  const asked = hangs(scene)
  const plan = scene.agents.plan()
  await scene.asks(plan)
  await asked()
  process.kill(await clientOf(scene), 'SIGKILL')
  // Its launcher unregisters it.
  await says(scene, /^(?:(?!@frontend).)*$/s)
  expect(await unread(scene)).toBe(1)
  await scene.session()
  await done(plan)
}

async function escaped(scene: Scene): Promise<void> {
  const { pane } = await scene.session()
  const asked = hangs(scene)
  const plan = scene.agents.plan()
  await scene.asks(plan)
  await asked()
  await pane.waitFor(/esc to interrupt/)
  await pane.key('Escape')
  await pane.waitFor(/Interrupted/)
  await delay(NO_TIMER_MS)
  expect([await rings(scene), await unread(scene)]).toEqual([1, 1])
  const from = scene.world.api.requests.length
  await pane.submit('go on')
  await scene.world.api.waitFor(
    'the next prompt, which tells',
    ({ kind, messages }) => kind === 'main' && /1 unread message/.test(messages.at(-1)?.text ?? ''),
    { from },
  )
}

async function suspended(scene: Scene): Promise<void> {
  const { world } = scene
  await scene.chat(['start', 'frontend', '--detach', '--', ...MANUAL])
  const [id = ''] = (
    await world.tmux.tmux('list-panes', '-s', '-t', 'ac-frontend', '-F', '#{pane_id}')
  ).split('\n')
  const pane = world.tmux.pane(id)
  await pane.waitFor(/❯/)
  await idle(world, 'frontend')
  const client = await clientOf(scene)
  await pane.key('C-z')
  // It comes back within a moment, too soon for its words about that to be seen for sure.
  await delay(BACK_MS)
  await pane.waitFor(/^❯/m)
  const plan = scene.agents.plan()
  await scene.asks(plan)
  await done(plan)
  expect(await clientOf(scene)).toBe(client)
}

/** A model that runs this in a turn of yours finds all three messages in the `inbox` after it. */
function keeps(command: string) {
  return async (scene: Scene) => {
    const session = await scene.session()
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n')
    for (const word of ['one', 'two', 'three'])
      await scene.chat(['send', '@frontend', `${word}-4711\n${lines}`, '--quiet'], 'backend')
    await session.prompted(scene.agents.plan(bash(command)))
    expect(await unread(scene)).toBe(3)
    const plan = scene.agents.plan(bash('agent-chat inbox'))
    await session.prompted(plan)
    for (const word of ['one', 'two', 'three']) expect(plan.results[0]).toContain(`${word}-4711`)
  }
}

async function subagent(scene: Scene): Promise<void> {
  const session = await scene.session()
  await scene.chat(['send', '@frontend', 'the number is 4711', '--quiet'], 'backend')
  const inner = scene.agents.plan(bash('agent-chat inbox'))
  await session.prompted(scene.agents.plan(delegate(inner)))
  await finished(inner)
  expect(inner.results[0]).toContain('4711')
  const own = scene.agents.plan(bash('agent-chat inbox'))
  await session.prompted(own)
  expect(own.results[0]).toContain('4711')
}

async function answered(scene: Scene): Promise<void> {
  const { agents } = scene
  const session = await scene.session()
  await scene.session('docs')
  const said: string[] = []
  let step = 0
  agents.habit('docs', (text) => {
    if (step === 0 && !text.includes('which port?')) return undefined
    said.push(text)
    // The gate takes an answer after some work; the hook that counts it may be late.
    const isSent = step > 0 && step % 2 === 0 && !text.includes('only after doing some work')
    if (isSent) return undefined
    step += 1
    return bash(step % 2 === 1 ? 'ls' : 'agent-chat send @frontend "port 4711"')
  })
  const ask = agents.plan(bash('agent-chat ask @docs "which port?" --timeout 50'))
  await session.prompted(ask)
  expect(said.at(-1)).toMatch(/agent-chat reply/)
  expect(ask.results[0]).toMatch(/@docs wrote/)
}

export const ROWS: Row[] = [
  {
    name: 'synchronize-panes is on; another Claude beside it asks for a yes',
    should: 'no key; `who` says why; rung once it is off, and the dialog is still open',
    play: synchronized,
  },
  ...FAILURES.map(([what, reply, said]) => ({
    name: `a woken turn ends by ${what}`,
    should: '`who` says so; rung again once, then read',
    play: failing(reply, said),
  })),
  {
    name: 'the client is killed in a woken turn',
    should: 'unread; the next start under this name is rung for it',
    play: crashed,
  },
  {
    name: 'Escape in a woken turn',
    should: 'unread; no ring in 45 s; the next prompt tells',
    play: escaped,
  },
  {
    name: 'Ctrl+Z in a session of `start`',
    should: 'the same client comes back, and is woken',
    play: suspended,
  },
  ...HOME_ROWS,
  {
    name: 'a subagent runs `inbox`',
    should: 'shown to it, unread for its parent',
    play: subagent,
  },
  {
    name: '`agent-chat inbox | tail -20`, three messages of 30 lines',
    should: 'all unread, and whole in the next `inbox`',
    play: keeps('agent-chat inbox | tail -20'),
  },
  {
    name: '`agent-chat inbox >&-`',
    should: 'all unread, and whole in the next `inbox`',
    play: keeps('agent-chat inbox >&-'),
  },
  {
    name: 'a question is answered by `send`',
    should: '`send` names the `reply` to type, and `ask` says who wrote',
    play: answered,
  },
]
