import { dirname, join } from 'node:path'
import { systemBus } from '../bus/open.ts'
import { main } from '../cli/main.ts'
import type { Ports } from '../cli/ports.ts'
import { systemPorts } from '../cli/system-ports.ts'
import { VERBS } from '../cli/verbs.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = VERBS.map(({ name }) => name)

/** Loaded when somebody opens it: its terminal library is large. */
const openConsole: Ports['openConsole'] = async (...request) =>
  (await import('../console/open.ts')).openConsole(...request)

const ports = systemPorts({ script: join(__dirname, 'main.js'), root: dirname(__dirname), bus: systemBus, openConsole })

void main(process.argv.slice(2), ports).then((code) => {
  process.exitCode = code || ports.exitCode()
})
