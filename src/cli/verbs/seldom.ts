import { approveCommand } from '../commands/approve.ts'
import { consoleCommand } from '../commands/console.ts'
import { doctorCommand } from '../commands/doctor.ts'
import { gateCommand } from '../commands/gate.ts'
import { pauseCommand, resumeCommand } from '../commands/pause.ts'
import { setupCommand } from '../commands/setup.ts'
import { watchCommand } from '../commands/watch.ts'

/** Commands whose start nobody waits for. */
export const SELDOM = {
  watch: watchCommand,
  gate: gateCommand,
  approve: approveCommand,
  pause: pauseCommand,
  resume: resumeCommand,
  console: consoleCommand,
  doctor: doctorCommand,
  setup: setupCommand,
}
