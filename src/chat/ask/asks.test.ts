import { expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { outcome, type Run, startCli } from '../../testing/cli.ts'
import { filesIn } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'

/**
 * What becomes of the questions to one session: how many it answers, how the others end, and what
 * makes them end so.
 */
type Fate = {
  answers: number
  end: string
  code: number
  flags: string[]
  next: (agent: TestAgent) => Promise<unknown>
}

/** Longer than all of it takes; an ask that is still at it then is killed, and the test fails. */
const LONG = ['--timeout', '100']
const nothing = async () => {}

const FATES: Fate[] = [
  { answers: 10, end: 'answered', code: 0, flags: LONG, next: nothing },
  { answers: 6, end: 'timed out', code: 5, flags: ['--timeout', '1'], next: nothing },
  {
    answers: 6,
    end: 'idle',
    code: 5,
    flags: [...LONG, '--until-idle'],
    next: (agent) => agent.hook('stop'),
  },
  {
    answers: 6,
    end: 'asking',
    code: 5,
    flags: [...LONG, '--until-idle'],
    next: (agent) => agent.hook('permission-request'),
  },
  { answers: 5, end: 'gone', code: 4, flags: LONG, next: (agent) => agent.chat('leave') },
]
const EACH = 10

type Question = { id: string; from: string; body: string }
type Ended = {
  question: Question & { to: string }
  outcome: string
  answer: { body: string; in_reply_to: string } | null
}

test('50 asks at once between 10 sessions, a third of them never answered: each ends in its own right way', async () => {
  const askers = FATES.map((_, at) => `asker-${at}`)
  const { bus, agents } = await agentsOn(...FATES.map((_, at) => `asked-${at}`), ...askers)
  const asks = FATES.flatMap((fate, at) =>
    Array.from({ length: EACH }, (_, number) => {
      // The first questions are those that are answered.
      const flags = number < fate.answers ? LONG : fate.flags
      const args = ['ask', `@asked-${at}`, `question ${number}`, '--json', ...flags]
      const env = { AGENT_CHAT_NAME: askers[number % askers.length] ?? '' }
      return {
        fate,
        number,
        run: outcome(startCli(args, { home: bus.home.root, env, limitMs: 110_000 })),
      }
    }),
  )
  await Promise.all(FATES.map((fate, at) => answerSome(bus, agents[at] as TestAgent, fate)))

  for (const { fate, number, run } of asks) {
    const answered = number < fate.answers
    expect(outcomeOf(await run)).toEqual({
      code: answered ? 0 : fate.code,
      outcome: answered ? 'answered' : fate.end,
      answer: answered ? `answer to question ${number}` : undefined,
    })
  }
  expect(filesIn(bus.home.asks)).toEqual([])
  for (const name of askers) {
    expect(filesIn(bus.home.inbox(name))).toEqual([])
    expect(filesIn(bus.home.heldBy(name))).toEqual([])
    // No answer rang for whoever waited for it.
    expect(filesIn(bus.home.bell(name))).toEqual([])
  }
}, 120_000)

/**
 * Once all its questions are there, reads them in a turn that a ring began, answers the first of
 * them at once, and goes on as it does.
 */
async function answerSome(bus: Bus, agent: TestAgent, { answers, next }: Fate): Promise<void> {
  await until(
    `the questions to @${agent.name}`,
    () => filesIn(bus.home.inbox(agent.name)).length === EACH,
    60_000,
  )
  await agent.hook('user-prompt-submit', { prompt: 'read your inbox', prompt_id: agent.name })
  const { messages }: { messages: Question[] } = JSON.parse(
    (await agent.chat('inbox', '--json')).stdout,
  )
  const toAnswer = messages.filter(({ body }) => Number(body.split(' ')[1]) < answers)
  await Promise.all(toAnswer.map(({ id, body }) => agent.chat('reply', id, `answer to ${body}`)))
  await next(agent)
}

function outcomeOf({ code, stdout, stderr }: Run) {
  expect(stdout, stderr).not.toBe('')
  const { outcome, answer, question }: Ended = JSON.parse(stdout)
  if (answer) expect(answer.in_reply_to).toBe(question.id)
  return { code, outcome, answer: answer?.body }
}
