import { approveCommand } from '../commands/approve.ts'
import { gateCommand } from '../commands/gate.ts'
import { pauseCommand, resumeCommand } from '../commands/pause.ts'

/** Commands of the guardrails, and of who stops what rings. */
export const GUARDING = {
  gate: gateCommand,
  approve: approveCommand,
  pause: pauseCommand,
  resume: resumeCommand,
}
