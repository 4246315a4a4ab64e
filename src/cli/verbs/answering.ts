import { escalateCommand } from '../commands/escalate.ts'
import { replyCommand } from '../commands/reply.ts'

/** Commands that a conversation goes on with. */
export const ANSWERING = {
  reply: replyCommand,
  escalate: escalateCommand,
}
