import { answersTo } from '../../bus/index/threads.ts'
import { isDelivered, markRead } from '../../bus/mail/inbox.ts'
import { escalateAs } from '../../chat/escalate.ts'
import { type PostPorts, post } from '../../chat/post.ts'
import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { visibleLine } from '../../message/visible.ts'
import {
  askedOf,
  callDigest,
  findAsked,
  noteAsked,
  refuseAnswer,
  spendAsked,
} from '../../session/asked.ts'
import { isWord } from '../../session/words.ts'
import { hintOnChanges } from '../../system/hints.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import { createWaker } from '../../system/waker.ts'
import { countOf, whyNoneCounts } from '../../trust/human/answers.ts'
import type { Call } from './call.ts'
import { choiceOf, contextOf, type Offer, optionsFor, questionOf } from './text.ts'

/**
 * `yes` to this call; to the `rest` of the turn, or the `like` of it, as well; `always` to the
 * command that was `offered`, by its digest; `none` where the wait ended before.
 */
export type Answer =
  | { kind: 'yes' | 'like' | 'rest' | 'none'; number: number }
  | { kind: 'always'; number: number; offered: string }
  | { kind: 'no'; number: number; words: string }

/**
 * `message`: the one that the turn is about. `signal`: ends the wait. `keepsYes`: a yes is left for
 * the next who asks about this call.
 */
export type AskRequest = {
  name: string
  call: Call
  message: Message
  cwd: string
  limitMs: number
  onWait: (reason: string | undefined) => void
  signal: AbortSignal
  keepsYes?: boolean
  offer?: Offer
}

/**
 * The backup of file events: how often the files are looked at where none came. In milliseconds.
 */
const SCAN_MS = 5000

/**
 * Puts a call to the human as a decision, and waits for their answer. The same call of the same
 * message, made again after a crash, goes on with the decision of before. Only an answer that the
 * human typed counts; the first one does. None does under `AGENT_CHAT_HUMAN=ask`.
 */
export async function askHuman(request: AskRequest, ports: PostPorts): Promise<Answer> {
  const { name, call, message, onWait } = request
  const { home } = ports.bus()
  const digest = callDigest(call.tool, call.input)
  const decision = findAsked(home, name, digest, message) ?? (await put(request, digest, ports))
  noteAsked(home, name, decision.id, ports.env.AGENT_CHAT_HUMAN === 'ask' ? 'ask' : undefined)
  const number = escalationOf(decision)?.number ?? 0
  onWait(`waits for your decision ${number}: agent-chat reply ${number} 1`)
  try {
    const answer = await answerOf(decision, request, ports)
    if (answer === undefined) return { kind: 'none', number }
    const said = { number, ...meaning(answer, decision) }
    if (request.keepsYes && said.kind !== 'no') return said
    spendAsked(home, name, decision.id)
    markRead(ports.bus(), name, answer.id)
    return said
  } finally {
    onWait(undefined)
  }
}

async function put(request: AskRequest, digest: string, ports: PostPorts): Promise<Message> {
  const { name, call, message, cwd, offer = {} } = request
  const escalated = await escalateAs(
    name,
    {
      question: questionOf(call),
      options: optionsFor(offer),
      context: contextOf(call, message, cwd),
      extra: {
        ...{ permission: digest, about: message.id },
        ...(offer.always && { always: offer.always.digest }),
      },
      // The program asks, not the model: it is no message of the turn's own.
      lineage: { chain: message.chain, hops: 0 },
    },
    ports,
  )
  return escalated.message
}

/** The first answer that the human typed; undefined where there is none in time. */
async function answerOf(
  decision: Message,
  { name, limitMs, signal }: AskRequest,
  ports: PostPorts,
): Promise<Message | undefined> {
  const bus = ports.bus()
  const { home } = bus
  const waker = createWaker()
  const left = timeLeft(limitMs)
  const stopHints = hintOnChanges(
    [{ directory: home.inbox(name) }, { directory: home.bell(name) }],
    waker.wake,
  )
  signal.addEventListener('abort', waker.wake)
  try {
    for (;;) {
      // One that is on its way is no word of the human's yet: that note is about what was delivered.
      const answers = answersTo(home, decision, HUMAN).filter((one) => isDelivered(home, one))
      const counted = answers.map((answer) => [answer, countOf(bus, decision, answer)] as const)
      const typed = counted.find(([{ id }, count]) => count === 'yes' && isWord(home, name, id))
      if (typed) return typed[0]
      for (const [{ id }, count] of counted)
        if (count !== 'held' && !askedOf(home, name, decision.id)?.refused?.includes(id))
          await tellUncounted(id, decision, name, ports)
      if (signal.aborted || left() <= 0) return undefined
      await waker.sleep(Math.min(SCAN_MS, Math.max(1, left())))
    }
  } finally {
    signal.removeEventListener('abort', waker.wake)
    stopHints()
  }
}

async function tellUncounted(
  id: string,
  decision: Message,
  name: string,
  ports: PostPorts,
): Promise<void> {
  const number = escalationOf(decision)?.number
  const why =
    whyNoneCounts(ports.bus(), decision, ports.env) ?? 'it did not come from a terminal of yours'
  refuseAnswer(ports.bus().home, name, decision.id, id)
  markRead(ports.bus(), name, id)
  await post(
    {
      from: name,
      to: HUMAN,
      kind: 'note',
      body: `The answer to decision ${number} does not count: ${why}. The decision stays open. Answer in the console, or type in a shell: agent-chat reply ${number} 1`,
      lineage: { chain: decision.chain, hops: 0 },
    },
    ports,
  )
}

/** Words that are no plain yes are a no, with the reason for the model. */
function meaning(
  { body, extra }: Message,
  decision: Message,
):
  | { kind: 'yes' | 'like' | 'rest' }
  | { kind: 'always'; offered: string }
  | { kind: 'no'; words: string } {
  const choice = typeof extra.choice === 'string' ? Number(extra.choice) : 0
  const chosen = choiceOf(escalationOf(decision)?.options[choice - 1])
  if (chosen === 'always') return { kind: 'always', offered: String(decision.extra.always) }
  if (chosen === 'yes' || /^\s*(yes|y)\s*[.!]?\s*$/i.test(body)) return { kind: 'yes' }
  if (chosen === 'rest' || chosen === 'like') return { kind: chosen }
  const plain = chosen === 'no' || /^\s*(no|n)\s*[.!]?\s*$/i.test(body)
  return { kind: 'no', words: plain ? '' : visibleLine(body.trim()) }
}
