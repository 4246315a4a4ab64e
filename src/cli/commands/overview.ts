import type { Bus } from '../../bus/bus.ts'
import { requireThere } from '../../bus/home.ts'
import { restLinks } from '../../chat/remote/links.ts'
import { reviveWatcher } from '../../chat/revive.ts'
import { noteTyped } from '../../feed/away.ts'
import { type Overview, overviewOf } from '../../feed/overview.ts'
import { plural } from '../../message/text.ts'
import type { SessionRow } from '../../session/sessionRows.ts'
import { TAGLINE } from '../../version.ts'
import { restWorkers } from '../../worker/supervise/rest.ts'
import type { Ports } from '../ports.ts'
import { needLines } from '../render/needs.ts'
import { PAUSED } from '../render/paused.ts'
import { stateFor, unknownText } from '../render/status.ts'

/** What `agent-chat` alone prints: what needs you, who is here, and what to type next. */
export async function overview(argv: string[], ports: Ports): Promise<void> {
  const bus = ports.bus()
  requireThere(bus.home, ports.env)
  const found = await overviewOf(ports)
  const text =
    argv.length > 0 ? `${JSON.stringify(found)}\n` : render(found, restLine(bus), bus.clock.now())
  ports.print(text)
  await reviveWatcher(ports)
  if (argv.length === 0 && (await ports.isTerminal('stdout'))) await noteTyped(ports)
}

const BEGIN = `${TAGLINE}

No sessions yet. In the directory of a project:
  agent-chat start backend              starts Claude Code as @backend
  agent-chat start frontend             in another terminal, starts another session
  agent-chat send @frontend "hello"     writes to it, and wakes it
`

/** More rows are on the console's first screen. */
const MOST_NEEDS = 10

/** What else `resume` would bring back. */
function restLine(bus: Bus): string[] {
  const links = restLinks(bus).filter(({ with_machine }) => with_machine).length
  const rest = [[restWorkers(bus).length, 'worker'] as const, [links, 'link'] as const].flatMap(
    ([count, kind]) => (count > 0 ? [plural(count, kind)] : []),
  )
  return rest.length > 0 ? [`${rest.join(' and ')} can come back: agent-chat resume\n`] : []
}

function render(overview: Overview, rest: string[], now: number) {
  const { you, sessions, unread, questions, paused, needs_you, ended } = overview
  const width = Math.max(...sessions.map(({ name }) => name.length))
  const rows = sessions.map((row) => {
    const state = row.state === 'unknown' ? unknownText(row) : stateOf(row, now)
    const waits = row.unread === 0 ? '' : `${row.unread} unread`
    return `  @${row.name.padEnd(width)}  ${state.padEnd(6)}  ${waits}`.trimEnd()
  })
  const here = rows.length === 0 ? BEGIN : `Sessions:\n${rows.join('\n')}\n`
  const silent = paused ? [PAUSED] : []
  if (rows.length === 0 && unread === 0 && needs_you.length === 0 && ended === 0)
    return [...silent, ...rest, here].join('\n')
  const mail = unread === 0 ? 'nothing new' : plural(unread, 'unread message')
  return [
    ...silent,
    ...(ended > 0
      ? [`${plural(ended, 'session')} ended with the machine or tmux: agent-chat resume\n`]
      : []),
    ...rest,
    ...needLines(needs_you, now, MOST_NEEDS),
    here,
    `For you, @${you}: ${mail}`,
    `Next: ${nextOf(unread, questions)}`,
    '',
  ].join('\n')
}

/** Since when is told of one that has finished. */
function stateOf(row: SessionRow, now: number): string {
  return row.finished_at === undefined ? row.state : stateFor(row, now)
}

function nextOf(unread: number, questions: number): string {
  if (unread > 0) return 'agent-chat inbox'
  return questions > 0 ? 'agent-chat status human' : 'agent-chat console; or: agent-chat --help'
}
