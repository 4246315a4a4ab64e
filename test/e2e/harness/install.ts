import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureCached } from '../../../scripts/tests/cache.mjs'

const PIN = join(import.meta.dirname, '..', 'claude-version.json')

/**
 * The path of the pinned version's `claude`, installed into the user's cache where it is not there
 * yet (about 380 MB). Throws when npm fails.
 */
export async function ensureClaude(): Promise<string> {
  const version = await pinnedVersion()
  return ensureProgram('claude', `@anthropic-ai/claude-code@${version}`, `claude-code-${version}`)
}

/** The path of another agent's program, of the version in `agents/versions.json`. */
export async function ensureAgent(name: string): Promise<string> {
  const pins: Record<string, { package: string; version: string }> = JSON.parse(
    await readFile(join(import.meta.dirname, '..', 'agents', 'versions.json'), 'utf8'),
  )
  const pin = pins[name]
  if (!pin) throw new Error(`no version of ${name} is pinned`)
  return ensureProgram(name, `${pin.package}@${pin.version}`, `${name}-${pin.version}`)
}

async function ensureProgram(program: string, wanted: string, folder: string): Promise<string> {
  return join(await ensureCached(folder, [wanted]), 'node_modules', '.bin', program)
}

/** The one version that every end-to-end test runs on, unless `npm run e2e -- --claude` names another. */
export async function pinnedVersion(): Promise<string> {
  if (process.env.AGENT_CHAT_E2E_CLAUDE) return process.env.AGENT_CHAT_E2E_CLAUDE
  const pin: unknown = JSON.parse(await readFile(PIN, 'utf8'))
  if (
    typeof pin === 'object' &&
    pin !== null &&
    'version' in pin &&
    typeof pin.version === 'string'
  )
    return pin.version
  throw new Error(`${PIN} holds no version`)
}
