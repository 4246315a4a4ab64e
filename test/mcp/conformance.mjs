import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureCached } from '../../scripts/tests/cache.mjs'

const MAIN = join(import.meta.dirname, '../../dist/main.js')
export const SUITE = '0.1.16'
/** The suite's scenarios that want no tool, resource or prompt of its own on the server. */
export const SCENARIOS = 'server-initialize ping tools-list resources-list prompts-list'.split(' ')

/** The suite needs Node 22. Where this one is older, npm has one for these. */
const NODE = `node-${process.platform}-${process.arch}`
const IS_OLD = Number.parseInt(process.versions.node, 10) < 22
const PLATFORMS = ['linux', 'darwin'].flatMap((os) => ['x64', 'arm64'].map((cpu) => `${os}-${cpu}`))

/** Why the suite cannot run here; undefined where it can. */
export function cannotRun() {
  const platform = `${process.platform}-${process.arch}`
  return !IS_OLD || PLATFORMS.includes(platform)
    ? undefined
    : `the conformance suite needs Node 22, and npm has none for ${platform}`
}

/** @typedef {{ what: string, ok: boolean, told: string }} Row */

/** Runs the suite's scenarios against the built server. @param {NodeJS.ProcessEnv} env its environment @param {string} cwd @returns {Promise<Row[]>} */
export async function conform(env, cwd) {
  const tools = await ensureSuite()
  const suite = join(tools, 'node_modules', '.bin', 'conformance')
  const node = IS_OLD ? join(tools, 'node_modules', NODE, 'bin/node') : process.execPath
  const { url, close } = await behindHttp(env, cwd)
  try {
    return await Promise.all(
      SCENARIOS.map((what) =>
        scenario([node, suite, 'server', '--url', url, '--scenario', what], env, cwd),
      ),
    )
  } finally {
    close()
  }
}

/** The folder with the suite, and with a Node 22 where this one is older, in the user's cache. */
export function ensureSuite() {
  const packages = [`@modelcontextprotocol/conformance@${SUITE}`, ...(IS_OLD ? [`${NODE}@22`] : [])]
  const folder = `mcp-conformance-${SUITE}${IS_OLD ? '-node22' : ''}`
  return ensureCached(folder, packages, ['--ignore-scripts'])
}

/** @param {string[]} argv @param {NodeJS.ProcessEnv} env @param {string} cwd @returns {Promise<Row>} */
async function scenario([program = '', ...args], env, cwd) {
  const child = spawn(program, args, { env, cwd, timeout: 60_000 })
  let told = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      told += chunk
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  const line = told.split('\n').findLast((one) => /passed|failed/i.test(one)) ?? told.slice(-200)
  return { what: args.at(-1) ?? '', ok: code === 0, told: line.trim() }
}

/** Servers on stdio behind a port of the loopback, one for each session: the suite speaks HTTP alone. @param {NodeJS.ProcessEnv} env @param {string} cwd */
async function behindHttp(env, cwd) {
  /** @type {ReturnType<typeof session>[]} */
  const sessions = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(body)
      const number =
        method === 'initialize'
          ? sessions.push(session(env, cwd)) - 1
          : Number(request.headers['mcp-session-id'])
      const head = { 'content-type': 'application/json', 'mcp-session-id': String(number) }
      if (id === undefined) response.writeHead(202).end()
      sessions[number]?.pass(body, id, (line) => response.writeHead(200, head).end(line))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      for (const one of sessions) one.end()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** @param {NodeJS.ProcessEnv} env @param {string} cwd */
function session(env, cwd) {
  const child = spawn(process.execPath, [MAIN, 'mcp'], { env, cwd })
  child.stderr.resume()
  /** @type {Map<unknown, (line: string) => void>} */
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line)
    waiting.get(id)?.(line)
    waiting.delete(id)
  })
  return {
    /** @param {string} body @param {unknown} id @param {(line: string) => void} answer */
    pass: (body, id, answer) => {
      if (id !== undefined) waiting.set(id, answer)
      child.stdin.write(`${body}\n`)
    },
    end: () => child.stdin.end(),
  }
}
