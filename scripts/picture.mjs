// Draws docs/pictures/ anew from a real run. The harness is TypeScript, which Node 20 does not run by itself, so vitest does.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const args = [vitest, 'run', '--config', 'test/e2e/pictures/vitest.config.mts']
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
