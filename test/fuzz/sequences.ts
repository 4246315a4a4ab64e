import { chmodSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { unreadIds } from '../../src/bus/mail/unread.ts'
import { sweepHome } from '../../src/doctor/sweep.ts'
import { fixedClock } from '../../src/testing/clock.ts'
import { filesIn, tempBus } from '../../src/testing/home.ts'
import { forAll } from './cases.ts'
import { runInProcess } from './inProcess.ts'
import { emptyModel, type Model, stateOfTask, threadOf } from './model.ts'
import { type Choice, everyone, expected, heldNow, pass, type Real, STEPS, told } from './steps.ts'

/**
 * Long ago: the bells of the home have the times of this machine, and must not be older than what
 * they ring for.
 */
const BEGAN = '2020-01-01T08:00:00.000Z'
const NAMES = ['ada', 'bob', 'cyd', 'dee']

/** Both at the same beginning: three sessions, and nothing said. */
function begin(): { model: Model; real: Real } {
  const clock = fixedClock(BEGAN)
  const bus = tempBus(NAMES.slice(0, 3), clock)
  // It was registered by hand.
  chmodSync(bus.home.sessions, 0o600)
  const model = emptyModel(Date.parse(BEGAN))
  for (const name of NAMES.slice(0, 3)) {
    const owner = { name, unread: [], read: [] }
    model.registered.set(name, owner)
    model.known.set(name, owner)
  }
  return { model, real: { bus, pass: (ms) => clock.set(clock.now() + ms) } }
}

/**
 * The files say what the model says: who has what, unread and read, in the archive once, and held.
 */
function expectFiles(model: Model, { home }: Bus): void {
  for (const owner of everyone(model)) {
    const others = everyone(model).filter(({ name }) => name === owner.name)
    const ids = (key: 'unread' | 'read') =>
      others.flatMap((one) => one[key].map(({ id }) => id)).sort()
    expect([owner.name, unreadIds(home, owner.name)]).toEqual([owner.name, ids('unread')])
    expect([owner.name, filesIn(home.readDirectory(owner.name))]).toEqual([
      owner.name,
      ids('read').map((id) => `${id}.md`),
    ])
  }
  const said = filesIn(home.messages).filter((file) => !file.endsWith('-from-agent-chat.md'))
  expect(said).toEqual(model.said.map(({ id }) => `${id}.md`).sort())
  expect(unreadIds(home, 'human')).toHaveLength(model.notes)
}

/**
 * The commands say what the model says: who is there, how tasks stand, what conversations hold; and
 * nothing is for `doctor` to mend.
 */
async function expectAnswers(model: Model, bus: Bus): Promise<void> {
  const ask = async (...argv: string[]) =>
    JSON.parse((await runInProcess(bus, [...argv, '--json'])).stdout)
  const { sessions } = await ask('who')
  expect(sessions.map(({ name }: { name: string }) => name).sort()).toEqual(
    [...model.registered.keys()].sort(),
  )
  const { tasks } = await ask('tasks')
  const states = model.said
    .filter(({ kind }) => kind === 'task')
    .map((task) => [task.id, stateOfTask(model, task)])
  expect(tasks.map(({ id, state }: Record<string, string>) => [id, state])).toEqual(states)
  const { tasks: open } = await ask('tasks', '--open')
  expect(open.map(({ id }: { id: string }) => id)).toEqual(
    tasks.filter((task: { open: boolean }) => task.open).map(({ id }: { id: string }) => id),
  )
  const { held, paused } = await ask('gate')
  expect([held.map(({ id }: { id: string }) => id).sort(), paused]).toEqual([
    heldNow(model)
      .map(({ id }) => id)
      .sort(),
    model.paused,
  ])
  for (const thread of new Set(model.said.map((one) => one.thread))) {
    const { messages, missing } = await ask('thread', thread)
    expect([messages.map(told), missing]).toEqual([threadOf(model, thread).map(expected), []])
  }
  const now = () => bus.clock.now() + 120_000
  expect(
    await sweepHome({ ...bus, clock: { now, micros: () => now() * 1000 } }, { mend: false }),
  ).toEqual([])
}

const choice: fc.Arbitrary<Choice> = fc.record({
  pick: fc.nat(1000),
  other: fc.nat(5),
  name: fc.constantFrom(...NAMES),
  body: fc
    .oneof(
      fc.constantFrom('thanks!', 'it is ready', '-', '--json', '-- x', 'x'.repeat(900)),
      fc.string({ minLength: 1, maxLength: 30 }),
    )
    .filter(isBody),
  flags: fc.constantFrom<string[]>([], [], [], ['--urgent'], ['--quiet'], ['--question']),
  word: fc.constantFrom('accepted', 'declined', 'done', 'failed'),
  count: fc.nat(3),
})

function isBody(text: string): boolean {
  return text.trim() !== '' && text !== '-' && !text.includes('\0')
}

const WEIGHTS: Record<string, number> = {
  send: 6,
  read: 4,
  reply: 5,
  argue: 1,
  task: 3,
  progress: 5,
  readSome: 1,
  rename: 2,
  join: 2,
  leave: 1,
  pause: 1,
  resume: 1,
  prune: 2,
  wait: 2,
}
const names = fc.oneof(
  ...Object.entries(WEIGHTS).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })),
)

export function sequenceProperties(): void {
  describe('any sequence of commands', () => {
    test('every step is one that the model knows', () =>
      expect(Object.keys(WEIGHTS).sort()).toEqual(Object.keys(STEPS).sort()))

    test('leaves what the model says: nothing lost, nothing twice, each sender in order, tasks and conversations as told', async () => {
      const sequence = fc.array(fc.tuple(names, choice), {
        minLength: 1,
        maxLength: 40,
        size: 'max',
      })
      const property = fc.asyncProperty(sequence, async (steps) => {
        const { model, real } = begin()
        for (const [name, chosen] of steps) {
          pass(model, real, 1 + (chosen.pick % 50))
          await STEPS[name]?.(model, real, chosen)
          expectFiles(model, real.bus)
        }
        await expectAnswers(model, real.bus)
      })
      await forAll('sequences', 300, property)
    })
  })
}
