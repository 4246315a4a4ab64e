import { dirname, join } from 'node:path'
import { systemBus } from './src/bus/open.ts'
import { main } from './src/cli/main.ts'
import type { Ports } from './src/cli/ports.ts'
import { systemPorts } from './src/cli/system-ports.ts'

/** Loaded when somebody opens it: its terminal library is large. */
const openConsole: Ports['openConsole'] = async (...request) =>
  (await import('./src/console/open.ts')).openConsole(...request)

const ports = systemPorts({ script: join(__dirname, 'main.js'), root: dirname(__dirname), bus: systemBus, openConsole })

void main(['setup', ...process.argv.slice(2)], ports).then((code) => {
  process.exitCode = code || ports.exitCode()
})
