import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homeAt } from '../../../../src/bus/home.ts'
import { sendMessage } from '../../../../src/bus/mail/send.ts'
import { systemClock } from '../../../../src/system/clock.ts'
import { systemProcesses } from '../../../../src/system/processes.ts'
import { eventually } from '../../harness/poll.ts'
import { newText } from '../../harness/request.ts'
import type { Case } from '../cases.ts'
import { ringsIn } from '../heard.ts'
import { standardRule } from '../model.ts'
import type { Round } from '../round.ts'
import type { Stage } from '../stage.ts'
import { endWork, heldBack, isRung, startWork } from './plain.ts'

/** A message comes in the middle of a turn. */
export const turnCases: readonly Case[] = [
  {
    name: 'busy in a long tool call',
    doorbells: ['native', 'tmux', 'auto'],
    start: withWitness,
    run: busy,
    from: 'the end of the call',
  },
  {
    name: 'busy in a long tool call, urgent',
    doorbells: ['native', 'auto'],
    run: busyUrgent,
    from: 'the end of the call',
  },
  {
    name: 'normal and urgent in one turn',
    doorbells: ['native'],
    run: both,
    from: 'the end of the call',
  },
  {
    name: 'a burst of 200 in a turn',
    doorbells: ['native'],
    run: burst,
    fresh: true,
    from: 'the end of the call',
  },
]

/**
 * Where the doorbell is native, a second session too, whose ring shows that the first one's bell
 * has been heard by then.
 */
export async function withWitness(stage: Stage): Promise<void> {
  if (!(await stage.registered())) await stage.launch()
  if (stage.choice !== 'native') return
  await stage.launch('witness')
  await stage.settled()
}

/**
 * Sends a message that has to wait for the turn's end, and waits until its doorbell has left it
 * alone.
 */
export async function sendIntoTurn(round: Round): Promise<string> {
  const { stage } = round
  const id = await round.send()
  if (stage.choice !== 'native') await stage.waits(/busy|dialog|input box/)
  else {
    const before = round.rings().length
    await round.send({ to: 'witness' })
    await eventually('the ring of the other session', () => round.rings().length > before)
    round.expectRings(2)
  }
  round.unharmed(!(await isRung(stage, id)), 'a ring came into the middle of a turn')
  return id
}

/** The ring comes when the turn is over, and natively without a keystroke. */
async function busy(round: Round): Promise<void> {
  const { stage, n } = round
  const file = await startWork(stage, `go-${n}`)
  const id = await sendIntoTurn(round)
  round.free()
  await endWork(stage, file)
  await eventually('the ring', () => isRung(stage, id))
  await ringOf(round, 'between turns', 'frontend')
  const by = (await stage.events('rung')).findLast(({ to }) => to === 'frontend')?.doorbell
  round.unharmed(by === (stage.choice === 'tmux' ? 'tmux' : 'native'), `${by} rang`)
}

/**
 * A hook has said it before the client takes it: waits until all that rang stands in the client's
 * record, as queued or since.
 */
async function taken(stage: Stage): Promise<void> {
  const { session_id: id } = (await stage.state()) ?? {}
  const rung = (await stage.events('rung')).filter(({ to }) => to === 'frontend').length
  const folder = join(stage.world.home, '.claude', 'projects')
  await eventually('the client to take the ring', async () => {
    const files = (await readdir(folder, { recursive: true })).filter((file) =>
      file.endsWith(`${id}.jsonl`),
    )
    const text = (
      await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    ).join('')
    return text.split('\n').filter((line) => /"enqueue".*Check inbox\./.test(line)).length >= rung
  })
}

/** The ring comes into the turn, with the result of the call. */
async function busyUrgent(round: Round): Promise<void> {
  const { stage, n } = round
  const file = await startWork(stage, `go-${n}`)
  const id = await round.send({ as: 'urgent' })
  await heldBack(stage, id, /busy/)
  await taken(stage)
  round.unharmed(round.rings().length === 0, 'a ring came into the middle of a tool call')
  round.free()
  await endWork(stage, file)
  await ringOf(round, 'in the turn', 'frontend')
}

/**
 * The urgent one rings alone; should the model not look at its inbox then, the other rings when the
 * turn is over.
 */
async function both(round: Round): Promise<void> {
  const { stage, n } = round
  let looks = false
  stage.rule = (request) => {
    if (!looks && ringsIn(newText(request)).length > 0) {
      looks = true
      return { text: 'Later.' }
    }
    return standardRule(request)
  }
  const file = await startWork(stage, `go-${n}`)
  await round.send({ from: 'docs' })
  await heldBack(stage, await round.send({ as: 'urgent' }), /busy/)
  await taken(stage)
  round.expectRings(2)
  round.free()
  await endWork(stage, file)
  await eventually('both rings', () => round.rings().length === 2)
  const [first, second] = round.rings()
  round.unharmed(
    first?.inTurn === true && !first.text.includes('@docs'),
    `heard first: ${first?.text}`,
  )
  round.unharmed(
    second?.inTurn === false && !second.text.includes('@backend'),
    `heard then: ${second?.text}`,
  )
}

/** However many come in a turn, its end rings once for all of them. */
async function burst(round: Round): Promise<void> {
  const { stage, n } = round
  const file = await startWork(stage, `go-${n}`)
  const bus = { home: homeAt(stage.world.chat), clock: systemClock(), processes: systemProcesses() }
  const draft = { from: 'backend', to: 'frontend', kind: 'note', body: 'look' }
  const ids = Array.from({ length: 200 }, () => sendMessage(bus, draft).message.id)
  round.sentBy(ids[0] ?? '')
  round.free()
  await endWork(stage, file)
  await eventually('the ring', async () => (await stage.events('rung')).length > 0)
  await ringOf(round, 'between turns', 'frontend')
  const rung = (await stage.events('rung')).map(({ ids }) => (ids as string[]).length)
  round.unharmed(rung.length === 1 && rung[0] === ids.length, `rung for ${rung.join(', then ')}`)
}

/** The one ring of a session, and when it was right to come. */
export async function ringOf(
  round: Round,
  when: 'in the turn' | 'between turns',
  name: string,
): Promise<void> {
  const ring = await eventually('the ring', () => round.rings().find((one) => one.name === name))
  round.unharmed(ring.inTurn === (when === 'in the turn'), `the ring did not come ${when}`)
}
