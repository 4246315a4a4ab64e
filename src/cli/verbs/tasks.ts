import { acceptCommand, declineCommand, doneCommand, failCommand } from '../commands/progress.ts'
import { taskCommand } from '../commands/task.ts'

/** Commands that give a task, or say how it stands. */
export const TASKS = {
  task: taskCommand,
  accept: acceptCommand,
  decline: declineCommand,
  done: doneCommand,
  fail: failCommand,
}
