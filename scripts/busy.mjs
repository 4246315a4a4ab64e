// npm run test:busy: `npm test` beside as many busy loops as there are cores. Ends with 1 where it
// failed. -- --runs 3 does so three times.
import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '1' } } })
const RUNS = Number(values.runs)
const LOOP = 'const end = Date.now() + 3_600_000; while (Date.now() < end);'

const loops = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }),
)
const stop = () => {
  for (const loop of loops) loop.kill('SIGKILL')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    stop()
    process.exit(130)
  })
let failed = 0
try {
  for (let run = 1; run <= RUNS; run += 1) {
    console.log(`\n== run ${run} of ${RUNS}, beside ${loops.length} busy loops`)
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'test.mjs')], {
      stdio: 'inherit',
    })
    if (status !== 0) failed += 1
  }
} finally {
  stop()
}
console.log(`\n${RUNS - failed} of ${RUNS} runs passed`)
process.exitCode = failed === 0 ? 0 : 1
