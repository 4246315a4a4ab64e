// npm run outside:mcp: the server as others' programs see it: every tool through the MCP inspector, and the conformance suite. --write puts it into docs/evidence/mcp-outside.md.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PAGE = 'docs/evidence/mcp-outside.md'
const MAIN = join(import.meta.dirname, '../../dist/main.js')
/** The suite needs Node 22. */
const PACKAGES = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.1.16',
  [`node-${process.platform}-${process.arch}`]: '22',
}
/** The suite's scenarios that want no tool, resource or prompt of its own on the server. */
const SCENARIOS = 'server-initialize ping tools-list resources-list prompts-list'.split(' ')

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
const tools = join(cache, 'agent-chat', 'mcp-outside')
const root = mkdtempSync(join(tmpdir(), 'agent-chat-outside-'))
const home = join(root, 'home')
const env = {
  PATH: process.env.PATH ?? '',
  HOME: root,
  AGENT_CHAT_HOME: home,
  AGENT_CHAT_NAME: 'alice',
  AGENT_CHAT_NOTIFY: 'off',
}

/** A tool, what it is given, and a field of its answer. @type {[string, Record<string, string | number | boolean>, string][]} */
const CALLS = [
  ['who', {}, 'sessions'],
  ['status', { name: 'bob' }, 'sessions'],
  ['send', { to: 'bob', message: 'The contract is ready.' }, 'message_id'],
  ['inbox', { peek: true }, 'unread'],
  ['reply', { id: 'from-bob', message: 'Yes.' }, 'message_id'],
  ['consult', { to: 'bob', question: 'Why?', timeout_seconds: 1 }, 'timeout'],
  ['assign_task', { to: 'bob', task: 'Count the files', title: 'Files' }, 'task_id'],
  ['list_tasks', { which: 'given' }, 'tasks'],
  ['escalate', { question: 'Which?', options: '["a","b"]' }, 'decision'],
  ['history', { count: 5 }, 'messages'],
  ['search', { words: '["contract"]' }, 'messages'],
  ['add_task', { title: 'Buy groceries' }, 'task'],
  ['update_task', { task: 'groceries', priority: 'high' }, 'task'],
  ['complete_task', { task: 'groceries' }, 'task'],
  ['delete_task', { task: 'groceries', confirm: true }, 'deleted'],
]

/** @param {string} program @param {string[]} args */
function run(program, args, more = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ encoding: 'utf8', cwd: root, env: { ...env, ...more }, timeout: 60_000 },
  })
  return { status, text: `${stdout}${stderr}`, stdout }
}

function install() {
  mkdirSync(tools, { recursive: true })
  const json = { private: true, dependencies: PACKAGES }
  writeFileSync(join(tools, 'package.json'), JSON.stringify(json))
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, { cwd: tools, stdio: 'inherit' })
  if (status !== 0) throw new Error('npm install failed')
}

function furnish() {
  mkdirSync(home)
  const session = (/** @type {string} */ name) => ({
    ...{ name, pane: null, joined_at: new Date().toISOString() },
  })
  const sessions = { alice: session('alice'), bob: session('bob') }
  writeFileSync(join(home, 'sessions.json'), JSON.stringify(sessions))
  const sent = run(process.execPath, [MAIN, 'send', '@alice', '-q', 'Ready?', '--json'], {
    AGENT_CHAT_NAME: 'bob',
  })
  return JSON.parse(sent.stdout).id
}

/** @param {string[]} args */
function inspect(args) {
  const keys = ['AGENT_CHAT_HOME', 'AGENT_CHAT_NAME', 'AGENT_CHAT_NOTIFY']
  const given = keys.flatMap((key) => ['-e', `${key}=${Reflect.get(env, key)}`])
  const inspector = join(tools, 'node_modules', '.bin', 'mcp-inspector')
  return run(inspector, ['--cli', process.execPath, MAIN, 'mcp', ...given, ...args])
}

/** Each tool once, as the inspector calls it. @param {string} question */
function callAll(question) {
  const listed = JSON.parse(inspect(['--method', 'tools/list']).stdout).tools
  const names = listed.map((/** @type {{ name: string }} */ tool) => tool.name)
  const untried = names.filter((/** @type {string} */ name) => !CALLS.some(([one]) => one === name))
  const rows = CALLS.map(([tool, given, field]) => {
    const all = Object.entries(given).map(
      ([key, value]) => `${key}=${value === 'from-bob' ? question : value}`,
    )
    const pairs = all.flatMap((pair) => ['--tool-arg', pair])
    const { text } = inspect(['--method', 'tools/call', '--tool-name', tool, ...pairs])
    const ok = new RegExp(`\\\\*"${field}\\\\*":`).test(text)
    return { what: tool, ok, told: ok ? `\`${field}\`` : text.trim().split('\n').slice(-1)[0] }
  })
  const more = [
    ['resources/read chat://inbox/me', '--uri', 'chat://inbox/me', 'unread'],
    ['prompts/get standup', '--prompt-name', 'standup', 'messages'],
  ].map(([what = '', flag = '', value = '', field = '']) => {
    const { text } = inspect(['--method', what.split(' ')[0] ?? '', flag, value])
    const ok = text.includes(field)
    return { what, ok, told: ok ? `\`${field}\`` : text.trim().slice(-200) }
  })
  const missed = untried.map((/** @type {string} */ what) => ({
    what,
    ok: false,
    told: 'not tried',
  }))
  return [...rows, ...more, ...missed]
}

/** The server on stdio behind a port of the loopback, for a suite that speaks HTTP alone. */
async function behindHttp() {
  /** @type {import('node:child_process').ChildProcessWithoutNullStreams | undefined} */
  let child
  /** @type {Map<unknown, (line: string) => void>} */
  const waiting = new Map()
  const begin = () => {
    child?.stdin.end()
    child = spawn(process.execPath, [MAIN, 'mcp'], { env, cwd: root })
    child.stderr.resume()
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id } = JSON.parse(line)
      waiting.get(id)?.(line)
      waiting.delete(id)
    })
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(body)
      if (method === 'initialize') begin()
      const json = { 'content-type': 'application/json', 'mcp-session-id': 'one' }
      if (id === undefined) response.writeHead(202).end()
      else waiting.set(id, (line) => response.writeHead(200, json).end(line))
      child?.stdin.write(`${body}\n`)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      child?.stdin.end()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Runs the suite's scenarios. It may not block this process, which answers it. */
async function conform() {
  const node = join(tools, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')
  const suite = join(tools, 'node_modules', '.bin', 'conformance')
  const { url, close } = await behindHttp()
  const rows = []
  for (const what of SCENARIOS) {
    const child = spawn(node, [suite, 'server', '--url', url, '--scenario', what], {
      ...{ env, cwd: root, timeout: 60_000 },
    })
    let told = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        told += chunk
      })
    const code = await new Promise((resolve) => child.on('close', resolve))
    const line = told.split('\n').findLast((one) => /passed|failed/i.test(one)) ?? told.slice(-200)
    rows.push({ what, ok: code === 0, told: line.trim() })
  }
  close()
  return rows
}

try {
  install()
  const called = callAll(furnish())
  const conforms = await conform()
  const table = (/** @type {{ what: string, ok: boolean, told: string }[]} */ rows) =>
    rows.map(({ what, ok, told }) => `| \`${what}\` | ${ok ? 'yes' : 'NO'} | ${told} |`).join('\n')
  const text = `# MCP: the server as others' programs see it

Written by \`npm run outside:mcp -- --write\` on ${new Date().toISOString().slice(0, 10)}.

## Every tool through the inspector

\`mcp-inspector --cli\` ${PACKAGES['@modelcontextprotocol/inspector']} starts the built server anew for each line, in a home with two sessions.

| call | answered as expected | the answer has |
|---|---|---|
${table(called)}

## The conformance suite

\`@modelcontextprotocol/conformance\` ${PACKAGES['@modelcontextprotocol/conformance']} speaks HTTP alone. A few lines of test code
pass each request to the server's pipe. Its other scenarios want tools, resources and prompts of the suite's own.

| scenario | passed | what it said |
|---|---|---|
${table(conforms)}
`
  console.log(text)
  if (process.argv.includes('--write')) writeFileSync(PAGE, text)
  process.exitCode = [...called, ...conforms].every(({ ok }) => ok) ? 0 : 1
} finally {
  rmSync(root, { recursive: true, force: true })
}
