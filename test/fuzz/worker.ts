import { homeAt } from '../../src/bus/home.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { runInProcess } from './inProcess.ts'
import { nextLine, tell } from './pausing.ts'

// Runs one command line after the other, each in the home that it is given, and stops at every step
// on the way.
const clock = systemClock()
const processes = systemProcesses()

for (let line = nextLine(); line !== undefined; line = nextLine()) {
  const { root, argv }: { root: string; argv: string[] } = JSON.parse(line)
  const { code, stdout, stderr } = await runInProcess(
    { home: homeAt(root), clock, processes },
    argv,
  )
  tell({ code, stdout, stderr })
}
