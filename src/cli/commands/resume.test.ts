import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { writePeer } from '../../bus/remote/peers.ts'
import { noteRan } from '../../bus/remote/ran.ts'
import { noteLaunch } from '../../session/launched.ts'
import { runCli } from '../../testing/cli.ts'
import { register, tempBus, tempDirectory } from '../../testing/home.ts'

const ID = '0197a6c3-7b1e-7e5c-9f43-5ac0c6f1c2d1'
const SECRET = '{"env":{"KEY":"s3cret"}}'

/** A machine that was restarted since: a session, a worker and a link ran on it. */
async function restarted() {
  const bus = tempBus(['backend'])
  const config = tempDirectory()
  const agent = { pid: bus.processes.self().pid, started: '00000000-1' }
  const started = new Date().toISOString()
  const how = {
    program: 'claude',
    command: null,
    cwd: config,
    config,
    agent,
    server: null,
    started,
  }
  const args = ['--session-id', ID, '--settings', SECRET, '--permission-mode', 'plan', 'fix it']
  noteLaunch(bus, 'backend', { ...how, args })
  noteLaunch(bus, 'other', { ...how, args: ['--a-new-option', 'x'], program: 'pi', command: 'pi' })
  noteLaunch(bus, 'own', { ...how, args: [], program: null, command: 'my-agent --fast' })
  noteLaunch(bus, 'away', { ...how, args: [], cwd: join(config, 'gone') })
  const transcript = join(config, 'projects', 'x', `${ID}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, '{"type":"assistant"}\n')
  mkdirSync(bus.home.workers, { recursive: true })
  const wish = { want: 'up', at: started, cwd: '/src/project' }
  writeFileSync(bus.home.wanted, JSON.stringify({ researcher: wish }))
  writePeer(bus, { host: 'build', created: started, dial: { address: 'me@build', ssh: [] } })
  noteRan(bus.home, 'build', { agent, server: null })
  const chat = (...words: string[]) => runCli(words, { home: bus.home.root })
  for (const words of [
    ['send', '@backend', 'hello'],
    ['task', '@backend', 'Page the list'],
  ])
    expect(await chat(...words, '--as', 'human')).toMatchObject({ code: 0 })
  register(bus.home)
  return { bus, config, chat }
}

test('the table has what is known of all that ran, and no value of an option', async () => {
  const { chat } = await restarted()
  const { stdout, stderr } = await chat('resume', '--dry-run')
  expect(stderr).toBe('')
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
  expect(rows[0]).toEqual(
    'session|folder|agent|last seen|unread|tasks|mode|options|comes back with'.split('|'),
  )
  const rowOf = (name: string) => rows.find(([first]) => first === name)?.join('|')
  expect(rowOf('@backend')).toMatch(
    /\|claude\|[^|]+\|2\|1\|plan\|--settings --permission-mode\|its conversation$/,
  )
  expect(rowOf('@other')).toMatch(/\|pi\|.*--a-new-option \(left out\)\|a new conversation: /)
  expect(rowOf('@own')).toMatch(/\|my-agent\|.*\|a new conversation: nobody knows how/)
  expect(rowOf('@away')).toMatch(/\|nothing: its folder is gone$/)
  expect(rowOf('@researcher')).toMatch(/\|\/src\/project\|a worker\|.*its messages$/)
  expect(rowOf('link build')).toMatch(/\|a link\|.*what is queued$/)
  const json = (await chat('resume', '--dry-run', '--json')).stdout
  for (const text of [stdout, json]) expect(text).not.toMatch(/s3cret|fix it|my-agent --fast/)
  expect(JSON.parse(json)).toMatchObject({
    sessions: [
      { name: 'away', not: 'its folder is gone' },
      {
        name: 'backend',
        unread: 2,
        open_tasks: 1,
        mode: 'plan',
        asks: ['--settings'],
        conversation: ID,
      },
      { name: 'other', conversation: null, left: ['--a-new-option'] },
      { name: 'own', asks: ['--cmd'], conversation: null },
    ],
    workers: [{ name: 'researcher' }],
    links: [{ host: 'build', address: 'me@build', with_machine: true }],
  })
})

test('the overview says what can come back', async () => {
  const { bus, chat } = await restarted()
  const { stdout } = await chat()
  expect(stdout).toContain('4 sessions ended with the machine or tmux: agent-chat resume\n')
  expect(stdout).toContain('1 worker and 1 link can come back: agent-chat resume\n')
  rmSync(bus.home.launches, { recursive: true })
  rmSync(bus.home.wanted)
  expect((await chat()).stdout).toContain('1 link can come back: agent-chat resume\n')
})

test('names choose sessions alone', async () => {
  const { chat } = await restarted()
  const json = (await chat('resume', 'away', '--dry-run', '--json')).stdout
  expect(JSON.parse(json)).toMatchObject({ sessions: [{ name: 'away' }], workers: [], links: [] })
})

test.each([
  [
    true,
    8,
    '@backend is here already\n  hint: show its terminal with: agent-chat attach backend\n',
  ],
  [false, 4, '@backend is not among the sessions that can come back\n'],
])('a session whose agent runs (%s) is said to be here', async (runs, code, said) => {
  const { home, processes } = tempBus(['backend'])
  const agent = runs ? processes.self() : { pid: processes.self().pid, started: '00000000-1' }
  const backend = { name: 'backend', pane: null, joined_at: '2026-11-21T03:39:12.123Z', agent }
  writeFileSync(home.sessions, JSON.stringify({ backend }))
  const run = await runCli(['resume', 'backend', '--dry-run'], { home: home.root })
  expect(run).toMatchObject({ code, stdout: '' })
  expect(run.stderr.startsWith(`agent-chat: ${said}`)).toBe(true)
})

test.each<
  [what: string, launch: { program: string | null; command: string | null }, asks: string[]]
>([
  ['Claude Code', { program: 'claude', command: null }, []],
  ['Codex', { program: 'codex', command: 'codex' }, []],
  ['an option of its command line', { program: 'codex', command: 'codex --yolo' }, ['--cmd']],
  ['a variable before it', { program: 'codex', command: 'A=b codex' }, ['--cmd']],
  ['a program of its name elsewhere', { program: 'codex', command: './codex' }, ['--cmd']],
  ['another agent’s program', { program: 'codex', command: 'claude' }, ['--cmd']],
  ['a command that is no agent', { program: null, command: 'my-agent' }, ['--cmd']],
  ['Claude Code, where a record names another agent', { program: 'codex', command: null }, []],
])('a command line of the user’s own is asked about: %s', async (_, launch, asks) => {
  const bus = tempBus()
  const gone = { pid: bus.processes.self().pid, started: '00000000-1' }
  const how = { args: [], cwd: tempDirectory(), config: null, agent: gone, server: null }
  noteLaunch(bus, 'backend', { ...how, ...launch, started: new Date().toISOString() })
  const { stdout } = await runCli(['resume', '--dry-run', '--json'], { home: bus.home.root })
  const [row] = JSON.parse(stdout).sessions
  expect(row).toMatchObject({ name: 'backend', asks })
  if (launch.command === null) expect(row.agent).toBe('claude')
})

test('nothing of a record moves the cursor, or is another row', async () => {
  const bus = tempBus()
  const cwd = join(tempDirectory(), '\u001b[2Ja\n@frontend  ~')
  mkdirSync(cwd)
  const gone = { pid: bus.processes.self().pid, started: '00000000-1' }
  const args = ['--permission-mode', '\u001b[8mplan', '--\u001b[2J', '--\nx', '\r@other']
  const how = { program: 'claude', command: null, config: null, agent: gone, server: null }
  noteLaunch(bus, 'backend', { ...how, args, cwd, started: new Date().toISOString() })
  const { stdout } = await runCli(['resume', '--dry-run'], { home: bus.home.root })
  expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  expect(stdout).not.toMatch(/[\u001b\r]/)
})
