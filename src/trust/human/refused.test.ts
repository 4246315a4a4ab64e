import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Bus } from '../../bus/bus.ts'
import { agentsOn } from '../../testing/agent.ts'
import { DIST, type RunOptions, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { runAsHuman } from '../../testing/human.ts'
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
    ['bridge', 'run'],
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

  test('is refused under the name of a session whose turn is yours', async () => {
    const { bus, agents } = await agentsOn('frontend', 'backend')
    await agents[0]?.human()
    const approve = ['approve', '@backend']
    const as = { AGENT_CHAT_NAME: 'frontend' }
    const run = await byAgent(bus, approve, { env: { CODEX_THREAD_ID: 'x', ...as } })
    expect(run).toMatchObject({ code: 3, stderr: expect.stringMatching(/CODEX_THREAD_ID/) })
    expect(await byAgent(bus, approve, { env: as })).toMatchObject({ code: 0 })
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
