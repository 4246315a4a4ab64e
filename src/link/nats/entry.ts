import { init, invite, revoke } from './admin.ts'
import { join, statusOf } from './bridge.ts'
import { checkBridge } from './check.ts'
import { runBridge } from './run.ts'

/** What `bridge` and `doctor` load, in one file of the build: all that needs the client of NATS. */
export const nats = { init, invite, revoke, join, statusOf, checkBridge, runBridge }
