import { dirname, join } from 'node:path'
import { systemBus } from './src/bus/open.ts'
import { main } from './src/cli/main.ts'
import { systemPorts } from './src/cli/system-ports.ts'

const ports = systemPorts({ script: join(__dirname, 'main.js'), root: dirname(__dirname), bus: systemBus })

void main(['setup', ...process.argv.slice(2)], ports).then((code) => {
  process.exitCode = code || ports.exitCode()
})
