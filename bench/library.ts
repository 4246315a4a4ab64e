import { ensureHome, ensureInbox, homeAt } from '../src/bus/home.ts'
import { sendMessage } from '../src/bus/mail/send.ts'
import { systemClock } from '../src/system/clock.ts'
import { systemProcesses } from '../src/system/processes.ts'

/**
 * What a program that holds the bus as a library sends with: from one name to another, and to no
 * gate. Gives the message's id.
 */
export type Sender = (from: string, to: string, body: string) => string

/**
 * The bus of the home at `root`, which is made where it is missing, with an inbox for each of these
 * sessions.
 */
export function openSender(root: string, names: string[]): Sender {
  const home = homeAt(root)
  ensureHome(home)
  for (const name of names) ensureInbox(home, name)
  const bus = { home, clock: systemClock(), processes: systemProcesses() }
  return (from, to, body) => sendMessage(bus, { from, to, kind: 'handover', body }).message.id
}
