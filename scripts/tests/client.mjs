import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Why the Claude Code that the tests pin is not to be had here; undefined where it is in the cache
 * or can be installed, which the first test does (`test/e2e/harness/install.ts`).
 */
export function whyNoClient() {
  const { version } = JSON.parse(readFileSync('test/e2e/claude-version.json', 'utf8'))
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  if (existsSync(join(cache, 'agent-chat', `claude-code-${version}`))) return undefined
  const wanted = `@anthropic-ai/claude-code@${version}`
  const asked = spawnSync('npm', ['view', wanted, 'version'], { encoding: 'utf8' })
  return asked.status === 0 && asked.stdout.includes(version)
    ? undefined
    : `the npm registry did not give ${wanted}`
}
