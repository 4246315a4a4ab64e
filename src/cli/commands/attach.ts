import type { Command } from 'commander'
import { findSession, nameMeant, readSessions } from '../../bus/names/registry.ts'
import { hasTerminal, showPane } from '../../chat/launch/goTo.ts'
import { unknownRecipient } from '../../chat/recipient.ts'
import { CodedError } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { isAlive } from '../../session/roster.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export function attachCommand(program: Command, ports: Ports): void {
  addCommand(program, 'attach', 'agent-chat attach backend')
    .argument('<name>', 'the session')
    .action(async (input: string) => ports.setExitCode(await attachTo(parseName(input), ports)))
}

/** Shows the pane of a session in this terminal until it is left, and gives tmux's exit code. */
async function attachTo(input: string, ports: Ports): Promise<number> {
  const { home, processes } = ports.bus()
  const sessions = readSessions(home)
  const name = nameMeant(home, sessions, input)
  const session = findSession(sessions, name)
  if (!session || (await isAlive(session, { processes, tmux: ports.tmux })) === 'gone')
    throw unknownRecipient(name, Object.keys(sessions))
  const { pane, tmux_socket: socket } = session
  if (pane === null || socket === null)
    throw new CodedError('USAGE', `@${name} is not in a tmux pane`, {
      hint: 'look at the terminal where it was started',
    })
  if (!(await hasTerminal(ports)))
    throw new CodedError('USAGE', 'attach needs a terminal', {
      hint: `see its state with: agent-chat status ${name}`,
    })
  return showPane(name, { pane, socket }, ports)
}
