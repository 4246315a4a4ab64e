import { type Clock, systemClock } from '../system/clock.ts'
import { type Processes, systemProcesses } from '../system/processes.ts'
import { userHome } from '../system/user.ts'
import { type Home, homePath, openHome } from './home.ts'
import { notedList } from './processList.ts'

/**
 * What the bus stands on: a home, the time, and the processes that hold its locks. `notice` is told
 * what was done besides, in one line, where somebody wants to know.
 */
export type Bus = {
  home: Home
  clock: Clock
  processes: Processes
  notice?: (text: string) => void
}

/**
 * The bus of this user on this machine. Throws `HOME_UNUSABLE` where its home is another user's.
 */
export function systemBus(env: NodeJS.ProcessEnv): Bus {
  const home = openHome(homePath(env, userHome(env)))
  return {
    home,
    clock: systemClock(),
    processes: systemProcesses(() => notedList(home)),
  }
}
