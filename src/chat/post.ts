import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { liveAsks, waiterOf } from '../bus/index/asks.ts'
import { ring } from '../bus/mail/bell.ts'
import type { Draft, Silent } from '../bus/mail/draft.ts'
import { dropMark } from '../bus/mail/marks.ts'
import { type Sent, sendMessage, thenTry } from '../bus/mail/send.ts'
import { hostOf } from '../message/address.ts'
import { messageJson } from '../message/json.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import type { Priority } from '../message/priority.ts'
import { UNPROVEN } from '../message/proven.ts'
import { shortId } from '../message/shortId.ts'
import { progressIn } from '../message/task.ts'
import { plural } from '../message/text.ts'
import { whyNotWoken } from '../session/hooksOff.ts'
import { subagentHere } from '../session/subagentCalls.ts'
import { tellHeld } from '../trust/sendGate/held.ts'
import type { SendRequest } from '../trust/sendGate/judge.ts'
import { readLedger } from '../trust/sendGate/ledger.ts'
import { passThrough } from '../trust/sendGate/pass.ts'
import type { RingVerdict } from '../trust/sendGate/rules.ts'
import type { Ports } from './ports.ts'
import { reviveWatcher } from './revive.ts'

/**
 * A message to be sent. `quiet`: why it is not worth a ring, where its sender knows that it is not.
 * `priority`: what the sender asked for. `onSent` is called before anything else is done for the
 * message that was sent: its recipient may answer at once.
 */
export type Post = Omit<Draft, 'inReplyTo' | 'chain' | 'hops' | 'silent'> &
  SendRequest & {
    quiet?: string | undefined
    priority?: Priority | undefined
    /** The human gave these words before: a schedule of theirs sends them. */
    given?: true
    onSent?: (message: Message) => void
  }

/** A message that was sent, and the reason why it does not ring, if it does not. */
export type Posted = Sent & { silent?: Silent | undefined }

export type PostPorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'self' | 'typed' | 'pressed'>

/** The state of a task is no news to ring for. */
export const ONLY_PROGRESS: Silent = { ring: 'quiet', why: 'it only reports progress' }

/** Why a message does not ring that its sender sent so. */
const AS_ASKED = 'sent --quiet'

/**
 * Sends a message through the gate: every command that sends goes this way. Throws as
 * `passThrough()` and `sendMessage()`; tells what `warn` would have refused and what does not ring.
 */
export async function post(
  { answered, quiet, priority, lineage, given, onSent = () => {}, ...rest }: Post,
  ports: PostPorts,
): Promise<Posted> {
  const bus = ports.bus()
  const own = rest.from === HUMAN && lineage === undefined && !given
  const { note, unproven } = own ? await saidBy({ ...rest, answered }, ports) : {}
  const extra = {
    ...rest.extra,
    ...(priority !== undefined && { priority }),
    ...(unproven === undefined ? bySubagent(rest.from, ports) : UNPROVEN),
  }
  const draft = Object.keys(extra).length === 0 ? rest : { ...rest, extra }
  const isProgress = progressIn({ ...draft, inReplyTo: answered?.id }) !== undefined
  const known = isProgress ? ONLY_PROGRESS.why : priority === 'quiet' ? AS_ASKED : quiet
  const request = {
    ...draft,
    answered,
    lineage,
    ...(unproven !== undefined && asUnproven(answered)),
  }
  const posted = await passThrough(ports, request, async (judged) => {
    const silent = isProgress
      ? ONLY_PROGRESS
      : (silentOf(judged.ring, known) ?? awaited(bus, draft.to, answered))
    const whole = { ...draft, ...judged.lineage, inReplyTo: answered, silent }
    const sent = sendMessage(bus, whole, note && { note, failed: 'recorded as typed by you' })
    return thenTry({ ...sent, silent }, 'could not be recorded as waited for', () =>
      onSent(sent.message),
    )
  })
  const { silent, ...sent } = await thenTry(
    posted,
    'could not notify everyone who should know',
    async () => {
      await tellOf(posted, { answered, quiet: known }, ports)
      await tellOpen(posted.message, answered, ports)
    },
  )
  if (unproven !== undefined) ports.notice(`sent in the name of @${HUMAN}, not proven: ${unproven}`)
  await reviveWatcher(ports)
  return silent === undefined || silent.ring === 'awaited' ? sent : { ...sent, silent }
}

/**
 * Words in the human's name, which no session's own lineage covers: how to note them where they were
 * typed at a place of theirs, or that they are not proven. Loaded only for them. Throws
 * `GATE_REFUSED` for an answer to a decision that does not count.
 */
async function saidBy(
  { kind, answered }: Pick<Post, 'kind' | 'answered'>,
  ports: PostPorts,
): Promise<{ note?: (message: Message) => void; unproven?: string }> {
  const [{ whyUnproven }, { noteWord }, { escalationOf }] = await Promise.all([
    import('../trust/human/person.ts'),
    import('../session/words.ts'),
    import('../message/escalation.ts'),
  ])
  const noted = () =>
    ports.env.AGENT_CHAT_HUMAN === 'ask'
      ? {}
      : { note: (message: Message) => noteWord(ports.bus(), message) }
  if (kind !== 'question' && answered && escalationOf(answered)) {
    const { requireCounting } = await import('./human.ts')
    // What was confirmed with a key is theirs, whatever started the command.
    requireCounting(answered, ports)
    return noted()
  }
  const unproven = whyUnproven(ports)
  return unproven === undefined ? noted() : { unproven }
}

/** A session speaks through its subagents, too: a message says which. */
function bySubagent(from: string, { bus, env }: PostPorts): Message['extra'] {
  const caller = subagentHere(from, bus(), env)
  return caller ? { subagent: caller.type ?? caller.agent } : {}
}

/** What is not proven to be the human's word goes on with the hops of a message. */
function asUnproven(answered: Message | undefined): Pick<Post, 'lineage'> {
  return { lineage: { chain: answered?.chain, hops: (answered?.hops ?? 0) + 1 } }
}

/** A message that was sent, as data. */
export function postedJson({ message, silent }: Posted): Record<string, unknown> {
  return { ...messageJson(message), ...silent }
}

/** Tells the human of a message that is held or theirs, the sender of one that does not ring. */
export async function tellOf(
  { message, silent }: Pick<Posted, 'message' | 'silent'>,
  { answered, quiet }: Pick<Post, 'answered' | 'quiet'>,
  ports: PostPorts,
): Promise<void> {
  const bus = ports.bus()
  const rings =
    silent === undefined || (silent.ring === 'awaited' && ringAfterAll(bus, message, answered))
  const away = hostOf(message.to) !== undefined
  // Its recipient's machine holds it, and tells its own user.
  const note = silent?.ring === 'held' && !away ? tellHeld(bus, message, silent.why) : undefined
  if (note) await tellHuman(note, ports)
  if (rings && message.to === HUMAN) await tellHuman(message, ports)
  const off = rings && !away ? whyNotWoken(message.to, bus) : undefined
  if (off !== undefined)
    ports.notice(`${shortId(message.id)} is stored, and @${message.to} is not woken: ${off}`)
  if (silent && silent.ring !== 'awaited' && silent.why !== quiet) {
    const here = message.to === HUMAN ? 'is in their inbox' : 'is stored, not delivered yet'
    ports.notice(`${shortId(message.id)} ${away ? 'does not ring there' : here}: ${silent.why}`)
  }
}

/**
 * Tells a sender whose recipient has a question open with them that this message is no answer to
 * it. A message that answers a question of the recipient is one. Loaded only where there is one.
 */
async function tellOpen(
  { from, to }: Message,
  answered: Message | undefined,
  { bus, notice }: Pick<PostPorts, 'bus' | 'notice'>,
): Promise<void> {
  if (hostOf(to) !== undefined || (answered?.kind === 'question' && answered.from === to)) return
  const here = bus()
  const waited = liveAsks(here).flatMap((ask) =>
    ask.from === to && ask.to === from ? [ask.id] : [],
  )
  const { questions } = readLedger(here.home, to)
  const asked = Object.hasOwn(questions, from) ? questions[from]?.id : undefined
  const ids = [...waited, asked].flatMap((id) => id || [])
  if (ids.length === 0) return
  const { openBetween } = await import('../trust/sendGate/questions.ts')
  const open = openBetween(here, ids, to, from)
  if (open.length === 0) return
  const replies = open.map(({ id }) => `agent-chat reply ${shortId(id)} "…"`).join('; or ')
  const what = open.length === 1 ? 'a question' : plural(open.length, 'question')
  notice(
    `@${to} has ${what} open with you, and this message does not answer it; to answer: ${replies}`,
  )
}

/**
 * Rings for a message whose recipient gave up waiting just before it came, and has then not seen
 * it. A recipient who waits no more because they have read it needs no ring. Gives whether it rang.
 */
function ringAfterAll(bus: Bus, { to, id }: Message, answered: Message | undefined): boolean {
  if (awaited(bus, to, answered) || !existsSync(bus.home.unread(to, id))) return false
  dropMark(bus.home, to, id)
  ring(bus, to)
  return true
}

/**
 * Tells the human, by a process of its own: the sender waits for no tmux server, least of all for
 * one that hangs. Loaded only where the human is written to.
 */
async function tellHuman({ id }: Message, { bus, env, self }: PostPorts): Promise<void> {
  const { announceSoon } = await import('./announce.ts')
  announceSoon(id, { bus, env, self })
}

function silentOf({ ring, why }: RingVerdict, quiet: string | undefined): Silent | undefined {
  if (ring === 'rings') return quiet === undefined ? undefined : { ring: 'quiet', why: quiet }
  return { ring, why }
}

/** An answer that a process of its recipient waits for needs no bell. */
function awaited(bus: Bus, to: string, answered: Message | undefined): Silent | undefined {
  const waiter = answered?.from === to ? waiterOf(bus, answered.id, to) : undefined
  return waiter && { ring: 'awaited', why: 'its recipient is waiting for it', waiter }
}
