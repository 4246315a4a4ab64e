import type { Command } from 'commander'
import { unreadCount } from '../../bus/mail/unread.ts'
import { whoSpeaks } from '../../chat/identity.ts'
import { type Deaf, joinAs, leaveAs } from '../../chat/join.ts'
import { rename } from '../../chat/rename.ts'
import { plural } from '../../message/text.ts'
import { SOURCES } from '../../session/identity.ts'
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
      const { session, watcher, deaf } = await joinAs({ ...options, name, pane }, ports)
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
      if (deaf !== undefined) ports.notice(`${deafText(deaf)}; until then read with: ${read}`)
    })
}

function deafText(deaf: Deaf): string {
  return typeof deaf === 'object'
    ? `nothing wakes it in this home: its hooks look in ${deaf.otherHome}; start it again with AGENT_CHAT_HOME set`
    : 'it began before this home was there: it is woken from its next start on'
}

export function leaveCommand(program: Command, ports: Ports): void {
  addCommand(program, 'leave', 'agent-chat leave frontend')
    .argument('[name]', 'the session (default: this one)')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const left = await leaveAs(name, ports)
      if (options.json) return ports.print(`${JSON.stringify(left)}\n`)
      ports.print(
        `@${left.name} has left${left.unread === 0 ? '' : `; ${plural(left.unread, 'unread message')} kept`}\n`,
      )
    })
}

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

const HINT = 'join first with: agent-chat join <name>; at a terminal of your own you are @human'

export function whoamiCommand(program: Command, ports: Ports): void {
  addCommand(program, 'whoami', 'agent-chat whoami').action((options: { json?: boolean }) =>
    printMe(options, ports),
  )
}

/** Prints the name that a command here speaks under, and what tells it. */
export async function printMe({ json }: { json?: boolean }, ports: Ports): Promise<void> {
  const me = await whoSpeaks(ports, undefined, undefined, HINT)
  const sure = me.confirmed === false ? ', not confirmed' : ''
  ports.print(json ? `${JSON.stringify(me)}\n` : `@${me.name} (by ${SOURCES[me.source]}${sure})\n`)
}
