import type { Command } from 'commander'
import { type Stopped, stopAll, stopSessions } from '../../chat/stop.ts'
import { CodedError } from '../../errors.ts'
import { plural } from '../../message/text.ts'
import { answersAsWorker } from '../../session/workers.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export function stopCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'stop',
    'agent-chat stop backend\nagent-chat stop backend frontend\nagent-chat stop --all',
  )
    .argument('[names...]', 'the sessions; an unknown one stops none')
    .option('--all', 'stop every session that agent-chat started')
    .action(async (names: string[], { all, json }: { all?: boolean; json?: boolean }) => {
      if ((all === true) === names.length > 0)
        throw new CodedError('USAGE', 'stop takes a name, or --all', {
          hint: 'for example: agent-chat stop backend; see the names with: agent-chat who',
        })
      if (names.includes('all'))
        throw new CodedError('USAGE', 'no session is named @all', {
          hint: 'to stop every session: agent-chat stop --all',
        })
      const { stopped, left } =
        names.length === 0
          ? await stopAll(ports)
          : { stopped: await stopSessions(names, ports), left: [] }
      for (const other of left)
        ports.notice(
          answersAsWorker(ports.bus(), other)
            ? `@${other} goes on: it is a worker; end it with: agent-chat down ${other}`
            : `@${other} goes on: agent-chat did not start it; end it in its own terminal`,
        )
      if (json) return ports.print(`${JSON.stringify({ stopped, left })}\n`)
      ports.print(stopped.map(renderStopped).join('') || 'no sessions to stop\n')
    })
}

const ENDED = {
  asked: '',
  killed: '; it did not end when asked, so it was killed',
  before: '; it had ended before',
}

function renderStopped({ name, ended, unread }: Stopped): string {
  const kept = unread === 0 ? '' : `; ${plural(unread, 'unread message')} kept`
  return `stopped @${name}${ENDED[ended]}${kept}\n`
}
