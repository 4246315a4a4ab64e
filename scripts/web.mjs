// npm run web: what the page costs, into docs/evidence/web.md, and its pictures from a real run, into docs/pictures/. Takes two minutes and a Chromium.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const args = [vitest, 'run', '--config', 'test/e2e/web/vitest.config.mts']
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
