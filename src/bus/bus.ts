import type { Clock } from '../system/clock.ts'
import type { Processes } from '../system/processes.ts'
import type { Home } from './home.ts'

/** What the bus stands on: a home, the time, and the processes that hold its locks. */
export type Bus = { home: Home; clock: Clock; processes: Processes }
