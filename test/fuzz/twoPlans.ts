import fc from 'fast-check'
import type { Home } from '../../src/bus/home.ts'
import { eventsOf } from '../../src/testing/home.ts'
import type { Ended, Plan, Turn } from './interleave.ts'

/**
 * @ada speaks from the one process and @bob from the other; @cyd is read, and answers, from both.
 */
export const SPEAKERS = ['ada', 'bob']
export const EVERYBODY = ['ada', 'bob', 'cyd', 'dee', 'eve', 'human']

export type Chosen = { what: string; pick: number; more: string[] }

/** What is printed of a message that matters here. */
type Told = { id: string; kind: string }

/**
 * The ids of the messages that commands have sent so far, or those of one kind. A question that was
 * not answered was sent all the same.
 */
export function sentSoFar(ended: readonly Ended[], kind?: string): string[] {
  const printed = ended.filter(({ argv, stdout }) => argv[0] !== 'inbox' && stdout.startsWith('{'))
  const messages = printed.map(({ stdout }) => JSON.parse(stdout)).map((one) => one.question ?? one)
  // Said again, a word on a task sends nothing: then the task is printed, with its state.
  const sent: Told[] = messages.filter((one) => one.id !== undefined && !one.state)
  return sent.filter((one) => kind === undefined || one.kind === kind).map(({ id }) => id)
}

/** The questions that stand in the home's history, also of those who still wait for the answer. */
function questions(home: Home): string[] {
  return eventsOf(home, 'sent').flatMap(({ id, kind, to }) =>
    kind === 'question' && to === 'cyd' ? [String(id)] : [],
  )
}

/** A command of the process of this speaker. */
export function planOf(
  home: Home,
  [me, other]: [string, string],
  { what, pick, more }: Chosen,
): Plan {
  const one = (ids: string[]) => ids[pick % Math.max(1, ids.length)] ?? 'nothing-yet'
  const text = ['--json', '--', `number ${pick}`]
  const plans: Record<string, Plan> = {
    send: () => ['send', '@cyd', '--as', me, ...more, ...text],
    sendBack: () => ['send', `@${other}`, '--as', me, ...text],
    task: () => ['task', '@cyd', '--as', me, ...text],
    reply: (ended) => ['reply', one(sentSoFar(ended)), '--as', 'cyd', ...text],
    accept: (ended) => ['accept', one(sentSoFar(ended, 'task')), '--as', 'cyd', '--json'],
    done: (ended) => ['done', one(sentSoFar(ended, 'task')), '--as', 'cyd', ...text],
    decline: (ended) => ['decline', one(sentSoFar(ended, 'task')), '--as', 'cyd', '-mno', '--json'],
    ask: () => ['ask', '@cyd', '--as', me, '--timeout', '0.25', ...text],
    answer: () => ['reply', questions(home).at(-1) ?? 'nothing-yet', '--as', 'cyd', ...text],
    escalate: () => ['escalate', '--as', me, ...text],
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
      ...'send send send sendBack task task reply accept done decline read read readOwn rename join leave escalate ask answer answer'.split(
        ' ',
      ),
    ),
    pick: fc.nat(1000),
    more: fc.constantFrom<string[]>([], [], ['--urgent'], ['--quiet']),
  },
  { noNullPrototype: true },
)
export const turn = fc.constantFrom<Turn>('0', '1')
export const killing = fc.oneof(
  { weight: 24, arbitrary: turn },
  { weight: 1, arbitrary: fc.constantFrom<Turn>('0!', '1!') },
)
export const turnsOf = (one: fc.Arbitrary<Turn>) =>
  fc.array(one, { minLength: 10, maxLength: 60, size: 'max' })
export const choices = fc.array(chosen, { minLength: 1, maxLength: 6, size: 'max' })
