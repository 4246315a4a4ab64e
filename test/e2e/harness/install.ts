import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PIN = join(import.meta.dirname, '..', 'claude-version.json')

/**
 * The path of the pinned version's `claude`, installed into the user's cache where it is not there
 * yet (about 380 MB). Safe to call from several processes at once: each installs aside, the first
 * rename wins. Throws when npm fails.
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
  const target = join(cacheDir(), folder)
  const binary = join(target, 'node_modules', '.bin', program)
  if (!existsSync(binary)) await install(wanted, target)
  return binary
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

function cacheDir(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agent-chat')
}

async function install(wanted: string, target: string): Promise<void> {
  await mkdir(cacheDir(), { recursive: true })
  const aside = await mkdtemp(`${target}.installing-`)
  try {
    const flags = ['--no-save', '--no-audit', '--no-fund', '--prefix', aside]
    await run('npm', ['install', ...flags, wanted], { cwd: aside })
    await rename(aside, target).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster: its copy is as good as ours.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}
