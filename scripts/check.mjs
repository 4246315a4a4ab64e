// npm run check: all that can be known without starting a process of the program, in under a minute.
import { spawnSync } from 'node:child_process'

/** @type {[name: string, args: string[]][]} */
const STEPS = [
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['types of the page', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'src/web/page']],
  ['types of its tests', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/e2e/web']],
  ['unused', ['node_modules/knip/bin/knip.js']],
  ['pure tests', ['node_modules/vitest/vitest.mjs', 'run', '--project', 'pure*']],
]

const failed = STEPS.filter(([name, args]) => {
  console.log(`\n== ${name}`)
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0
}).map(([name]) => name)
console.log(failed.length === 0 ? '\nall is well' : `\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
