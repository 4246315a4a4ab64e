import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MAIN, makePlace, middle } from '../test/soak/mcpServer.mjs'
import { cleanEnv } from './process.mjs'
import { waitForQuiet } from './quiet.mjs'

const KEY = 'sk-ant-fake-0000'

/** How much later a `claude -p` with our server says that it is there, than one without: the middles of so many of each, in ms. Undefined where none is installed. @param {number} times */
export async function clients(times) {
  const found = claude()
  if (found === undefined) return undefined
  const place = makePlace()
  const api = createServer(() => {})
  await new Promise((resolve) => api.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (api.address())
  const [plain, served] = ['plain', 'served'].map((name) => {
    const home = join(place.root, name)
    mkdirSync(home)
    const approved = { approved: [KEY], rejected: [] }
    const json = { hasCompletedOnboarding: true, customApiKeyResponses: approved }
    writeFileSync(join(home, '.claude.json'), JSON.stringify(json))
    return {
      ...{ ...cleanEnv(home), AGENT_CHAT_HOME: place.home, AGENT_CHAT_NAME: 'alice' },
      ...{ ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: KEY },
      ...{ DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    }
  })
  spawnSync(process.execPath, [MAIN, 'setup', '--mcp'], { env: served })
  /** @type {{ without: number, withIt: number }[]} */
  const rounds = []
  for (let at = -1; at < times; at += 1) {
    const rows = [await init(found.program, plain), await init(found.program, served)]
    const [, server] = rows
    if (server?.servers !== 'agent-chat connected') throw new Error(`init: ${server?.servers}`)
    if (at >= 0) rounds.push({ without: rows[0]?.ms ?? 0, withIt: rows[1]?.ms ?? 0 })
  }
  api.closeAllConnections()
  api.close()
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 })
  const [without, withIt] = [rounds.map((one) => one.without), rounds.map((one) => one.withIt)]
  return { version: found.version, without: middle(without), withIt: middle(withIt) }
}

/** The client of the end-to-end tests, installed by them. */
function claude() {
  const pin = join(import.meta.dirname, '../test/e2e/claude-version.json')
  const { version } = JSON.parse(readFileSync(pin, 'utf8'))
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const program = join(cache, 'agent-chat', `claude-code-${version}`, 'node_modules/.bin/claude')
  return existsSync(program) ? { program, version } : undefined
}

/** The time until the client's first line, and the servers that it names there. @param {string} program @param {NodeJS.ProcessEnv | undefined} env */
async function init(program, env = {}) {
  waitForQuiet()
  const began = performance.now()
  const args = ['-p', 'hello', '--output-format', 'stream-json', '--verbose']
  const child = spawn(program, args, { env, cwd: env.HOME, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    const { subtype, mcp_servers = [] } = JSON.parse(line)
    if (subtype !== 'init') continue
    const ms = performance.now() - began
    child.kill()
    await ended
    const servers = mcp_servers.map((/** @type {any} */ one) => `${one.name} ${one.status}`)
    return { ms, servers: servers.join() }
  }
  throw new Error('the client ended without a first line')
}
