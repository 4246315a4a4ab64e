import { inboxCommand } from '../commands/inbox.ts'
import { showCommand } from '../commands/show.ts'
import { threadCommand } from '../commands/thread.ts'

/** Commands that read messages, and so need the parser of their front matter. */
export const READING = {
  inbox: inboxCommand,
  show: showCommand,
  thread: threadCommand,
}
