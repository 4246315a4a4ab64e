import { approveCommand } from '../commands/approve.ts'
import { consoleCommand } from '../commands/console.ts'
import { doctorCommand } from '../commands/doctor.ts'
import { gateCommand } from '../commands/gate.ts'
import { joinCommand } from '../commands/join.ts'
import { leaveCommand } from '../commands/leave.ts'
import { pauseCommand, resumeCommand } from '../commands/pause.ts'
import { renameCommand } from '../commands/rename.ts'
import { setupCommand } from '../commands/setup.ts'
import { watchCommand } from '../commands/watch.ts'

/** Commands whose start nobody waits for. */
export const SELDOM = {
  join: joinCommand,
  leave: leaveCommand,
  rename: renameCommand,
  watch: watchCommand,
  gate: gateCommand,
  approve: approveCommand,
  pause: pauseCommand,
  resume: resumeCommand,
  console: consoleCommand,
  doctor: doctorCommand,
  setup: setupCommand,
}
