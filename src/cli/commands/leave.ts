import type { Command } from 'commander'
import { tellAgent } from '../../bus/bell.ts'
import { readSessions } from '../../bus/registry.ts'
import { unreadCount } from '../../bus/unread.ts'
import { leave } from '../../session/join.ts'
import { addCommand } from '../command.ts'
import { whoAmI } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { unknownSession } from '../recipient.ts'
import { plural } from '../render/text.ts'

export type Left = { name: string; unread: number }

export function leaveCommand(program: Command, ports: Ports, run = runLeave): void {
  addCommand(
    program,
    'leave',
    'unregister a session and stop its watcher; unread messages stay',
    'agent-chat leave frontend',
  )
    .argument('[name]', 'the session, where nothing else tells')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const left = await run(name, ports)
      if (options.json) return ports.print(`${JSON.stringify(left)}\n`)
      ports.print(
        `@${left.name} has left${left.unread === 0 ? '' : `; ${plural(left.unread, 'unread message')} kept`}\n`,
      )
    })
}

/** Unregisters a session. Throws `SESSION_UNKNOWN` where none of that name is registered. */
export async function runLeave(argument: string | undefined, ports: Pick<Ports, 'env' | 'bus' | 'say'>): Promise<Left> {
  const bus = ports.bus()
  const warn = (text: string) => ports.say(`agent-chat: ${text}`)
  const { name } = whoAmI(ports, argument, 'name the session: agent-chat leave <name>; see them with: agent-chat who')
  if (!(await leave(name, { bus, warn }))) throw unknownSession(name, Object.keys(readSessions(bus.home)))
  const claude = Number(ports.env.CLAUDE_PID)
  if (Number.isSafeInteger(claude) && claude > 1) tellAgent(bus.home, claude)
  return { name, unread: unreadCount(bus.home, name) }
}
