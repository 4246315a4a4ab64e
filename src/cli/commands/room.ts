import type { Command } from 'commander'
import { postedJson } from '../../chat/post.ts'
import { press } from '../../chat/room/press.ts'
import { beginRoom, endAborted } from '../../chat/room/turn.ts'
import { roomNow } from '../../feed/panel.ts'
import { MAX_BODY_BYTES } from '../../message/message.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

/** For the mod that draws the room inside Claude Code: every answer is one line of JSON. */
export function roomCommand(program: Command, ports: Ports): void {
  const give = (value: unknown) => ports.print(`${JSON.stringify(value)}\n`)
  const command = addCommand(program, 'room', 'agent-chat room look')
  command
    .command('look')
    .description('print what the room shows')
    .option('--json', 'print data as JSON')
    .option('--begin <version>', 'note that the room runs in this client')
    .option('--pane <name>', 'whose conversation an open pane shows')
    .action(async ({ begin, pane }: { begin?: string; pane?: string }) => {
      const pid = begin === undefined ? {} : { pid: beginRoom(begin, ports) }
      give({ home: ports.bus().home.root, ...pid, ...(await roomNow(pane, ports)) })
    })
  command
    .command('press')
    .description('do what a person pressed, from standard input')
    .option('--json', 'print data as JSON')
    .action(async () => {
      const posted = await press((await ports.readStdin(2 * MAX_BODY_BYTES)).toString(), ports)
      give(posted ? postedJson(posted) : {})
    })
  command
    .command('ended')
    .description('note that the user interrupted the turn')
    .argument('<at>', 'when, as Unix time in milliseconds', Number)
    .option('--json', 'print data as JSON')
    .action((at: number) => give({ ended: endAborted(at, ports) }))
}
