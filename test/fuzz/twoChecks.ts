import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { marksOf } from '../../src/bus/mail/marks.ts'
import { eventsOf, filesIn } from '../../src/testing/home.ts'
import { runInProcess } from './inProcess.ts'
import type { Ended } from './interleave.ts'
import { emptyModel, isOpen, stateOfTask } from './model.ts'
import { EVERYBODY, SPEAKERS, sentSoFar } from './twoPlans.ts'

/**
 * What no interleaving may lose: each message that was sent is in one place, whole, in the history
 * once; and no more than that is there.
 */
export function expectKept({ home }: Bus, ended: Ended[], killed: boolean): void {
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

/**
 * What was shown, was shown once, is read now, and came in the order in which its sender had sent
 * it.
 */
export function expectShown({ home }: Bus, ended: Ended[], killed: boolean): void {
  const inboxes = ended
    .filter(({ argv, code }) => argv[0] === 'inbox' && code === 0)
    .map(({ stdout }) => JSON.parse(stdout))
  const answers = ended.flatMap(({ argv, stdout }) =>
    argv[0] === 'ask' && stdout ? [JSON.parse(stdout).answer] : [],
  )
  const messages = [
    ...inboxes.flatMap((inbox) => inbox.messages),
    ...answers.filter((answer) => answer !== null),
  ]
  const shown = messages.map(({ id }: { id: string }) => `${id}.md`)
  expect(new Set(shown).size).toBe(shown.length)
  const read = EVERYBODY.flatMap((name) => filesIn(home.readDirectory(name)))
  expect(read).toEqual(expect.arrayContaining(shown))
  if (!killed) expect(shown.toSorted()).toEqual(read.toSorted())
  const urgentOrQuiet = new Set(
    eventsOf(home, 'sent')
      .filter(({ priority, ring }) => priority ?? ring)
      .map(({ id }) => id),
  )
  const reads = eventsOf(home, 'read').filter(
    ({ id, mended }) => mended !== true && !urgentOrQuiet.has(id),
  )
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
export async function expectTasks(bus: Bus): Promise<void> {
  const ask = async (...argv: string[]) =>
    JSON.parse((await runInProcess(bus, [...argv, '--json'])).stdout)
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
  expect(ids(open)).toEqual(
    ids(tasks.filter(({ state }: { state: Parameters<typeof isOpen>[0] }) => isOpen(state))),
  )
}

/**
 * An answer was shown by who waited for it, or rings: when nobody waits any more, nothing is kept
 * silent for them.
 */
export function expectNobodyAwaited({ home }: Bus): void {
  for (const name of SPEAKERS)
    for (const [id, mark] of Object.entries(marksOf(home, name)))
      expect([id, mark.ring, existsSync(home.unread(name, id))]).not.toEqual([id, 'awaited', true])
  expect(filesIn(home.asks)).toEqual([])
}

/** Decisions have numbers of their own, whoever asks for them at once. */
export function expectNumbers({ home }: Bus, ended: Ended[]): void {
  const decisions = ended.filter(({ argv, code }) => argv[0] === 'escalate' && code === 0)
  const numbers = decisions.map(({ stdout }) => Number(JSON.parse(stdout).escalation))
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(filesIn(home.escalations)).toEqual(expect.arrayContaining(numbers.map(String)))
}
