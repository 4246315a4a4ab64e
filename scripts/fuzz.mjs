// npm run fuzz: new random cases, ten times as many as `npm test` runs: FUZZ_RUNS=20 for a long look,
// FUZZ_SEED=<number> for those of an earlier run. Names of files run these alone.
import { execFileSync, spawnSync } from 'node:child_process'

const ran = process.argv.slice(2)
const all = execFileSync('git', ['grep', '-lE', "from 'fast-check'|fuzz/", '--', '*.test.ts'], {
  encoding: 'utf8',
})
const seed = process.env.FUZZ_SEED || String(Math.floor(Math.random() * 2 ** 31))
console.log(`again with FUZZ_SEED=${seed}`)
const files = ran.length > 0 ? ran : [...all.trim().split('\n'), 'test/fuzz/']
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SEED: seed },
  },
)
process.exitCode = status ?? 1
