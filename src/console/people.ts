import type { Person } from '../chat/live/entry.ts'
import { doingOf } from '../feed/doing.ts'
import { visibleLine } from '../message/visible.ts'
import { type SessionRow, wordOf } from '../session/sessionRows.ts'
import { sinceText } from './model/time.ts'
import type { Ports } from './ports.ts'

/** Who is there and what they do now, in the order of names. */
export function peopleOf(rows: SessionRow[], ports: Pick<Ports, 'bus' | 'env'>): Person[] {
  const bus = ports.bus()
  const ago = (since: string | undefined) => sinceText(since, bus.clock.now())
  return rows.map((row) => {
    const { name, since, unread, held, cwd } = row
    const doing = doingOf(row, bus)
    return {
      name,
      state: wordOf(row),
      since: ago(since ?? undefined),
      unread,
      held,
      doing: doing === undefined ? '' : `${doing.text} ${ago(doing.since)}`.trimEnd(),
      cwd: visibleLine(belowHome(cwd, ports.env.HOME)),
    }
  })
}

function belowHome(path: string, home: string | undefined): string {
  return home && (path === home || path.startsWith(`${home}/`))
    ? `~${path.slice(home.length)}`
    : path
}
