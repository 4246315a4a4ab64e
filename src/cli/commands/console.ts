import type { Command } from 'commander'
import { nameMeant, readSessions } from '../../bus/names/registry.ts'
import { requireRecipient } from '../../chat/recipient.ts'
import { parseName } from '../../message/name.ts'
import { isWorker } from '../../session/workers.ts'
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
          ...(name === undefined ? {} : { to: known(parseName(name), ports) }),
        },
        ports,
      ),
    )
}

/** The session or worker of this name. Throws `SESSION_UNKNOWN` where there is neither. */
function known(name: string, ports: Ports): string {
  const { home } = ports.bus()
  const sessions = readSessions(home)
  const meant = nameMeant(home, sessions, name)
  if (!isWorker(home, meant)) requireRecipient(sessions, meant, home)
  return meant
}
