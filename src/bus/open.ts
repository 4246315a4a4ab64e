import { systemClock } from '../system/clock.ts'
import { systemProcesses } from '../system/processes.ts'
import { userHome } from '../system/user.ts'
import type { Bus } from './bus.ts'
import { homePath, openHome } from './home.ts'

/** The bus of this user on this machine. Throws `HOME_UNUSABLE` where its home is another user's. */
export function systemBus(env: NodeJS.ProcessEnv): Bus {
  return { home: openHome(homePath(env, userHome())), clock: systemClock(), processes: systemProcesses() }
}
