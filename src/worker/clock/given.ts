import type { Bus } from '../../bus/bus.ts'
import { forgetInIndexes } from '../../bus/index/indexes.ts'
import { ring } from '../../bus/mail/bell.ts'
import { isDelivered, messageAt } from '../../bus/mail/inbox.ts'
import { senderOfId, timeOfId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { noteWord } from '../../session/words.ts'
import { namesIn, removeFile } from '../../system/files.ts'
import { type Run, readSchedules } from './schedules.ts'

/** The header fields of a run's task: its schedule, and the time that it is for. */
export function runFields(id: string, { due }: Pick<Run, 'due'>): Record<string, string> {
  return { schedule: id, schedule_due: due }
}

/**
 * Whether a message is the task of a scheduled run, and by that its human's word: the run is
 * written down before its task is sent, so whoever is woken by the task finds it.
 */
export function isScheduledTask({ home }: Pick<Bus, 'home'>, message: Message): boolean {
  const { schedule: id, schedule_due: due } = message.extra
  const schedule = typeof id === 'string' ? readSchedules(home)[id] : undefined
  return (
    message.from === HUMAN &&
    message.kind === 'task' &&
    schedule?.worker === message.to &&
    schedule.text === message.body &&
    schedule.runs.some((run) => run.due === due && run.state === 'running')
  )
}

/**
 * The task that a process gave for a run just before it died, finished as that process would have;
 * one that never came into the inbox was not sent, and is removed. Looks at every message's name:
 * for a run that was cut, or comes late.
 */
export function givenBefore(bus: Bus, id: string, run: Run): string | undefined {
  const { home } = bus
  const since = Date.parse(run.due)
  const fields = Object.entries(runFields(id, run))
  for (const file of namesIn(home.messages)) {
    const one = file.replace(/\.md$/, '')
    if (senderOfId(one) !== HUMAN || timeOfId(one) < since) continue
    const message = messageAt(home.message(one), one, home)
    if (!message || fields.some(([key, value]) => message.extra[key] !== value)) continue
    if (isDelivered(home, message)) return finished(bus, message)
    removeFile(home.message(one))
    forgetInIndexes(home, message)
  }
  return undefined
}

function finished(bus: Bus, message: Message): string {
  noteWord(bus, message)
  ring(bus, message.to)
  return message.id
}
