import type { Bus } from '../bus/bus.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { questionsToHuman } from '../gate/questions.ts'
import { escalationOf } from '../message/escalation.ts'
import { visibleLine } from '../message/visible.ts'
import { sessionsNow } from '../session/sessionRows.ts'
import type { Person, Question } from './model/entry.ts'
import type { Ports } from './ports.ts'

/** Who is there, as `who` tells. */
export async function peopleNow(ports: Pick<Ports, 'bus' | 'tmux'>): Promise<Person[]> {
  const rows = await sessionsNow(ports)
  return rows.map(({ name, state, unread, held }) => ({ name, state, unread, held }))
}

/** The questions that wait for the human: decisions by number, then the others, oldest first. */
export function questionsNow(bus: Bus): Question[] {
  const questions = questionsToHuman(bus).map((message): Question => {
    const decision = escalationOf(message)
    const { id, from } = message
    if (decision === undefined) return { id, from, title: taskTitle({ message }), options: [] }
    const { number, options } = decision
    return {
      id,
      from,
      title: withoutNumber(taskTitle({ message })),
      number,
      options: options.map(visibleLine),
    }
  })
  return questions.sort(
    (a, b) => (a.number ?? Number.MAX_SAFE_INTEGER) - (b.number ?? Number.MAX_SAFE_INTEGER),
  )
}

/** The subject of a decision begins with its number, which the room shows by itself. */
function withoutNumber(title: string): string {
  return title.replace(/^decision \d+: /, '')
}
