import type { Command } from 'commander'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

const MORE = `
An agent's program starts this: write it into its configuration with: agent-chat setup --mcp
It serves tools (send, inbox, reply, consult, assign_task, …), resources and prompts, as the session
that started it: see docs/mcp.md.`

const AT_A_TERMINAL =
  'the program of an agent starts this; Ctrl-C ends it. To have yours start it: agent-chat setup --mcp'

export function mcpCommand(program: Command, ports: Ports): void {
  addCommand(program, 'mcp', 'agent-chat mcp')
    .addHelpText('after', MORE)
    .action(async () => {
      if (await ports.isTerminal('stdin')) ports.notice(AT_A_TERMINAL)
      return (await import('../../mcp/serve.ts')).serveMcp(ports)
    })
}
