// npm run outside:mcp: the server as others' programs see it: every tool through the MCP inspector, and the conformance suite. --write puts it into docs/evidence/mcp-outside.md.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { conform, SUITE } from './conformance.mjs'

const PAGE = 'docs/evidence/mcp-outside.md'
const MAIN = join(import.meta.dirname, '../../dist/main.js')
const PACKAGES = { '@modelcontextprotocol/inspector': '2.12.0' }

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

try {
  install()
  const called = callAll(furnish())
  const conforms = await conform(env, root)
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

\`@modelcontextprotocol/conformance\` ${SUITE} speaks HTTP alone. A few lines of test code
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
