import child from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/** Loaded before the tests of the project `pure`: there, starting a process is a fault. */
const STARTERS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']

for (const name of STARTERS)
  Object.assign(child, {
    [name]: () => {
      throw new Error(`a test that starts a process (${name}) belongs to the project "process"`)
    },
  })
syncBuiltinESMExports()
