import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { waiterOf } from '../bus/index/asks.ts'
import { ring } from '../bus/mail/bell.ts'
import type { Draft, Silent } from '../bus/mail/draft.ts'
import { dropMark } from '../bus/mail/marks.ts'
import { type Sent, sendMessage, thenTry } from '../bus/mail/send.ts'
import { tellHeld } from '../gate/held.ts'
import type { SendRequest } from '../gate/judge.ts'
import { passThrough } from '../gate/pass.ts'
import type { RingVerdict } from '../gate/rules.ts'
import { hostOf } from '../message/address.ts'
import { messageJson } from '../message/json.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import type { Priority } from '../message/priority.ts'
import { shortId } from '../message/shortId.ts'
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
    onSent?: (message: Message) => void
  }

/** A message that was sent, and the reason why it does not ring, if it does not. */
export type Posted = Sent & { silent?: Silent | undefined }

export type PostPorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'self' | 'typed' | 'pressed'>

/** Why a message does not ring that its sender sent so. */
const AS_ASKED = 'sent --quiet'

/**
 * Sends a message through the gate: every command that sends goes this way. Throws as
 * `passThrough()` and `sendMessage()`; tells what `warn` would have refused and what does not ring.
 */
export async function post(
  { answered, quiet, priority, lineage, onSent = () => {}, ...rest }: Post,
  ports: PostPorts,
): Promise<Posted> {
  const bus = ports.bus()
  const draft = priority === undefined ? rest : { ...rest, extra: { ...rest.extra, priority } }
  const known = priority === 'quiet' ? AS_ASKED : quiet
  const note = draft.from === HUMAN && lineage === undefined ? await wordOf(ports) : undefined
  const posted = await passThrough(ports, { ...draft, answered, lineage }, async (judged) => {
    const silent = silentOf(judged.ring, known) ?? awaited(bus, draft.to, answered)
    const whole = { ...draft, ...judged.lineage, inReplyTo: answered, silent }
    const sent = sendMessage(bus, whole, note && { note, failed: 'recorded as typed by you' })
    return thenTry({ ...sent, silent }, 'could not be recorded as waited for', () =>
      onSent(sent.message),
    )
  })
  const { silent, ...sent } = await thenTry(
    posted,
    'could not notify everyone who should know',
    () => tellOf(posted, { answered, quiet: known }, ports),
  )
  await reviveWatcher(ports)
  return silent === undefined || silent.ring === 'awaited' ? sent : { ...sent, silent }
}

/**
 * How to note what the human typed at a place of their own or in the room, or undefined where they
 * did not. Loaded only for them.
 */
async function wordOf({
  env,
  bus,
  typed,
  pressed,
}: Pick<PostPorts, 'env' | 'bus' | 'typed' | 'pressed'>): Promise<
  ((message: Message) => void) | undefined
> {
  if (env.AGENT_CHAT_HUMAN === 'ask') return undefined
  if (!pressed && (env.CLAUDECODE || env.CLAUDE_PID)) return undefined
  const [{ isTyped }, { noteWord }] = await Promise.all([
    import('../session/typed.ts'),
    import('../session/words.ts'),
  ])
  const isWord = typed || pressed || isTyped(bus().processes)
  return isWord ? (message) => noteWord(bus(), message) : undefined
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
  if (silent && silent.ring !== 'awaited' && silent.why !== quiet)
    ports.notice(
      `${shortId(message.id)} ${away ? 'does not ring there' : 'is stored, not delivered yet'}: ${silent.why}`,
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
