import { agentCases } from './cases/agent.ts'
import { boxCases } from './cases/box.ts'
import { dialogCases } from './cases/dialogs.ts'
import { escapeCases } from './cases/escape.ts'
import { manyCases } from './cases/many.ts'
import { plainCases } from './cases/plain.ts'
import { turnCases } from './cases/turns.ts'
import type { Round } from './round.ts'
import type { Choice, Stage, StageOptions } from './stage.ts'

/** A situation in which a message comes. */
export interface Case {
  /** Its row in the table. */
  name: string
  doorbells: readonly Choice[]
  options?: StageOptions
  /** Brings up what all runs share; without it, one launched session, `frontend`. */
  start?(stage: Stage): Promise<unknown>
  /**
   * One run. It leaves the session idle and its box empty, unless each run has a stage of its own.
   */
  run(round: Round): Promise<void>
  fresh?: boolean
  /** What the time counts from, where it is not the ring itself. */
  from?: string
}

export const CASES: readonly Case[] = [
  ...plainCases,
  ...turnCases,
  ...escapeCases,
  ...dialogCases,
  ...boxCases,
  ...agentCases,
  ...manyCases,
]
