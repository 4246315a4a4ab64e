import type { Command } from 'commander'
import { leaveAs } from '../../chat/join.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export function leaveCommand(program: Command, ports: Ports): void {
  addCommand(program, 'leave', 'agent-chat leave frontend')
    .argument('[name]', 'the session (default: this one)')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const left = await leaveAs(name, ports)
      if (options.json) return ports.print(`${JSON.stringify(left)}\n`)
      ports.print(
        `@${left.name} has left${left.unread === 0 ? '' : `; ${plural(left.unread, 'unread message')} kept`}\n`,
      )
    })
}
