import type { Command } from 'commander'
import { unreadCount } from '../../bus/mail/unread.ts'
import { joinAs } from '../../chat/join.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

type Flags = { force?: boolean; watch?: boolean; doorbell?: string; json?: boolean }

export function joinCommand(program: Command, ports: Ports): void {
  addCommand(program, 'join', 'agent-chat join frontend\nagent-chat join frontend %3')
    .argument('<name>', 'the name of the session')
    .argument('[tmux-pane]', 'its tmux pane (default: this one)')
    .option('--force', 'take over the name from a running session')
    .option('--no-watch', 'start no watcher')
    .option('--doorbell <doorbell>', 'auto, native, tmux or stdout')
    .action(async (name: string, pane: string | undefined, options: Flags) => {
      const { session, watcher } = await joinAs({ ...options, name, pane }, ports)
      const unread = unreadCount(ports.bus().home, session.name)
      if (options.json) return ports.print(`${JSON.stringify({ ...session, watcher, unread })}\n`)
      const where = session.pane === null ? '' : ` in pane ${session.pane}`
      // Nothing tells a command of a session like this who it is; the one that reads may be the
      // human.
      const lone = session.pane === null && session.agent === null
      const read = `agent-chat inbox${lone ? ` ${session.name}` : ''}`
      const waiting =
        unread === 0 ? '' : `; ${plural(unread, 'unread message')}; read with: ${read}`
      ports.print(`joined as @${session.name}${where}${waiting}\n`)
      if (lone && options.watch !== false && session.doorbell !== 'stdout')
        ports.notice(
          `nothing can wake it: it is not in a tmux pane or Claude Code; read with: ${read}`,
        )
    })
}
