import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { loadavg, tmpdir, userInfo } from 'node:os'
import { ensureSuite } from '../../test/mcp/conformance.mjs'
import { ensureCached } from './cache.mjs'

/** What was not prepared, in one line: such a run says nothing about the commit. */
export class NotPrepared extends Error {}

/** How often npm is asked, and how long all of it may take. */
const TRIES = 3
const LIMIT_MS = 600_000

const PROGRAMS = ['git', 'tmux']
/** What Debian's packages bring, and where it is then. @type {Record<string, { install: string, at: string[] }>} */
const PACKAGES = {
  Chromium: {
    install: 'chromium-headless-shell',
    at: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'],
  },
  'nats-server': {
    install: 'nats-server',
    at: ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'],
  },
  sshd: { install: 'openssh-server', at: ['/usr/sbin/sshd'] },
}
/** What npm brings into the cache. @type {Record<string, () => Promise<unknown>>} */
const CACHED = {
  'Claude Code': () => {
    const { version } = json('test/e2e/claude-version.json')
    return ensureCached(`claude-code-${version}`, [`@anthropic-ai/claude-code@${version}`])
  },
  Codex: () => {
    const { codex } = json('test/e2e/agents/versions.json')
    return ensureCached(`codex-${codex.version}`, [`${codex.package}@${codex.version}`])
  },
  'the conformance suite': ensureSuite,
}

/**
 * Gets what tests start, outside of any test's time, and prints the versions of what is there. Gives
 * what is not to be had, each with its reason. Throws `NotPrepared` without git, tmux or node_modules.
 * @param {string[]} names of `NEEDS`: what this run has tests for
 * @returns {Promise<Map<string, string>>}
 */
export async function prepare(names) {
  const lacking = PROGRAMS.filter((program) => versionOf(program) === undefined)
  if (lacking.length > 0) apt(lacking)
  const still = lacking.filter((program) => versionOf(program) === undefined)
  if (still.length > 0) throw new NotPrepared(`${still.join(' and ')}: not on PATH`)
  if (!existsSync('node_modules/vitest/vitest.mjs'))
    throw new NotPrepared('node_modules: run npm install')
  const isThere = (/** @type {string} */ name) =>
    PACKAGES[name]?.at.some((path) => existsSync(path))
  const wanted = names.filter((name) => PACKAGES[name] !== undefined && !isThere(name))
  if (wanted.length > 0) apt(wanted.map((name) => PACKAGES[name]?.install ?? ''))
  const missing = new Map(
    wanted
      .filter((name) => !isThere(name))
      .map((name) => [name, `install it: apt-get install ${PACKAGES[name]?.install}`]),
  )
  // sshd starts a program by the user's own login shell.
  if (names.includes('sshd') && /\/(?:nologin|false)$/.test(userInfo().shell ?? ''))
    missing.set('sshd', 'this user has no login shell')
  const end = performance.now() + LIMIT_MS
  for (const name of names) {
    const why = CACHED[name] && (await tried(CACHED[name], end))
    if (why !== undefined) missing.set(name, why)
  }
  console.log(versions())
  return missing
}

/** Why it did not come about, in one line; undefined where it did. @param {() => Promise<unknown>} get @param {number} end */
async function tried(get, end) {
  let why = 'there was no time left'
  for (let at = 0; at < TRIES && performance.now() < end; at += 1)
    try {
      await get()
      return undefined
    } catch (error) {
      const text = error instanceof Error ? error.message.trim() : String(error)
      why = text.split('\n').at(-1) ?? text
    }
  return why
}

/** Installs packages where this is a Debian and its root. @param {string[]} packages */
function apt(packages) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) return
  console.log(`missing: ${packages.join(', ')}; trying apt-get install`)
  // RUNLEVEL: no service begins by itself.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', args, { env, stdio: 'ignore', timeout: LIMIT_MS / 2 })
  run('update', '-qq')
  run('install', '-y', '-qq', '--no-install-recommends', ...packages, 'fonts-dejavu-core')
}

/** What the tests may find here, in some lines. */
function versions() {
  const programs = ['npm', 'tmux', 'git', 'bwrap', 'bash', 'zsh', 'fish', 'nats-server', 'sshd']
  const found = programs.map((program) => `${program} ${versionOf(program) ?? '–'}`)
  const chromium = PACKAGES.Chromium?.at.find((path) => existsSync(path))
  return [
    `node ${process.versions.node}, ${found.join(', ')}, chromium ${chromium ? versionOf(chromium) : '–'}`,
    `load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}, temporary folder ${tmpdir()}, user ${process.getuid?.()}\n`,
  ].join('\n')
}

/** A program's version; undefined where it does not run. @param {string} program */
function versionOf(program) {
  for (const flag of ['--version', '-V']) {
    const { status, error, stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' })
    if (error) return undefined
    const [version] = /\d+(\.\w+)+/.exec(`${stdout}${stderr}`) ?? []
    if (status === 0 && version) return version
  }
  return 'of some version'
}

/** @param {string} path */
function json(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
