import type { Bus } from '../bus/bus.ts'
import { inboxNames } from '../bus/mail/inboxes.ts'
import { sweepDecisions } from './sweep/decisions.ts'
import type { Finding, Sweep } from './sweep/finding.ts'
import { sweepInboxes } from './sweep/inboxes.ts'
import { sweepIndexes } from './sweep/indexes.ts'
import { sweepLeftovers } from './sweep/leftovers.ts'
import { sweepMarks } from './sweep/marks.ts'
import { sweepMessages } from './sweep/messages.ts'
import { sweepModes } from './sweep/modes.ts'
import { readPast } from './sweep/past.ts'
import { sweepRegistry } from './sweep/registry.ts'
import { sweepRenames } from './sweep/renames.ts'
import { sweepTasks } from './sweep/tasks.ts'

/**
 * Looks for every state that a crash can leave in a home's files (`STATES` in `sweep/states.ts`,
 * but for those of sessions and watchers) and, with `mend`, mends what is safe to mend. A process
 * at work is never disturbed: what it holds is left alone, and a step that nobody's name is on must
 * be a minute old. Lists `messages/` and reads the whole history, so it is no part of any other
 * command. Throws what the system says where the home cannot be read.
 */
export async function sweepHome(bus: Bus, options: { mend: boolean }): Promise<Finding[]> {
  const sweep: Sweep = { bus, mend: options.mend, findings: [] }
  await sweepModes(sweep)
  await sweepLeftovers(sweep)
  await sweepRegistry(sweep)
  await sweepRenames(sweep)
  const past = readPast(bus.home, bus.clock.now())
  const placed = await sweepInboxes(sweep, inboxNames(bus.home), past)
  const undelivered = await sweepMessages(sweep, placed, past)
  await sweepIndexes(sweep, past)
  await sweepTasks(sweep, past, undelivered)
  await sweepDecisions(sweep, past, undelivered)
  await sweepMarks(sweep)
  return sweep.findings
}
