import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Bus } from '../../bus/bus.ts'
import { shellQuoted } from '../../system/shellQuoted.ts'
import { agentsOn } from '../../testing/agent.ts'
import { DIST, type RunOptions, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempBus, tempDirectory } from '../../testing/home.ts'
import { runAsHuman } from '../../testing/human.ts'
import { leftOut } from '../../testing/leftOut.ts'
import { until } from '../../testing/until.ts'
import { questionsToHuman } from '../sendGate/questions.ts'

/** Marks that an agent leaves in what it runs, each of another one. */
const MARKS: Record<string, string>[] = [
  { CLAUDECODE: '1', CLAUDE_PID: '17' },
  { CODEX_THREAD_ID: 'x' },
  { OPENCODE: '1' },
  { GEMINI_CLI: '1' },
]

const asked = async (): Promise<Bus> => {
  const bus = tempBus(['backend', 'frontend'])
  const env = { AGENT_CHAT_NAME: 'backend', AGENT_CHAT_NOTIFY: 'off' }
  const question = ['escalate', 'Deploy?', '--option', 'yes', '--option', 'no']
  expect(await runCli(question, { home: bus.home.root, env })).toMatchObject({ code: 0 })
  return bus
}

/** As an agent that never joined runs it, whatever the tests run in. */
const byAgent = (bus: Bus, args: string[], more: Partial<RunOptions> = {}) =>
  runCli(args, { home: bus.home.root, env: { CLAUDECODE: '1' }, ...more })

describe('an agent that never joined', () => {
  test.each([
    ['approve', '@frontend', '--as', 'backend'],
    ['unpause'],
    ['resume', '--all'],
    ['release', 'x'],
    ['schedule', '@backend', '@daily', 'x'],
    ['schedule', 'run', 'x'],
    ['schedule', 'remove', 'x'],
    ['up'],
    ['down'],
    ['agents', 'allow', 'coder'],
    ['link', 'build'],
    ['link', '--allow', 'build'],
    ['unlink', 'build'],
    ['bridge', 'init'],
    ['bridge', 'join', 'x.invitation'],
    ['bridge', 'run'],
    ['claim', '--take', 'src/**'],
    ['stop', 'backend'],
    ['stop', '--all'],
    ['leave', 'backend'],
    ['rename', 'backend', 'other'],
    ['prune', '--older-than', '1d'],
    ['console', '--plain'],
    ['web', '--stop'],
    ['allow', 'npm test'],
    ['resume', 'backend'],
    ['release', '--all'],
    ['reply', '1', '1', '--as', 'human'],
    ['reply', '#1', 'no', '--as', 'human'],
    ['send', '@backend', '--as', 'human', '--reply-to', 'from-backend', '1'],
    ['send', '@frontend', '--as', 'human', '--reply-to', 'from-backend', '1'],
  ])('is refused %s %s', async (...args) => {
    const bus = await asked()
    const before = filesIn(bus.home.messages)
    const run = await byAgent(
      bus,
      args.filter((word) => word !== undefined),
    )
    expect(run).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /CLAUDECODE is in the environment of .*\n {2}hint: .*open a new window of your terminal/,
      ),
    })
    expect(run.stderr).not.toMatch(/unset|env -u/)
    expect(filesIn(bus.home.messages)).toEqual(before)
    expect(questionsToHuman(bus)).toHaveLength(1)
  })

  test('is refused restart of a worker that is defined', async () => {
    const bus = tempBus()
    expect(await byAgent(bus, ['agents', 'init'])).toMatchObject({ code: 0 })
    expect(await byAgent(bus, ['restart', 'researcher'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/restart is for your user only, and CLAUDECODE/),
    })
    expect(filesIn(bus.home.workers)).toEqual([])
  })

  test('is refused under the name of a session whose turn is yours', async () => {
    const { bus, agents } = await agentsOn('frontend', 'backend')
    await agents[0]?.human()
    const approve = ['approve', '@backend']
    const as = { AGENT_CHAT_NAME: 'frontend' }
    const run = await byAgent(bus, approve, { env: { CODEX_THREAD_ID: 'x', ...as } })
    expect(run).toMatchObject({ code: 3, stderr: expect.stringMatching(/CODEX_THREAD_ID/) })
    expect(await byAgent(bus, approve, { env: as })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('and nothing shows that the agent of @frontend runs this'),
    })
    expect(await agents[0]?.chat(...approve)).toMatchObject({ code: 0 })
  })

  test.each<[what: string, more: (pid: number) => Record<string, string>, below: string]>([
    ['its name', () => ({}), 'CODEX_THREAD_ID=x'],
    ['its name and its pid', (pid) => ({ CLAUDE_PID: `${pid}` }), 'CLAUDECODE=1'],
    ['its name and its pid, by another agent', (pid) => ({ CLAUDE_PID: `${pid}` }), 'GEMINI_CLI=1'],
    ['its name and its pane', () => ({ TMUX: '/s,1,0', TMUX_PANE: '%1' }), 'QWEN_CODE=1'],
  ])(
    'is refused in the place of a session whose turn is yours, with %s',
    async (_, more, below) => {
      const { bus, agents } = await agentsOn('frontend', 'backend')
      await agents[0]?.human()
      const env = { AGENT_CHAT_NAME: 'frontend', ...more(agents[0]?.ref.pid ?? 0) }
      const given = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      // The agent's shell has its mark; the command itself says that it is the session's own.
      const shell = ['-i', `PATH=${process.env.PATH}`, `AGENT_CHAT_HOME=${bus.home.root}`, below]
      const line = `env -u ${below.split('=')[0]} "$@"; exit $?`
      const command = [RUNTIME, `${DIST}/main.js`, 'approve', '@backend']
      const run = spawnSync('env', [...shell, 'sh', '-c', line, 'sh', ...given, ...command], {
        encoding: 'utf8',
      })
      expect(run).toMatchObject({
        status: 3,
        stderr: expect.stringContaining(' is in the environment of sh '),
      })
    },
  )

  test('may pause', async () => {
    expect(await byAgent(await asked(), ['pause'])).toMatchObject({ code: 0 })
  })

  test.each(MARKS)('sends in the name of @human, not proven: %j', async (env) => {
    const bus = await asked()
    const send = ['send', '@frontend', 'do it', '--as', 'human', '--json']
    const run = await byAgent(bus, send, { env })
    expect(JSON.parse(run.stdout)).toMatchObject({ from: 'human', proven: false, hops: 1 })
    expect(run.stderr).toMatch(/sent in the name of @human, not proven: \w+ is in the environment/)
    expect(eventsOf(bus.home, 'typed')).toEqual([])
    expect(filesIn(bus.home.words)).toEqual([])
    const { stdout } = await runCli(['inbox', 'frontend'], { home: bus.home.root })
    expect(stdout).toMatch(/^1 unread message for @frontend, not proven to be from your user:/)
    expect(stdout).toContain('in the name of @human, not proven · note')
    expect(stdout).not.toContain('Your user wrote this')
  })

  test('answers with the hops of a message', async () => {
    const bus = await asked()
    const [id = ''] = filesIn(bus.home.inbox('human'))
    const reply = ['reply', id.replace('.md', ''), 'x', '--question', '--as', 'human', '--json']
    expect(JSON.parse((await byAgent(bus, reply)).stdout)).toMatchObject({ proven: false, hops: 1 })
    expect(questionsToHuman(bus)).toHaveLength(1)
    expect(filesIn(bus.home.inbox('human'))).toHaveLength(1)
  })
})

/** A list of processes of its own, in which no session is seen. */
const SANDBOX = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc']

/** @frontend is in a turn of yours. Runs a command that nothing is above but what is given. */
async function orphan(
  args: string[],
  env: (pid: number) => Record<string, string>,
  above: string[] = [],
  more: Record<string, unknown> = {},
) {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  await agents[0]?.human()
  const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  const frontend = { ...sessions.frontend, ...more }
  writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, frontend }))
  const given = { AGENT_CHAT_HOME: bus.home.root, ...env(agents[0]?.ref.pid ?? 0) }
  const dir = tempDirectory()
  for (const name of ['codex', 'claude'])
    if (above[0] === name) copyFileSync(realpathSync('/bin/sh'), `${dir}/${name}`)
  const words = [...above, RUNTIME, `${DIST}/main.js`, ...args].map(shellQuoted).join(' ')
  const line = `( ${words} >${dir}/out 2>&1; echo $? >${dir}/new; mv ${dir}/new ${dir}/code ) &`
  spawnSync('sh', ['-c', line], { env: { PATH: `${dir}:${process.env.PATH}`, ...given } })
  await until('the orphan', () => existsSync(`${dir}/code`))
  const [code, said] = ['code', 'out'].map((file) => readFileSync(`${dir}/${file}`, 'utf8'))
  return { code: Number(code), said }
}

const IN_SANDBOX = spawnSync('unshare', [...SANDBOX.slice(1), 'true']).status === 0

describe('the name of a session whose turn is yours, which nothing above confirms', () => {
  test.each([
    ['approve', '@backend'],
    ['unpause'],
    ['release', '--all'],
    ['schedule', '@backend', '@daily', 'x'],
    ['up'],
    ['agents', 'allow', 'coder'],
    ['link', 'build'],
    ['bridge', 'init'],
    ['stop', 'backend'],
    ['rename', 'backend', 'other'],
  ])('gives no right to %s', async (...args) => {
    const ran = await orphan(args, () => ({ AGENT_CHAT_NAME: 'frontend' }))
    expect(ran.said).toContain(
      'is for your user only, and nothing shows that the agent of @frontend runs this',
    )
    expect(ran.code).toBe(3)
  })

  const named = { AGENT_CHAT_NAME: 'frontend' }
  test.each<[what: string, env: (pid: number) => Record<string, string>]>([
    ['its pid', (pid) => ({ ...named, CLAUDE_PID: `${pid}` })],
    ['its pane', () => ({ ...named, TMUX: '/s,1,0', TMUX_PANE: '%1' })],
    ['its pane, of no server', () => ({ ...named, TMUX: '/s', TMUX_PANE: '%1' })],
    ['its gate off', () => ({ ...named, AGENT_CHAT_GATE: 'off' })],
  ])('nor with %s', async (_, env) => {
    const pane = { pane: '%1', tmux_socket: '/s' }
    expect(await orphan(['approve', '@backend'], env, [], pane)).toMatchObject({
      code: 3,
      said: expect.stringContaining('approve is for your user only, and '),
    })
  })

  test.each<[what: string, TMUX: string, code: number]>([
    ['no server', '/s', 3],
    ['the first process', '/s,1,0', 3],
    ['a server that is not above', `/s,${process.pid},0`, 6],
  ])('nor with its pane alone, of %s', async (_, TMUX, code) => {
    const pane = { pane: '%1', tmux_socket: '/s' }
    const env = { TMUX, TMUX_PANE: '%1' }
    expect(await orphan(['approve', '@backend'], () => env, [], pane)).toMatchObject({ code })
  })

  test.each<[what: string, more: Record<string, unknown>, code: number]>([
    ['in a sandbox', {}, 3],
    ['in a sandbox, of another agent without one', { program: 'gemini' }, 3],
    ['but where its agent runs each command so', { program: 'codex' }, 0],
  ])('nor %s', leftOut(!IN_SANDBOX && 'unshare makes no list'), async (_, more, code) => {
    const ran = await orphan(['approve', '@backend'], () => named, SANDBOX, more)
    expect(ran).toMatchObject({ code })
  })

  test.each<[program: string, more: Record<string, unknown>, code: number]>([
    ['codex', {}, 6],
    ['codex', { program: 'codex', native: false }, 3],
    ['codex', { agent: null, native: false }, 3],
    ['claude', { program: 'codex', native: false }, 6],
  ])(
    'nor below another agent that is called %s, %j',
    leftOut(process.platform !== 'linux' && 'the shell of this system cannot be copied'),
    async (program, more, code) => {
      const above = [program, '-c', '"$@"; exit $?', program]
      const { code: ended, said } = await orphan(['approve', '@backend'], () => named, above, more)
      expect([ended, said]).toEqual([code, expect.stringContaining('  hint: ')])
    },
  )
})

describe('a script', () => {
  test.each([
    ['approve', '@frontend', '--as', 'backend'],
    ['unpause'],
    ['reply', '1', '1', '--as', 'human'],
  ])('may not: %s', async (...args) => {
    const run = await runCli(args, { home: (await asked()).home.root })
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('it has no terminal') })
  })

  test.each([
    ['pause'],
    ['down'],
    ['stop', '--all'],
    ['leave', 'backend'],
    ['prune', '--older-than', '1d'],
  ])('may: %s', async (...args) => {
    expect(await runCli(args, { home: (await asked()).home.root })).toMatchObject({ code: 0 })
  })
})

describe('a person', () => {
  test('answers a decision after others were refused, and is proven', async () => {
    const bus = await asked()
    expect(await byAgent(bus, ['reply', '1', '1', '--as', 'human'])).toMatchObject({ code: 3 })
    const run = await runAsHuman(['reply', '1', '2', '--as', 'human', '--json'], {
      home: bus.home.root,
    })
    expect(JSON.parse(run.stdout)).toMatchObject({ from: 'human', body: '2. no', hops: 0 })
    expect(JSON.parse(run.stdout)).not.toHaveProperty('proven')
    expect(questionsToHuman(bus)).toEqual([])
    expect(filesIn(bus.home.words)).toHaveLength(1)
  })
})
