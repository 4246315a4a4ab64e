import type { Command } from 'commander'
import { parseName } from '../../message/name.ts'
import { addCommand } from '../command.ts'
import type { ConsoleOptions, Ports } from '../ports.ts'

export function consoleCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'console',
    'agent-chat console\nagent-chat console @backend\necho "@backend the tests may run now" | agent-chat console --plain',
  )
    .argument('[name]', 'write to this session when you type no name')
    .option('--plain', 'print lines instead of a full screen, for pipes and screen readers')
    .option('--popup', 'open it in a tmux popup over this pane')
    .action((name: string | undefined, { plain, json, popup }: Omit<ConsoleOptions, 'to'>) =>
      ports.openConsole(
        {
          ...(plain ? { plain } : {}),
          ...(json ? { json } : {}),
          ...(popup ? { popup } : {}),
          ...(name === undefined ? {} : { to: parseName(name) }),
        },
        ports,
      ),
    )
}
