import type { Command } from 'commander'
import { rename } from '../../chat/rename.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export function renameCommand(program: Command, ports: Ports): void {
  addCommand(program, 'rename', 'agent-chat rename backend payments')
    .argument('<old>', 'its current name')
    .argument('<new>', 'its new name')
    .action(async (from: string, to: string, options: { json?: boolean }) => {
      const renamed = await rename({ from, to }, ports)
      if (options.json) return ports.print(`${JSON.stringify(renamed)}\n`)
      const unread =
        renamed.unread === 0 ? '' : `; ${plural(renamed.unread, 'unread message')} kept`
      ports.print(`@${renamed.from} is @${renamed.name} now${unread}\n`)
    })
}
