import { record } from '../bus/history.ts'
import type { Message } from '../message/message.ts'
import { notify } from '../system/desktop.ts'
import { ringTerminal } from '../system/terminals.ts'
import { showInClients } from './human/clients.ts'
import { MEANS, type Means } from './human/means.ts'
import { humanText } from './human/text.ts'
import { findWays, type HumanPorts, type Ways } from './human/ways.ts'

/**
 * Tells the human that a message has come for them, wherever they can be reached, and records by
 * what means. Never throws, and takes about a second at the most: the message is sent all the same.
 */
export async function announce(message: Message, ports: HumanPorts): Promise<void> {
  try {
    const by = await tell(humanText(message), await findWays(ports), ports)
    if (by.length > 0) record(ports.bus, 'told', { id: message.id, by })
  } catch {
    // Whatever it was: the message lies in the inbox, and that is what its sender has to know.
  }
}

/**
 * Whether the human would be told of a message now: somebody looks at a tmux server of a session,
 * an agent runs in a terminal of its own, or there is a desktop. With `AGENT_CHAT_NOTIFY=off`, and
 * while all doorbells are paused, nobody would: who waits for the human then waits for nothing.
 */
export async function canTell(ports: HumanPorts): Promise<boolean> {
  const { clients, terminals, desktop } = await findWays(ports)
  return clients.length > 0 || terminals.length > 0 || desktop
}

/** One means that fails is none to the others. Gives those that somebody may have noticed. */
async function tell(
  text: string,
  { clients, terminals, desktop }: Ways,
  { tmux, env }: HumanPorts,
): Promise<Means[]> {
  const steps: Record<Means, () => boolean | Promise<boolean>> = {
    bell: () => terminals.map(ringTerminal).includes(true),
    desktop: () => desktop && notify(text, env),
    tmux: () => showInClients(tmux, clients, text),
  }
  const done = await Promise.allSettled(MEANS.map(async (means) => steps[means]()))
  return MEANS.filter((_, at) => done[at]?.status === 'fulfilled' && done[at].value)
}
