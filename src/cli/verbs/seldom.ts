import { consoleCommand } from '../commands/console.ts'
import { doctorCommand } from '../commands/doctor.ts'
import { setupCommand } from '../commands/setup.ts'
import { watchCommand } from '../commands/watch.ts'

/** Commands whose start nobody waits for. */
export const SELDOM = {
  watch: watchCommand,
  console: consoleCommand,
  doctor: doctorCommand,
  setup: setupCommand,
}
