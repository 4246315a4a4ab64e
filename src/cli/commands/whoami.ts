import type { Command } from 'commander'
import { whoSpeaks } from '../../chat/identity.ts'
import { SOURCES } from '../../session/identity.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

const HINT = 'join first with: agent-chat join <name>; at a terminal of your own you are @human'

export function whoamiCommand(program: Command, ports: Ports): void {
  addCommand(program, 'whoami', 'agent-chat whoami').action(
    async ({ json }: { json?: boolean }) => {
      const me = await whoSpeaks(ports, undefined, undefined, HINT)
      ports.print(json ? `${JSON.stringify(me)}\n` : `@${me.name} (by ${SOURCES[me.source]})\n`)
    },
  )
}
