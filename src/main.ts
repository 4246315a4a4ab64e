import { dirname } from 'node:path'
import { systemBus } from './bus/open.ts'
import { main } from './cli/main.ts'
import { systemPorts } from './cli/system-ports.ts'

const ports = systemPorts({ script: __filename, root: dirname(__dirname), bus: systemBus })

void main(process.argv.slice(2), ports).then((code) => {
  process.exitCode = code || ports.exitCode()
})
