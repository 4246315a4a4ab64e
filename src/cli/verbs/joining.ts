import { joinCommand } from '../commands/join.ts'
import { leaveCommand } from '../commands/leave.ts'
import { renameCommand } from '../commands/rename.ts'

/** Commands that change who is registered. */
export const JOINING = {
  join: joinCommand,
  leave: leaveCommand,
  rename: renameCommand,
}
