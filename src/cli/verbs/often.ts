import { historyCommand } from '../commands/history.ts'
import { sendCommand } from '../commands/send.ts'
import { whoCommand } from '../commands/who.ts'

/** Commands that agents run all the time, and that need no library but the parser of the command line: one file, because each file costs a start. */
export const OFTEN = {
  send: sendCommand,
  history: historyCommand,
  who: whoCommand,
}
