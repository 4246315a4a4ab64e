import type { Bus } from '../bus/bus.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { escalationOf } from '../message/escalation.ts'
import type { Message } from '../message/message.ts'
import { visibleLine } from '../message/visible.ts'
import { questionsToHuman } from '../trust/sendGate/questions.ts'

/** A question that waits for the human; `number` where it is a decision. */
type Question = {
  id: string
  from: string
  title: string
  number?: number
  options: string[]
}

/** The questions that wait for the human: decisions by number, then the others, oldest first. */
export function questionsNow(bus: Bus): { question: Question; message: Message }[] {
  const number = ({ question }: { question: Question }) =>
    question.number ?? Number.MAX_SAFE_INTEGER
  return questionsToHuman(bus)
    .map((message) => ({ message, question: questionOf(message) }))
    .sort((a, b) => number(a) - number(b))
}

function questionOf(message: Message): Question {
  const decision = escalationOf(message)
  const { id, from } = message
  const title = taskTitle({ message }, Number.POSITIVE_INFINITY)
  if (decision === undefined) return { id, from, title, options: [] }
  const { number, options } = decision
  const asked = wholeOf(withoutNumber(title), message.body)
  return { id, from, title: asked, number, options: options.map(visibleLine) }
}

/** The subject of a decision begins with its number, which is shown by itself. */
function withoutNumber(title: string): string {
  return title.replace(/^decision \d+: /, '')
}

/** The question of a decision, of which its subject has the beginning alone. */
function wholeOf(title: string, body: string): string {
  if (!title.endsWith('…')) return title
  const [first = ''] = body.split('\n\n')
  const whole = visibleLine(first.trim())
  return whole.startsWith(title.slice(0, -1)) ? whole : title
}
