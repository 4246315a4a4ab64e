import { describe, expect, test } from 'vitest'
import {
  judgeRing,
  judgeSend,
  judgeTool,
  parseMode,
  type Rule,
  type SendCase,
  type ToolCase,
} from './rules.ts'

test.each([
  [undefined, 'enforce'],
  ['', 'enforce'],
  ['enforce', 'enforce'],
  ['warn', 'warn'],
  ['off', 'off'],
  ['OFF', 'enforce'],
  ['0', 'enforce'],
])('AGENT_CHAT_GATE=%s is %s', (input, mode) => expect(parseMode(input)).toBe(mode))

/** A message in a doorbell's turn in which nothing was done: what the gate is for. */
const SEND: SendCase = {
  mode: 'enforce',
  sender: 'agent',
  turn: 'closed',
  recipient: 'frontend',
  work: 0,
  question: false,
  questionOpen: false,
  answers: false,
  approved: false,
}

type SendRow = [what: string, facts: Partial<SendCase>, allow: boolean, rule: Rule]

const SENDS: SendRow[] = [
  ['nothing was done', {}, false, 'work gate'],
  ['something was done', { work: 1 }, true, 'work gate'],
  ['a first question', { question: true }, true, 'one question'],
  ['a second question', { question: true, questionOpen: true }, false, 'one question'],
  [
    'a second question after work',
    { question: true, questionOpen: true, work: 3 },
    false,
    'one question',
  ],
  ['a message while a question waits', { questionOpen: true }, false, 'work gate'],
  [
    'a message after work while a question waits',
    { questionOpen: true, work: 1 },
    true,
    'work gate',
  ],
  ['an answer to a question', { answers: true }, true, 'an answer'],
  [
    'an answer that asks again, for the first time',
    { answers: true, question: true },
    true,
    'one question',
  ],
  [
    'an answer that asks a second time',
    { answers: true, question: true, questionOpen: true },
    false,
    'one question',
  ],
  ['pre-approval', { approved: true }, true, 'pre-approval'],
  [
    'pre-approval, and a second question',
    { approved: true, question: true, questionOpen: true },
    true,
    'pre-approval',
  ],
  ['a turn of the human’s own', { turn: 'open' }, true, 'own turn'],
  [
    'a second question in the human’s own turn',
    { turn: 'open', question: true, questionOpen: true },
    true,
    'own turn',
  ],
  ['a word to the human, who is not woken', { recipient: 'human' }, true, 'to the human'],
  [
    'a second question to the human',
    { recipient: 'human', question: true, questionOpen: true },
    false,
    'one question',
  ],
  ['an agent without hooks', { turn: 'unknown' }, true, 'no hooks'],
  ['the human, in whatever turn', { sender: 'human' }, true, 'human'],
  ['the gate off', { mode: 'off', question: true, questionOpen: true }, true, 'off'],
  ['warn judges as enforce does', { mode: 'warn' }, false, 'work gate'],
  [
    'warn, of a second question',
    { mode: 'warn', question: true, questionOpen: true },
    false,
    'one question',
  ],
]

describe('a message', () => {
  test.each(SENDS)('%s', (_, facts, allow, rule) => {
    const verdict = judgeSend({ ...SEND, ...facts })
    expect(verdict).toMatchObject({ allow, rule })
    expect(verdict.reason).not.toBe('')
    expect(verdict.remedy === '').toBe(allow)
  })

  test('is refused with what to do instead', () => {
    expect(judgeSend(SEND)).toEqual({
      allow: false,
      rule: 'work gate',
      reason: 'reply only after doing some work (or ask one question with --question)',
      remedy: 'tell your user what the message says and what you plan, then wait for a yes',
    })
    expect(judgeSend({ ...SEND, question: true, questionOpen: true })).toMatchObject({
      reason: 'one clarifying question to @frontend is already waiting for its answer',
      remedy: 'wait for the answer, or for your user, before you ask again',
    })
  })

  test('of an agent in a closed turn passes only by work, one question, an answer, or the user', () => {
    const both = [true, false]
    for (const question of both)
      for (const questionOpen of both)
        for (const answers of both)
          for (const approved of both)
            for (const work of [0, 1]) {
              const verdict = judgeSend({
                ...SEND,
                question,
                questionOpen,
                answers,
                approved,
                work,
              })
              const asksTwice = question && questionOpen
              const expected = approved || (!asksTwice && (question || answers || work > 0))
              expect([question, questionOpen, answers, approved, work, verdict.allow]).toEqual([
                question,
                questionOpen,
                answers,
                approved,
                work,
                expected,
              ])
            }
  })
})

const TOOL: ToolCase = {
  mode: 'enforce',
  turn: 'closed',
  effect: 'changing',
  causes: '@backend',
  subject: 'API ready',
  approved: false,
  allowed: false,
  declined: false,
  covered: false,
  yes: 'Yes allows this very command again in this turn, and nothing else',
  unaskable: undefined,
}

const NOBODY = { deny: false, why: 'nobody can be asked', remedy: 'say it' }
const DROPPED = { deny: true, why: 'the host asks nobody', remedy: 'say it' }

describe('a tool call', () => {
  const CALLS: [
    what: string,
    facts: Partial<ToolCase>,
    answer: 'pass' | 'ask' | 'deny',
    rule: Rule,
  ][] = [
    ['a change', {}, 'ask', 'human approval'],
    ['a change after a no', { declined: true }, 'deny', 'human approval'],
    ['reading', { effect: 'reading' }, 'pass', 'reading'],
    ['reading after a no', { effect: 'reading', declined: true }, 'pass', 'reading'],
    ['a command of our own', { effect: 'own' }, 'pass', 'own command'],
    ['a change like one that had its yes', { covered: true }, 'pass', 'human approval'],
    ['the like after a no', { covered: true, declined: true }, 'deny', 'human approval'],
    ['a change that nobody can be asked about', { unaskable: NOBODY }, 'ask', 'human approval'],
    ['one that would run all the same', { unaskable: DROPPED }, 'deny', 'human approval'],
    ['a change that was approved beforehand', { approved: true }, 'pass', 'pre-approval'],
    ['a change in the human’s turn', { turn: 'open' }, 'pass', 'own turn'],
    [
      'a change in the human’s turn, after a no',
      { turn: 'open', declined: true },
      'pass',
      'own turn',
    ],
    ['a change of an agent without hooks', { turn: 'unknown' }, 'pass', 'no hooks'],
    ['a change with the gate off', { mode: 'off' }, 'pass', 'off'],
    ['a change under warn', { mode: 'warn' }, 'ask', 'human approval'],
  ]
  test.each(CALLS)('%s', (_, facts, answer, rule) => {
    const verdict = judgeTool({ ...TOOL, ...facts })
    expect(verdict).toMatchObject({ answer, rule, allow: answer === 'pass' })
    expect(verdict.reason).not.toBe('')
    expect(verdict.remedy === '').toBe(answer === 'pass')
  })

  test('is put to the human with the sender and the subject', () => {
    expect(judgeTool(TOOL).reason).toBe(
      'a message from @backend (“API ready”) started this turn. Yes allows this very command again in this turn, and nothing else',
    )
    expect(judgeTool({ ...TOOL, subject: undefined, causes: '' }).reason).toMatch(
      /^a message from another session started/,
    )
  })

  test('is put to the human with nothing in the subject that a dialog would obey', () => {
    const subject = 'build\u202e gnorw\u2066\n\u001b[2J'
    expect(judgeTool({ ...TOOL, subject }).reason).toContain(
      '(“build<U+202E> gnorw<U+2066> ^[[2J”)',
    )
  })
})

describe('a message rings', () => {
  const RINGS: [
    mode: 'enforce' | 'warn' | 'off',
    hops: number,
    recent: number,
    thanks: boolean,
    ring: string,
  ][] = [
    ['enforce', 0, 1, false, 'rings'],
    ['enforce', 3, 20, false, 'rings'],
    ['enforce', 4, 1, false, 'held'],
    ['enforce', 400, 1, false, 'held'],
    ['enforce', 0, 21, false, 'held'],
    ['enforce', 4, 21, true, 'held'],
    ['enforce', 1, 1, true, 'quiet'],
    ['enforce', 0, 1, true, 'rings'],
    ['warn', 4, 1, false, 'held'],
    ['off', 4, 21, true, 'rings'],
  ]
  test.each(RINGS)(
    '%s, %i hops, %i in ten minutes, thanks %s: %s',
    (mode, hops, recent, acknowledges, ring) => {
      const verdict = judgeRing({ mode, hops, recent, acknowledges })
      expect(verdict.ring).toBe(ring)
      expect(verdict.why === '').toBe(ring === 'rings')
    },
  )

  test.each<[hops: number, recent: number, thanks: boolean, ring: string]>([
    [0, 1, false, 'rings'],
    [4, 20, false, 'rings'],
    [400, 1, true, 'rings'],
    [0, 21, false, 'quiet'],
    [400, 400, true, 'quiet'],
  ])('to the human, %i hops, %i in ten minutes, thanks %s: %s', (hops, recent, thanks, ring) => {
    const facts = { mode: 'enforce', hops, recent, acknowledges: thanks, toHuman: true } as const
    expect(judgeRing(facts).ring).toBe(ring)
    expect(judgeRing({ ...facts, mode: 'off' }).ring).toBe('rings')
  })

  test('says why not', () => {
    const why = (hops: number, recent: number, toHuman = false) =>
      judgeRing({ mode: 'enforce', hops, recent, acknowledges: false, toHuman }).why
    expect(why(0, 21, true)).toBe('more than 20 messages in 10 minutes to your user')
    expect(why(4, 1)).toBe('4 messages on this chain since your user last wrote')
    expect(why(0, 21)).toBe('more than 20 messages in 10 minutes')
  })
})
