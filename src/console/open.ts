import { ensureHome } from '../bus/home.ts'
import { requireOwnPlace } from '../chat/human.ts'
import { parseMeans } from '../doorbell/human/means.ts'
import { openPopup } from './popup.ts'
import type { Ports, RoomOptions } from './ports.ts'
import { runPlain } from './runPlain.ts'
import { runScreen } from './runScreen.ts'

/**
 * Opens the human's room until they leave it: on the whole screen of a terminal, else as plain
 * lines. Throws `GATE_REFUSED` where this is an agent's place, and what a command throws for a home
 * that cannot be used.
 */
export async function openConsole(options: RoomOptions, ports: Ports): Promise<void> {
  requireOwnPlace('console', ports)
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
