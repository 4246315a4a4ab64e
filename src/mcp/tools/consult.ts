import { requireThere } from '../../bus/home.ts'
import { type Asked, ask, resumeAsk, type Wait } from '../../chat/ask/ask.ts'
import { endError } from '../../chat/ask/askEnd.ts'
import { IMPORTANCE } from '../../chat/list/list.ts'
import { isCoded } from '../../errors.ts'
import { HUMAN } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { choice, count, data, NAME_LENGTH, named, optional, text, texts } from '../fields.ts'
import { sectionsOf } from '../sections.ts'
import { type Answer, type Call, contentFrom, FLAG, TEXT, tool } from '../tool.ts'

const DEFAULT_SECONDS = 300
const MOST_SECONDS = 3600

/** One after the other: a session waits for one answer at a time. */
let line: Promise<unknown> = Promise.resolve()

export const consultTool = tool({
  name: 'consult',
  description:
    'Ask a session a question and wait for its answer, 300 s at most. Of several consults, each waits for the one before.',
  fields: {
    to: text('a session, as who lists it', NAME_LENGTH),
    message: named(text('the question'), 'question'),
    context: optional(data('what it needs to know to answer')),
    user_intent: optional(text('what your user wants', 2000)),
    previous_decisions: optional(texts('what is decided already', 0, 20)),
    constraints: optional(texts('what must hold', 0, 20)),
    focus_areas: optional(texts('where to look', 0, 20)),
    priority: optional(choice('high: also in the middle of its turn', IMPORTANCE)),
    timeout_seconds: optional(count('how long to wait', MOST_SECONDS)),
  },
  gives: {
    answered: FLAG,
    answer: TEXT,
    from: TEXT,
    answer_id: TEXT,
    question_id: TEXT,
    thread: TEXT,
    timeout: FLAG,
    suggestion: TEXT,
  },
  run: (input, call) => {
    const consulted = line.then(() => consult(input, call))
    line = consulted.catch(() => {})
    return consulted
  },
})

type Input = Parameters<typeof bodyOf>[0] & {
  to: string
  priority?: (typeof IMPORTANCE)[number] | undefined
  timeout_seconds?: number | undefined
}

async function consult(input: Input, call: Call): Promise<Answer> {
  const seconds = input.timeout_seconds ?? DEFAULT_SECONDS
  const wait: Wait = {
    timeoutMs: seconds * 1000,
    patient: true,
    onLook: (question, { other }) =>
      call.progress(`waiting for @${question.to}: it is ${other.activity}`),
    show: () => {},
    accept: call.afterAnswer,
  }
  const onStop = (stop: (signal: NodeJS.Signals) => void) => {
    call.signal.addEventListener('abort', () => stop('SIGINT'))
    if (call.signal.aborted) stop('SIGINT')
  }
  const ports = { ...call.ports, onStop }
  const earlier = call.earlier?.()
  const priority = input.priority === 'high' ? 'urgent' : undefined
  try {
    const asked = earlier
      ? await resumeAsk(earlier.id, undefined, wait, ports)
      : await ask({ recipient: input.to, priority }, contentFrom(call, bodyOf(input)), wait, ports)
    // Where the home is gone, so is everybody in it: the caller is told of the home.
    if (asked.outcome === 'gone') requireThere(ports.bus().home, ports.env)
    return answerOf(asked, seconds)
  } catch (error) {
    if (!isCoded(error, 'SESSION_GONE') && !isCoded(error, 'HUMAN_UNREACHABLE')) throw error
    const { message, hint, code } = error
    const suggestion = suggest(input.to.replace(/^@/, ''), false)
    return { success: false, answered: false, error: message, code, hint, suggestion }
  }
}

function answerOf(asked: Asked, seconds: number): Answer {
  const { question } = asked
  const about = { question_id: shortId(question.id), thread: question.thread }
  if (asked.outcome === 'answered') {
    const { body, from, id } = asked.answer
    return { success: true, answered: true, answer: body, from, answer_id: shortId(id), ...about }
  }
  const { message, hint, code } = endError(question, asked, seconds)
  return {
    success: false,
    answered: false,
    timeout: asked.outcome === 'timed out',
    error: message,
    ...{ code, hint, suggestion: suggest(question.to), ...about },
  }
}

/** What a chatter can do, and say to its person, where there is no answer. */
function suggest(to: string, isAsked = true): string {
  if (to === HUMAN) return 'Leave the question for your user with escalate, and go on without it'
  const told = isAsked ? 'did not answer' : 'cannot answer'
  const late = isAsked ? '. A late answer comes into your inbox' : ''
  return `Tell your user that @${to} ${told} and why; look at it with status, go on without it, or ask somebody else${late}`
}

function bodyOf({
  message,
  context,
  ...more
}: {
  message: string
  context?: string | object | undefined
  user_intent?: string | undefined
  previous_decisions?: string[] | undefined
  constraints?: string[] | undefined
  focus_areas?: string[] | undefined
}): string {
  const { user_intent, previous_decisions, constraints, focus_areas } = more
  const known = typeof context === 'object' ? context : { context }
  const sections = { user_intent, ...known, previous_decisions, constraints, focus_areas }
  return [message, ...sectionsOf(sections)].join('\n\n')
}
