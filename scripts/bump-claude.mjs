// Moves the end-to-end tests to another version of Claude Code: `npm run bump-claude [version]`, the latest by default.
// Rewrites the one pin, then runs the smoke test, which installs that version into the cache and drives it. Fails
// on a tool that the table of tools lacks.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newToolsIn } from './claudeTools.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const pin = fileURLToPath(new URL('../test/e2e/claude-version.json', import.meta.url))

const before = readFileSync(pin, 'utf8')
const asked = process.argv[2] ?? 'latest'
const version = execFileSync('npm', ['view', `@anthropic-ai/claude-code@${asked}`, 'version'], {
  encoding: 'utf8',
}).trim()
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write(
    `bump-claude: ${asked} names no one version\n  hint: npm view @anthropic-ai/claude-code versions\n`,
  )
  process.exit(2)
}

writeFileSync(pin, `{ "version": "${version}" }\n`)
process.stdout.write(`pinned Claude Code ${version}; installing and trying it\n`)
const vitest = ['vitest', 'run', '--config', 'test/e2e/vitest.config.mts', 'test/e2e/smoke.test.ts']
const { status } = spawnSync('npx', vitest, { cwd: root, stdio: 'inherit' })
if (status !== 0) fail('fails the smoke test', 'look at the screens in test/e2e/failures')
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agent-chat')
const folder = `claude-code-${version}/node_modules/@anthropic-ai/claude-code`
const tools = newToolsIn(join(cache, folder))
if (tools.length > 0)
  fail(`has tools that are new: ${tools.join(', ')}`, 'put each into src/trust/toolGate/table.ts')

/**
 * @param {string} what
 * @param {string} hint
 */
function fail(what, hint) {
  writeFileSync(pin, before)
  process.stderr.write(`bump-claude: ${version} ${what}; the pin is as it was\n  hint: ${hint}\n`)
  process.exit(1)
}
