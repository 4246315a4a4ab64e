import type { Command } from 'commander'
import { whoSpeaks } from '../../chat/identity.ts'
import { SOURCES } from '../../session/identity.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export function whoamiCommand(program: Command, ports: Ports): void {
  addCommand(program, 'whoami', 'agent-chat whoami').action(
    async ({ json }: { json?: boolean }) => {
      const me = await whoSpeaks(ports)
      ports.print(json ? `${JSON.stringify(me)}\n` : `@${me.name} (by ${SOURCES[me.source]})\n`)
    },
  )
}
