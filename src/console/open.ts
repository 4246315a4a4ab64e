import { ensureHome } from '../bus/home.ts'
import { requireHuman } from '../chat/human.ts'
import { parseMeans } from '../doorbell/human/means.ts'
import { personHere } from '../trust/human/person.ts'
import { openPopup } from './popup.ts'
import type { Ports, RoomOptions } from './ports.ts'
import { runPlain } from './runPlain.ts'
import { runScreen } from './runScreen.ts'

/**
 * Opens the human's room until they leave it: on the whole screen of a terminal, else as plain
 * lines. Throws `GATE_REFUSED` where this is an agent's place, and what a command throws for a home
 * that cannot be used.
 */
export async function openConsole(options: RoomOptions, given: Ports): Promise<void> {
  requireHuman('console', given)
  const ports = await withKeys(given)
  ensureHome(ports.bus().home)
  if (options.popup) return openPopup(options.to, ports)
  const bell = parseMeans(ports.env.AGENT_CHAT_NOTIFY).includes('bell')
  if (options.plain || options.json || !(await canDraw(ports))) return runPlain(options, ports)
  await runScreen(options.to, bell, ports)
}

async function canDraw({ env, isTerminal }: Ports): Promise<boolean> {
  if (env.TERM === undefined || env.TERM === '' || env.TERM === 'dumb') return false
  return (await isTerminal('stdin')) && (await isTerminal('stdout'))
}

/** Keys that are pressed here are the human's, also in a popup or pane that tmux has started. */
async function withKeys(ports: Ports): Promise<Ports> {
  if (personHere(ports).is !== 'you' || !(await ports.isTerminal('stdin'))) return ports
  return { ...ports, typed: 'terminal' }
}
