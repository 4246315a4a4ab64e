import { existsSync } from 'node:fs'
import { waiterOf } from '../bus/asks.ts'
import { ring } from '../bus/bell.ts'
import type { Bus } from '../bus/bus.ts'
import { dropMark } from '../bus/held.ts'
import { type Draft, type Sent, type Silent, sendMessage } from '../bus/send.ts'
import { tellHeld } from '../gate/held.ts'
import type { Lineage } from '../gate/lineage.ts'
import { parseMode } from '../gate/mode.ts'
import { giveBack } from '../gate/reserve.ts'
import { noteSent, type Passed, passSend, type SendRequest } from '../gate/send.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import type { Priority } from '../message/priority.ts'
import { believedState } from '../session/stateFile.ts'
import type { Ports } from './ports.ts'

/**
 * `quiet`: why it is not worth a ring, where its sender knows that it is not. `priority`: what the sender asked for. `lineage`: what it follows from,
 * where that is nothing of its sender's turn: such a message is sent in nobody's turn, and takes nothing from the one that its sender is in. `onSent` is
 * called before anything else is done for the message: its recipient may answer at once.
 */
export type Post = Omit<Draft, 'inReplyTo' | 'chain' | 'hops' | 'silent'> & {
  answered?: Message | undefined
  quiet?: string | undefined
  priority?: Priority | undefined
  lineage?: Lineage
  onSent?: (message: Message) => void
}

/** A message that was sent, and the reason why it does not ring, if it does not. */
export type Posted = Sent & { silent?: Pick<Silent, 'ring' | 'why'> }

export type PostPorts = Pick<Ports, 'env' | 'bus' | 'say' | 'self'>

/**
 * Sends a message through the gate: every command that sends goes this way. Throws `GATE_REFUSED`; tells, on standard error, what `warn` would
 * have refused and what does not ring.
 */
export async function post(
  { answered, quiet, priority, lineage, onSent = () => {}, ...rest }: Post,
  ports: PostPorts,
): Promise<Posted> {
  const bus = ports.bus()
  const draft = priority === undefined ? rest : { ...rest, extra: { ...rest.extra, priority } }
  const request = gateRequest({ answered, ...draft, ...(lineage === undefined ? {} : { lineage }) }, ports.env, bus)
  const passed = await passSend(bus, request)
  if (passed.warning !== undefined) ports.say(`agent-chat: the gate would refuse this (${passed.warning})`)
  const { chain, hops } = passed.lineage
  const known = priority === 'quiet' ? AS_ASKED : quiet
  const silent = silentOf(passed, known) ?? awaited(bus, draft.to, answered)
  const sent = sendTaken(request, passed, ports, {
    ...draft,
    hops,
    ...(chain === undefined ? {} : { chain }),
    ...(answered === undefined ? {} : { inReplyTo: answered }),
    ...(silent === undefined ? {} : { silent }),
  })
  const warning = await warningOf(sent, [
    ['could not be noted as waited for', () => onSent(sent.message)],
    ['could not be noted by the gate', () => noteSent(bus, request, passed, sent.message)],
    ['could not be told to all who should know', () => tell(sent.message, silent, { answered, quiet: known }, ports)],
  ])
  const posted = warning === undefined ? { message: sent.message } : { message: sent.message, warning }
  return silent === undefined || silent.ring === 'awaited'
    ? posted
    : { ...posted, silent: { ring: silent.ring, why: silent.why } }
}

/** What the gate has let a message take is given back where that is not sent. */
function sendTaken(request: SendRequest, passed: Passed, { bus, say }: PostPorts, draft: Draft): Sent {
  try {
    return sendMessage(bus(), draft)
  } catch (error) {
    try {
      giveBack(bus(), request, passed)
    } catch (also) {
      say(`agent-chat: the gate counts it as sent (${also instanceof Error ? also.message : String(also)})`)
    }
    throw error
  }
}

/**
 * Takes the steps after a message was sent. What fails there, on a full disk for example, makes it no less sent, and who was told of a failure would send it
 * again: it becomes a part of the warning.
 */
async function warningOf({ warning }: Sent, steps: [what: string, step: () => unknown][]): Promise<string | undefined> {
  const warnings = warning === undefined ? [] : [warning]
  for (const [what, step] of steps) {
    try {
      await step()
    } catch (error) {
      warnings.push(`sent, but ${what} (${error instanceof Error ? error.message : String(error)})`)
    }
  }
  return warnings.length === 0 ? undefined : warnings.join('; ')
}

/** Tells who has to know of a message that was sent: the human of one that is held or is theirs, the sender of one that does not ring. */
async function tell(
  message: Message,
  silent: Silent | undefined,
  { answered, quiet }: Pick<Post, 'answered' | 'quiet'>,
  ports: PostPorts,
): Promise<void> {
  const bus = ports.bus()
  const rings = silent === undefined || (silent.ring === 'awaited' && ringAfterAll(bus, message, answered))
  const note = silent?.ring === 'held' ? tellHeld(bus, message, silent.why) : undefined
  if (note) await tellHuman(note, ports)
  if (rings && message.to === HUMAN) await tellHuman(message, ports)
  if (silent && silent.ring !== 'awaited' && silent.why !== quiet)
    ports.say(`agent-chat: ${message.id} does not ring: ${silent.why}`)
}

/**
 * Who waited may have given up just before the message came, and has then not seen it; or has read it already, and waits no more because of that.
 * Gives whether the message rings after all.
 */
function ringAfterAll(bus: Bus, { to, id }: Message, answered: Message | undefined): boolean {
  if (awaited(bus, to, answered) || !existsSync(bus.home.unread(to, id))) return false
  dropMark(bus.home, to, id)
  ring(bus.home, to)
  return true
}

/** Why a message does not ring of which its sender wanted just that. */
const AS_ASKED = 'sent --quiet'

/** By a process of its own: the sender waits for no tmux server, least of all for one that hangs. Loaded only where the human is written to. */
async function tellHuman({ id }: Message, { bus, env, self }: PostPorts): Promise<void> {
  const { announceSoon } = await import('./announce.ts')
  announceSoon(id, { bus, env, self })
}

function silentOf({ ring: { ring, why } }: Passed, quiet: string | undefined): Silent | undefined {
  if (ring === 'rings') return quiet === undefined ? undefined : { ring: 'quiet', why: quiet }
  return { ring, why }
}

/** An answer that a process of its recipient waits for needs no bell. */
function awaited(bus: Bus, to: string, answered: Message | undefined): Silent | undefined {
  const waiter = answered?.from === to ? waiterOf(bus, answered.id, to) : undefined
  return waiter && { ring: 'awaited', why: 'a command of its recipient waits for it', waiter }
}

function gateRequest(message: Post, env: NodeJS.ProcessEnv, bus: Bus): SendRequest {
  const state = () => believedState(bus.home, message.from, bus.processes)
  return {
    from: message.from,
    to: message.to,
    body: message.body,
    question: message.kind === 'question',
    answered: message.answered,
    // What the agent was started with stands: a command that it runs could say anything.
    mode: parseMode(state()?.gate ?? env.AGENT_CHAT_GATE),
    state: message.lineage === undefined ? state : () => undefined,
    ...(message.lineage === undefined ? {} : { lineage: message.lineage }),
  }
}
