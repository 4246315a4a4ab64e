import type { Person } from '../chat/live/entry.ts'
import { statusFacts } from '../chat/status/statusRow.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { visibleLine } from '../message/visible.ts'
import { type SessionRow, wordOf } from '../session/sessionRows.ts'
import { sinceText } from './model/time.ts'
import type { Ports } from './ports.ts'

/** Who is there, as `status` tells, in the order of names. */
export function peopleOf(rows: SessionRow[], ports: Pick<Ports, 'bus' | 'env'>): Person[] {
  const bus = ports.bus()
  const { tasks } = statusFacts(bus)
  return rows.map((row) => {
    const { name, since, unread, held, cwd } = row
    const task = tasks.find(({ message }) => message.to === name)
    return {
      name,
      state: wordOf(row),
      since: sinceText(since ?? undefined, bus.clock.now()),
      unread,
      held,
      task: task === undefined ? '' : taskTitle(task),
      cwd: visibleLine(belowHome(cwd, ports.env.HOME)),
    }
  })
}

function belowHome(path: string, home: string | undefined): string {
  return home && (path === home || path.startsWith(`${home}/`))
    ? `~${path.slice(home.length)}`
    : path
}
