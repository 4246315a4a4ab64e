import type { Circle } from '../../bus/index/asks.ts'
import { readSessions, type Session } from '../../bus/names/registry.ts'
import { CodedError, type ErrorCode } from '../../errors.ts'
import { hostOf } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { isAlive } from '../../session/roster.ts'
import { answersAsWorker, cannotAnswer, comesBack, isWorker } from '../../session/workers.ts'
import type { Ports } from '../ports.ts'
import type { NoAnswer } from './answer.ts'

/**
 * Throws, before anything is sent, where nobody would answer: `SESSION_GONE` for a session whose
 * agent has ended, `HUMAN_UNREACHABLE`.
 */
export async function requireAnswerer(
  to: string,
  ports: Pick<Ports, 'bus' | 'env' | 'tmux'>,
): Promise<void> {
  const bus = ports.bus()
  // Nobody here knows: the answer comes when that machine has sent it.
  if (hostOf(to) !== undefined) return
  if (to !== HUMAN) {
    const session = readSessions(bus.home)[to]
    if (answersAsWorker(bus, to)) requireAble(to, bus)
    if (session ? await isThere(session, ports) : !isWorker(bus.home, to)) return
    if (comesBack(bus, to)) return
    if (answersAsWorker(bus, to))
      throw new CodedError('SESSION_GONE', `the worker @${to} does not run; nothing was asked`, {
        hint: `start it with: agent-chat up ${to}`,
      })
    const other = isWorker(bus.home, to)
      ? `; or start the worker of that name: agent-chat up ${to}`
      : ''
    throw new CodedError('SESSION_GONE', `@${to} is gone: its agent has ended; nothing was asked`, {
      hint: `to leave the question for when it starts again: agent-chat send @${to} --question "…"${other}`,
    })
  }
  const { canTell } = await import('../../doorbell/human.ts')
  if (await canTell({ bus, env: ports.env, tmux: ports.tmux })) return
  throw new CodedError('HUMAN_UNREACHABLE', 'your user cannot be notified now; nothing was asked', {
    hint: 'to leave it in their inbox without waiting: agent-chat escalate "…", or agent-chat send @human --question "…"',
  })
}

/** Throws `SESSION_GONE` for a worker that answers nothing before somebody looks after it. */
function requireAble(to: string, bus: ReturnType<Ports['bus']>): void {
  const why = cannotAnswer(bus, to)
  if (why === undefined) return
  throw new CodedError(
    'SESSION_GONE',
    `the worker @${to} cannot answer: ${why}; nothing was asked`,
    {
      hint: `see it with: agent-chat health; to leave the question for when it can: agent-chat send @${to} --question "…"`,
    },
  )
}

async function isThere(
  session: Session,
  { bus, tmux }: Pick<Ports, 'bus' | 'tmux'>,
): Promise<boolean> {
  return (await isAlive(session, { processes: bus().processes, tmux })) !== 'gone'
}

/** Nobody waits for their own answer. */
export function asksItself(name: string): CodedError {
  return new CodedError('USAGE', `@${name} cannot ask itself`, {
    hint: 'see who is there with: agent-chat who',
  })
}

/** Only a question has an answer that one can wait for. */
export function noQuestion({ id, kind, to }: Message): CodedError {
  return new CodedError('USAGE', `${shortId(id)} is a ${kind}, not a question`, {
    hint:
      kind === 'task'
        ? `see its state with: agent-chat thread ${shortId(id)}`
        : `to ask something about it: agent-chat ask @${to} "…"`,
  })
}

/** What is told of an end without an answer. The question stands in each case. */
export function endError(
  question: Pick<Message, 'id' | 'to'>,
  end: NoAnswer,
  seconds: number,
): CodedError {
  const { code, message, hint } = textOf(question, end, seconds)
  const { heldChain, wrote } = end
  const other =
    wrote === undefined
      ? hint
      : `@${question.to} wrote ${shortId(wrote)}: agent-chat inbox; ${hint}`
  const resume = `agent-chat ask --resume ${shortId(question.id)}`
  const before =
    heldChain === undefined
      ? other
      : `the guardrails hold an answer; your user can release it: agent-chat release ${shortId(heldChain)}; then`
  return new CodedError(code, message, { hint: `${before}: ${resume}` })
}

function textOf({ id, to }: Pick<Message, 'id' | 'to'>, end: NoAnswer, seconds: number): EndText {
  switch (end.outcome) {
    case 'idle':
      return {
        code: 'NO_ANSWER',
        message: `@${to} finished its turn without answering ${shortId(id)}`,
        hint: 'the question stays open, and its user can ask it to answer; to keep waiting',
      }
    case 'asking':
      return {
        code: 'NO_ANSWER',
        message: `@${to} has a dialog open and waits for its user, so ${shortId(id)} has no answer`,
        hint: `answer the dialog in the terminal of @${to}, then`,
      }
    case 'gone':
      if (end.other.why !== undefined)
        return {
          code: 'SESSION_GONE',
          message: `the worker @${to} cannot answer ${shortId(id)}: ${end.other.why}`,
          hint: `it finds the question in its inbox when it can; see it with: agent-chat health; to keep waiting`,
        }
      return {
        code: 'SESSION_GONE',
        message: `@${to} has left, or its agent has ended, without answering ${shortId(id)}`,
        hint: `@${to} finds the question in its inbox when it is back; to keep waiting`,
      }
    case 'timed out':
      return {
        code: 'TIMED_OUT',
        message: `no answer from @${to} to ${shortId(id)} within ${seconds} s${doing(end.other)}`,
        hint: 'the question stays open, and the answer comes as a message; to keep waiting',
      }
    case 'interrupted':
      return {
        code: 'INTERRUPTED',
        message: `stopped waiting for the answer of @${to} to ${shortId(id)}`,
        hint: 'the question stays open, and the answer comes as a message; to wait again',
      }
  }
}

/** A hint ends in the command that waits on. */
type EndText = { code: ErrorCode; message: string; hint: string }

/**
 * To wait would close a circle: told to the one who closes it, before anything is sent. `asked`:
 * whether the question was sent before.
 */
export function circleError({ names, waiting }: Circle, asked: boolean): CodedError {
  const links = names
    .slice(1)
    .map((name, at) => `@${names[at]} waits for ${at === names.length - 2 ? 'you' : `@${name}`}`)
  const reply = `agent-chat reply ${waiting === null ? '<id>' : shortId(waiting)}`
  return new CodedError(
    'ASK_CIRCLE',
    `a circle, so nobody would ever answer: ${links.join(', ')}${asked ? '' : '; nothing was asked'}`,
    {
      hint: `first answer the question that waits for you: ${reply} "…", or ask back: ${reply} --question "…"`,
    },
  )
}

function doing({ activity, since, met, waits }: NoAnswer['other']): string {
  const known = activity !== 'unknown' && since !== undefined
  if (met !== undefined) return known ? `; it is ${activity}` : ''
  if (waits !== undefined) return `; the question is not delivered yet: ${waits}`
  return known
    ? `; it is ${activity}, and it has not seen the question yet`
    : '; it has not seen the question yet'
}
