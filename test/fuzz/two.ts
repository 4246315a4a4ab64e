import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { sweepHome } from '../../src/bus/sweep.ts'
import { eventsOf, filesIn, tempBus } from '../../src/testing/home.ts'
import { type Actor, buildActor, startActor } from './actors.ts'
import { forAll } from './cases.ts'
import { runInProcess } from './inProcess.ts'
import { type Ended, interleave, type Plan, type Turn } from './interleave.ts'
import { emptyModel, isOpen, stateOfTask } from './model.ts'

/** @ada speaks from the one process and @bob from the other; @cyd is read, and answers, from both. */
const SPEAKERS = ['ada', 'bob']
const EVERYBODY = ['ada', 'bob', 'cyd', 'dee', 'eve']

type Chosen = { what: string; pick: number; more: string[] }

/** The ids of the messages that commands have sent so far, or those of one kind. */
function sentSoFar(ended: readonly Ended[], kind?: string): string[] {
  const sent = ended.filter(({ argv, code }) => code === 0 && argv[0] !== 'inbox' && argv.includes('--json'))
  // Said again, a word on a task sends nothing: then the task is printed, with its state.
  const messages = sent.map(({ stdout }) => JSON.parse(stdout)).filter((one) => one.id !== undefined && !one.state)
  return messages.filter((one) => kind === undefined || one.kind === kind).map(({ id }) => id)
}

/** A command of the process of this speaker. */
function planOf(me: string, other: string, { what, pick, more }: Chosen): Plan {
  const one = (ids: string[]) => ids[pick % Math.max(1, ids.length)] ?? 'nothing-yet'
  const text = ['--json', '--', `number ${pick}`]
  const plans: Record<string, Plan> = {
    send: () => ['send', '@cyd', '--from', me, ...more, ...text],
    sendBack: () => ['send', `@${other}`, '--from', me, ...text],
    task: () => ['task', '@cyd', '--from', me, ...text],
    reply: (ended) => ['reply', one(sentSoFar(ended)), '--from', 'cyd', ...text],
    accept: (ended) => ['accept', one(sentSoFar(ended, 'task')), '--from', 'cyd', '--json'],
    done: (ended) => ['done', one(sentSoFar(ended, 'task')), '--from', 'cyd', ...text],
    decline: (ended) => ['decline', one(sentSoFar(ended, 'task')), '--from', 'cyd', '--why=no', '--json'],
    read: () => ['inbox', 'cyd', '--json'],
    readOwn: () => ['inbox', me, '--json', '--limit', '2'],
    rename: () => ['rename', ...(pick % 2 === 0 ? ['cyd', 'dee'] : ['dee', 'cyd']), '--json'],
    join: () => ['join', 'eve', '--no-watch', '--json'],
    leave: () => ['leave', 'eve', '--json'],
  }
  const plan = plans[what]
  if (!plan) throw new Error(`there is no ${what}`)
  return plan
}

const chosen: fc.Arbitrary<Chosen> = fc.record(
  {
    what: fc.constantFrom(
      ...'send send send sendBack task task reply accept done decline read read readOwn rename join leave'.split(' '),
    ),
    pick: fc.nat(1000),
    more: fc.constantFrom<string[]>([], [], ['--urgent'], ['--quiet']),
  },
  { noNullPrototype: true },
)
const turn = fc.constantFrom<Turn>('0', '1')
const killing = fc.oneof({ weight: 24, arbitrary: turn }, { weight: 1, arbitrary: fc.constantFrom<Turn>('0!', '1!') })
const turns = (one: fc.Arbitrary<Turn>) => fc.array(one, { minLength: 10, maxLength: 60, size: 'max' })
const choices = fc.array(chosen, { minLength: 1, maxLength: 6, size: 'max' })

/** What no interleaving may lose: each message that was sent is in one place, whole, in the history once; and no more than that is there. */
function expectKept({ home }: Bus, ended: Ended[], killed: boolean): void {
  const places = EVERYBODY.flatMap((name) => [
    ...filesIn(home.inbox(name)),
    ...filesIn(home.readDirectory(name)),
  ]).filter((file) => file.endsWith('.md'))
  const archive = filesIn(home.messages)
  expect(places.toSorted()).toEqual(archive)
  const sent = sentSoFar(ended).map((id) => `${id}.md`)
  expect(archive).toEqual(expect.arrayContaining(sent))
  if (!killed) expect(sent.toSorted()).toEqual(archive)
  const told = eventsOf(home, 'sent').map(({ id }) => `${id}.md`)
  expect(told.toSorted()).toEqual(archive)
}

/** What was shown, was shown once, is read now, and came in the order in which its sender had sent it. */
function expectShown({ home }: Bus, ended: Ended[], killed: boolean): void {
  const inboxes = ended
    .filter(({ argv, code }) => argv[0] === 'inbox' && code === 0)
    .map(({ stdout }) => JSON.parse(stdout))
  const shown = inboxes.flatMap(({ messages }) => messages.map(({ id }: { id: string }) => `${id}.md`))
  expect(new Set(shown).size).toBe(shown.length)
  const read = EVERYBODY.flatMap((name) => filesIn(home.readDirectory(name)))
  expect(read).toEqual(expect.arrayContaining(shown))
  if (!killed) expect(shown.toSorted()).toEqual(read.toSorted())
  const urgentOrQuiet = new Set(
    eventsOf(home, 'sent')
      .filter(({ priority, ring }) => priority ?? ring)
      .map(({ id }) => id),
  )
  const reads = eventsOf(home, 'read').filter(({ id, mended }) => mended !== true && !urgentOrQuiet.has(id))
  expect(new Set(reads.map(({ id }) => id)).size).toBe(reads.length)
  for (const from of SPEAKERS)
    for (const by of [['cyd', 'dee'], ['ada'], ['bob']]) {
      const ids = reads
        .filter((one) => by.includes(String(one.by)) && String(one.id).endsWith(`-from-${from}`))
        .map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
    }
}

/** Tasks stand as their conversations say, and those that are open are found as such. */
async function expectTasks(bus: Bus): Promise<void> {
  const ask = async (...argv: string[]) => JSON.parse((await runInProcess(bus, [...argv, '--json'])).stdout)
  const { tasks } = await ask('tasks')
  for (const task of tasks) {
    const { messages } = await ask('thread', task.id)
    const model = emptyModel(0)
    const owner = (name: string) => ({ name, unread: [], read: [] })
    model.said = messages.map((one: Record<string, string>) => ({
      ...one,
      from: owner(one.from ?? ''),
      to: owner(one.to ?? ''),
      inReplyTo: one.in_reply_to,
      word: one.task_state,
    }))
    const first = model.said.find(({ id }) => id === task.id)
    if (!first) throw new Error(`${task.id} is not in its own conversation`)
    expect([task.id, task.state]).toEqual([task.id, stateOfTask(model, first)])
  }
  const { tasks: open } = await ask('tasks', '--open')
  const ids = (all: { id: string }[]) => all.map(({ id }) => id)
  expect(ids(open)).toEqual(ids(tasks.filter(({ state }: { state: Parameters<typeof isOpen>[0] }) => isOpen(state))))
}

function sweep(bus: Bus, mend: boolean) {
  const now = () => bus.clock.now() + 120_000
  return sweepHome({ ...bus, clock: { now, micros: () => now() * 1000 } }, { mend })
}

export function twoProcessProperties(): void {
  describe('two processes, one step of the one and one of the other', () => {
    const directory = mkdtempSync(join(tmpdir(), 'agent-chat-test-'))
    let actors: [Actor, Actor]
    beforeAll(async () => {
      const script = await buildActor(directory)
      actors = [startActor(script), startActor(script)]
    })
    afterAll(async () => {
      await Promise.all(actors.map((actor) => actor.kill()))
      rmSync(directory, { recursive: true, force: true })
    })

    const run = async (mine: [Chosen[], Chosen[]], order: Turn[], killed: boolean) => {
      const bus = tempBus(['ada', 'bob', 'cyd'])
      chmodSync(bus.home.sessions, 0o600)
      const [ada, bob] = mine
      const plans: [Plan[], Plan[]] = [
        ada.map((one) => planOf('ada', 'bob', one)),
        bob.map((one) => planOf('bob', 'ada', one)),
      ]
      const ended = await interleave(bus.home.root, actors, plans, order)
      for (const { argv, code, stderr } of ended)
        expect([0, 2, 4, 8, undefined], `${argv.join(' ')}: ${stderr}`).toContain(code)
      if (killed) await sweep(bus, true)
      expect(await sweep(bus, false)).toEqual([])
      expectKept(bus, ended, killed)
      expectShown(bus, ended, killed)
      await expectTasks(bus)
    }

    test('lose nothing, show nothing twice, keep each sender in order, and agree on tasks and names', async () => {
      const property = fc.asyncProperty(choices, choices, turns(turn), (one, two, order) =>
        run([one, two], order, false),
      )
      await forAll('interleavings', 60, property)
    })

    test('and where one is killed, doctor mends what it left, and nothing that was sent is lost', async () => {
      const property = fc.asyncProperty(choices, choices, turns(killing), (one, two, order) =>
        run([one, two], order, true),
      )
      await forAll('killed interleavings', 12, property)
    })
  })
}
