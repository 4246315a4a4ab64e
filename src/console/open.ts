import { ensureHome } from '../bus/home.ts'
import { whoMaybe } from '../chat/identity.ts'
import { parseMeans } from '../doorbell/human/means.ts'
import { CodedError } from '../errors.ts'
import { HUMAN } from '../message/name.ts'
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
  requireOwnPlace(ports)
  ensureHome(ports.bus().home)
  if (options.popup) return openPopup(options.to, ports)
  const bell = parseMeans(ports.env.AGENT_CHAT_NOTIFY).includes('bell')
  if (options.plain || options.json || !(await canDraw(ports))) return runPlain(options, ports)
  await runScreen(options.to, bell, ports)
}

/** What is typed here is the human's word, so no agent may have the console. */
function requireOwnPlace(ports: Ports): void {
  const me = whoMaybe(ports)
  const agent =
    me !== undefined && me.name !== HUMAN ? `this is the place of @${me.name}` : undefined
  const why =
    agent ?? (ports.env.CLAUDECODE || ports.env.CLAUDE_PID ? 'an agent runs this' : undefined)
  if (why === undefined) return
  throw new CodedError('GATE_REFUSED', `agent-chat console is for your user only, and ${why}`, {
    hint: 'open it in a terminal outside any session; if a session here has ended: agent-chat leave <name>',
  })
}

async function canDraw({ env, isTerminal }: Ports): Promise<boolean> {
  if (env.TERM === undefined || env.TERM === '' || env.TERM === 'dumb') return false
  return (await isTerminal('stdin')) && (await isTerminal('stdout'))
}
