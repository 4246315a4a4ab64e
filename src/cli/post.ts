import type { Bus } from '../bus/bus.ts'
import { type Draft, type Sent, sendMessage } from '../bus/send.ts'
import { tellHeld } from '../gate/held.ts'
import { parseMode } from '../gate/mode.ts'
import { noteSent, passSend, type SendRequest } from '../gate/send.ts'
import type { Message } from '../message/message.ts'
import { believedState } from '../session/stateFile.ts'
import type { Ports } from './ports.ts'

export type Post = Omit<Draft, 'inReplyTo' | 'chain' | 'hops' | 'silent'> & { answered: Message | undefined }

/** A message that was sent, and the reason why it does not ring, if it does not. */
export type Posted = Sent & { silent?: { ring: 'held' | 'quiet'; why: string } }

/**
 * Sends a message through the gate: every command that sends goes this way. Throws `GATE_REFUSED`; tells, on standard error, what `warn` would
 * have refused and what does not ring.
 */
export async function post({ answered, ...draft }: Post, ports: Pick<Ports, 'env' | 'bus' | 'say'>): Promise<Posted> {
  const bus = ports.bus()
  const request = gateRequest({ answered, ...draft }, ports.env, bus)
  const passed = await passSend(bus, request)
  if (passed.warning !== undefined) ports.say(`agent-chat: the gate would refuse this (${passed.warning})`)
  const { chain, hops } = passed.lineage
  const silent = passed.ring.ring === 'rings' ? undefined : { ring: passed.ring.ring, why: passed.ring.why }
  const sent = sendMessage(bus, {
    ...draft,
    hops,
    ...(chain === undefined ? {} : { chain }),
    ...(answered === undefined ? {} : { inReplyTo: answered }),
    ...(silent === undefined ? {} : { silent }),
  })
  noteSent(bus, request, passed, sent.message)
  if (silent?.ring === 'held') tellHeld(bus, sent.message, silent.why)
  if (silent !== undefined) ports.say(`agent-chat: ${sent.message.id} does not ring: ${silent.why}`)
  return { ...sent, ...(silent === undefined ? {} : { silent }) }
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
    state,
  }
}
