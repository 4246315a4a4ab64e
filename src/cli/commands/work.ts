import type { Command } from 'commander'
import { parseSessionName } from '../../message/name.ts'
import { requireDefinition } from '../../worker/definition/list.ts'
import { systemParts } from '../../worker/systemParts.ts'
import { work } from '../../worker/work.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { shownText } from '../render/work.ts'

const MORE = `
The worker is defined in $AGENT_CHAT_HOME/agents/<name>.md: see agent-chat help agents.
It takes one message after the other. Ctrl-C ends it at once; what it was working on stays unread.`

export function workCommand(program: Command, ports: Ports): void {
  addCommand(program, 'work', 'agent-chat work researcher')
    .argument('<worker>', 'the worker')
    .addOption(program.createOption('--supervised', 'run for the supervisor').hideHelp())
    .addHelpText('after', MORE)
    .action(async (given: string, { json }: { json?: boolean }) => {
      const name = parseSessionName(given)
      const text = shownText(name)
      const end = await work(
        {
          name,
          define: () => requireDefinition(name, ports),
          parts: (definition, cwd, onWait) => systemParts(definition, cwd, onWait, ports),
          show: (shown) => ports.print(json ? `${JSON.stringify(shown)}\n` : text(shown)),
        },
        ports,
      )
      if (!json)
        ports.print(
          end.end === 'idle' ? `@${name} was idle and has ended\n` : `@${name} has ended\n`,
        )
    })
}
