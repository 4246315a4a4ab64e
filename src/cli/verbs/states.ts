import { statusCommand } from '../commands/status.ts'
import { tasksCommand } from '../commands/tasks.ts'

/** Commands that tell how things stand, from the messages and without sending any. */
export const STATES = {
  status: statusCommand,
  tasks: tasksCommand,
}
