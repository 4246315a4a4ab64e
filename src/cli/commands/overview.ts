import { requireThere } from '../../bus/home.ts'
import { type Overview, overviewOf } from '../../chat/overview.ts'
import { reviveWatcher } from '../../chat/revive.ts'
import { plural } from '../../message/text.ts'
import { TAGLINE } from '../../version.ts'
import type { Ports } from '../ports.ts'

/** What `agent-chat` alone prints: who is here, what waits for you, and what to type next. */
export async function overview(argv: string[], ports: Ports): Promise<void> {
  requireThere(ports.bus().home, ports.env)
  const found = await overviewOf(ports)
  ports.print(argv.length > 0 ? `${JSON.stringify(found)}\n` : renderOverview(found))
  await reviveWatcher(ports)
}

const BEGIN = `${TAGLINE}

No sessions yet. In the directory of a project:
  agent-chat start backend              starts Claude Code as @backend
  agent-chat start frontend             in another terminal, starts another session
  agent-chat send @frontend "hello"     writes to it, and wakes it
`

function renderOverview({ you, sessions, unread, questions }: Overview): string {
  const width = Math.max(...sessions.map(({ name }) => name.length))
  const rows = sessions.map((row) => {
    const state = row.state === 'unknown' ? '' : row.state
    const waits = row.unread === 0 ? '' : `${row.unread} unread`
    return `  @${row.name.padEnd(width)}  ${state.padEnd(6)}  ${waits}`.trimEnd()
  })
  const here = rows.length === 0 ? BEGIN : `Sessions:\n${rows.join('\n')}\n`
  const waiting = [
    ...(unread === 0 ? [] : [plural(unread, 'unread message')]),
    ...(questions === 0 ? [] : [plural(questions, 'open question')]),
  ]
  if (rows.length === 0 && waiting.length === 0) return here
  return `${here}\nFor you, @${you}: ${waiting.join(', ') || 'nothing new'}\nNext: ${nextOf(unread, questions)}\n`
}

function nextOf(unread: number, questions: number): string {
  if (unread > 0) return 'agent-chat inbox'
  return questions > 0 ? 'agent-chat status human' : 'agent-chat console; or: agent-chat --help'
}
