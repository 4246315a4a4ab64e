import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { AGENTS } from '../agents/agents.ts'
import type { Bus } from '../bus/bus.ts'
import { markRead } from '../bus/mail/inbox.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { claimRing, ringMark, settleRing } from '../session/rings.ts'
import { readRings } from '../session/ringsFile.ts'
import { believedState, readState } from '../session/stateFile.ts'
import type { ProcessRef } from '../system/processes.ts'
import {
  DIST,
  HOOK,
  outcome,
  ROOT,
  type RunOptions,
  runCli,
  runHookProcess,
} from '../testing/cli.ts'
import { eventsOf, filesIn, tempBus, tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { HOOKS as SESSION_HOOKS } from './main.ts'
import { AFTER_TOOL, BEFORE_TOOL } from './tools.ts'

const HOOKS = { ...SESSION_HOOKS, ...BEFORE_TOOL, ...AFTER_TOOL }

type Agent = { ref: ProcessRef; end: () => Promise<void> }
type World = { bus: Bus; agent: Agent }

/** A process that stands for a Claude Code: its hooks carry its pid. */
function startAgent(bus: Bus): Agent {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const info = bus.processes.find(child.pid ?? 0)
  if (!info) throw new Error('sleep did not start')
  const ref = { pid: info.pid, started: info.started }
  const end = async () => {
    child.kill('SIGKILL')
    await until('the agent to end', () => !bus.processes.isAlive(ref))
  }
  return { ref, end }
}

/** A home in which @frontend is at work as the agent that is given back. */
function world(doorbell = 'auto'): World {
  const bus = tempBus(['frontend', 'backend'])
  const agent = startAgent(bus)
  const session = { name: 'frontend', agent: agent.ref, native: true, doorbell }
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ frontend: session, backend: { name: 'backend' } }),
  )
  return { bus, agent }
}

function hook(
  { bus, agent }: World,
  word: string,
  payload: unknown = {},
  options: Partial<RunOptions> = {},
) {
  const env = { AGENT_CHAT_NAME: 'frontend', CLAUDE_PID: String(agent.ref.pid), ...options.env }
  return runHookProcess(word, payload, { home: bus.home.root, ...options, env })
}

const SILENT = { code: 0, signal: null, stdout: '', stderr: '' }
const activity = ({ bus }: World) => believedState(bus.home, 'frontend', bus.processes)?.activity
const send = ({ bus }: World, from = 'backend') =>
  sendMessage(bus, { from, to: 'frontend', kind: 'note', body: 'ready' }).message.id
const changed = ({ bus }: World) => ({ file_path: bus.home.ring('frontend'), event: 'change' })
const start = (here: World, source = 'startup', session_id = 'one') =>
  hook(here, 'session-start', { source, session_id })

/** Sets every time in a file back by so many seconds. */
function agoInFile(path: string, seconds: number): void {
  const back = (time: string) => new Date(Date.parse(time) - seconds * 1000).toISOString()
  writeFileSync(path, readFileSync(path, 'utf8').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, back))
}

describe('hooks.json and the hooks', () => {
  const { hooks } = JSON.parse(readFileSync(join(ROOT, 'hooks/hooks.json'), 'utf8'))
  const groups = Object.values(hooks).flat() as { hooks: { args: string[] }[] }[]
  const own = groups.flatMap((group) => group.hooks.map(({ args }) => args.at(-1)))
  const others = AGENTS.flatMap(({ hooks }) => hooks?.events.map(({ word }) => word) ?? [])
  const words = [...own, ...others]

  test('name the same words', () => {
    expect([...new Set(words)].sort()).toEqual(Object.keys(HOOKS).sort())
  })

  test('of a tool call, and none else, are known by their word before they are loaded', () => {
    const ofTools = Object.keys(HOOKS).filter((word) => word.endsWith('-tool-use'))
    expect(ofTools).toEqual(Object.keys({ ...BEFORE_TOOL, ...AFTER_TOOL }))
  })

  test('say for every word what a fault of our own means', () => {
    for (const { onFault, costs } of Object.values(HOOKS)) {
      expect(['open', 'closed']).toContain(onFault)
      expect(costs).toMatch(/\w{3}/)
    }
  })
})

describe('what a session is doing', () => {
  const STEPS: [word: string, payload: Record<string, unknown>, then: string][] = [
    ['session-start', { source: 'startup', session_id: 'one' }, 'idle'],
    ['user-prompt-submit', { prompt: 'hello' }, 'busy'],
    ['permission-request', { tool_name: 'Bash' }, 'asking'],
    ['user-prompt-submit', { prompt: 'in a subagent', agent_id: 'a1' }, 'asking'],
    ['stop', { agent_id: 'a1' }, 'asking'],
    ['post-tool-use', { tool_name: 'Bash' }, 'busy'],
    ['post-tool-use', { tool_name: 'Read' }, 'busy'],
    ['notification', { notification_type: 'permission_prompt' }, 'asking'],
    ['notification', { notification_type: 'auth_success' }, 'asking'],
    ['post-tool-use', { tool_name: 'Bash' }, 'busy'],
    ['permission-request', { tool_name: 'Edit', agent_id: 'a1' }, 'asking'],
    ['stop', {}, 'idle'],
    ['post-tool-use', { tool_name: 'Late' }, 'idle'],
    ['user-prompt-submit', { prompt: 'hello' }, 'busy'],
    ['session-start', { source: 'compact', session_id: 'one' }, 'busy'],
    ['notification', { notification_type: 'idle_prompt' }, 'idle'],
    ['user-prompt-submit', { prompt: 'hello' }, 'busy'],
    ['session-end', { reason: 'clear', session_id: 'one' }, 'busy'],
    ['session-start', { source: 'clear', session_id: 'two' }, 'idle'],
    ['session-start', { source: 'compact', session_id: 'two' }, 'idle'],
    ['session-end', { reason: 'resume', session_id: 'two' }, 'idle'],
    ['session-start', { source: 'resume', session_id: 'three' }, 'idle'],
    ['session-end', { reason: 'prompt_input_exit', session_id: 'three' }, 'gone'],
  ]
  test('is told by its hooks, one after the other', async () => {
    const here = world()
    for (const [at, [word, payload, then]] of STEPS.entries()) {
      const { code } = await hook(here, word, payload)
      expect([at, word, code, activity(here)]).toEqual([at, word, 0, then])
    }
    expect(readState(here.bus.home, 'frontend')).toMatchObject({
      session_id: 'three',
      agent: here.agent.ref,
      native: true,
    })
    expect(filesIn(here.bus.home.logs)).toEqual([])
  })

  // `StopFailure` of Claude Code 2.1.329: `error`, and where known `error_details` and its last words.
  const FAILURES: [payload: Record<string, unknown>, error: string][] = [
    [
      { error: 'rate_limit', last_assistant_message: 'API Error: 529 Overloaded' },
      '529 Overloaded',
    ],
    [
      { error: 'authentication_failed', last_assistant_message: 'Please run /login\n?' },
      'Please run /login',
    ],
    [{ error: 'invalid_request', error_details: '400 too long' }, '400 too long'],
    [{ error: 'server_error' }, 'server_error'],
    [{}, 'unknown'],
  ]
  test.each(FAILURES)(
    'a turn that fails with %j is idle and failed, until one ends well',
    async (more, error) => {
      const here = world()
      const failed = () => readState(here.bus.home, 'frontend')?.failed
      await start(here)
      await hook(here, 'user-prompt-submit', { prompt: 'hello' })
      await hook(here, 'stop', { hook_event_name: 'StopFailure', agent_id: 'a1', ...more })
      expect(failed()).toBeUndefined()
      await hook(here, 'stop', { hook_event_name: 'StopFailure', ...more })
      expect(activity(here)).toBe('idle')
      expect(failed()).toEqual({ error, at: expect.stringMatching(/^\d{4}-/), times: 1 })
      const run = (args: string[]) => runCli(args, { home: here.bus.home.root })
      for (const args of [['who'], ['who', 'frontend'], ['status', 'frontend']])
        expect((await run(args)).stdout).toContain(`: ${error}`)
      const { sessions } = JSON.parse((await run(['who', '--json'])).stdout)
      expect(sessions.find(({ name }: { name: string }) => name === 'frontend').failed).toEqual(
        failed(),
      )
      await hook(here, 'user-prompt-submit', { prompt: 'again' })
      expect(failed()?.error).toBe(error)
      await hook(here, 'stop', { hook_event_name: 'Stop', last_assistant_message: 'done' })
      expect(failed()).toBeUndefined()
    },
  )

  test('is whole after twenty hooks at once', async () => {
    const here = world()
    await start(here)
    await hook(here, 'user-prompt-submit', { prompt: 'hello' })
    const words = ['permission-request', 'post-tool-use', 'notification', 'user-prompt-submit']
    const runs = Array.from({ length: 20 }, (_, at) =>
      hook(here, words[at % 4] ?? '', { notification_type: 'permission_prompt' }),
    )
    for (const run of await Promise.all(runs)) expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(activity(here)).toMatch(/^(busy|asking)$/)
    await hook(here, 'stop')
    expect(activity(here)).toBe('idle')
    expect(filesIn(here.bus.home.logs)).toEqual([])
    expect(filesIn(here.bus.home.states).filter((file) => /lock|tmp|stale/.test(file))).toEqual([])
  })

  test('is not believed once the agent was killed, until the next one tells', async () => {
    const here = world()
    await start(here)
    await hook(here, 'user-prompt-submit', { prompt: 'hello' })
    await here.agent.end()
    expect(readState(here.bus.home, 'frontend')?.activity).toBe('busy')
    expect(activity(here)).toBeUndefined()
    const { stdout } = await runCli(['who', '--json'], { home: here.bus.home.root })
    expect(JSON.parse(stdout).sessions[1]).toMatchObject({
      name: 'frontend',
      state: 'gone',
      alive: 'gone',
    })
    const next = { ...here, agent: startAgent(here.bus) }
    await start(next, 'resume')
    expect(activity(next)).toBe('idle')
    expect(readState(here.bus.home, 'frontend')?.agent).toEqual(next.agent.ref)
  })

  test('is not that of another Claude Code which the agent has started, and which has its name', async () => {
    const here = world()
    await start(here)
    send(here)
    const nested = { ...here, agent: startAgent(here.bus) }
    for (const [word, payload] of [
      ['user-prompt-submit', { prompt: 'nested' }],
      ['permission-request', {}],
      ['session-end', { reason: 'other' }],
      ['bell', changed(here)],
      ['start-ring', {}],
      ['stop-ring', {}],
    ] as const)
      expect(await hook(nested, word, payload)).toEqual(SILENT)
    expect((await start(nested)).stdout).not.toContain('frontend')
    expect(activity(here)).toBe('idle')
    expect(readRings(here.bus.home, 'frontend').groups).toEqual([])
  })

  test.each(['', '[]', '{"prompt":'])(
    'a payload that is none (%j) is logged, and harms nothing',
    async (text) => {
      const here = world()
      await start(here)
      const runs = await Promise.all(Object.keys(HOOKS).map((word) => hook(here, word, text)))
      for (const run of runs) expect(run).toMatchObject({ code: 0, signal: null, stderr: '' })
      // Where a line crosses a page, another process may take it for one that a crash left open,
      // and closes it: that is an empty line.
      const lines = readFileSync(here.bus.home.hookLog, 'utf8').split('\n').filter(Boolean)
      expect(lines).toHaveLength(Object.keys(HOOKS).length)
      for (const line of lines)
        expect(line).toMatch(/^\d{4}-\S+Z [a-z-]+: Error: the payload is not a JSON object/)
    },
  )
})

describe('the native doorbell', () => {
  const ring = (here: World, payload: unknown = changed(here)) => hook(here, 'bell', payload)
  const rang = (text: string) => ({ code: 2, signal: null, stdout: '', stderr: `${text}\n` })

  test('wakes the agent once for a batch, and says so in the history', async () => {
    const here = world()
    await start(here)
    const first = send(here)
    expect(await ring(here)).toEqual(rang('New message from @backend. Check inbox.'))
    expect(await ring(here)).toEqual(SILENT)
    expect(await hook(here, 'start-ring')).toEqual(SILENT)
    const more = [send(here, 'docs'), send(here)]
    expect(await ring(here)).toEqual(rang('2 new messages from @docs, @backend. Check inbox.'))
    for (const event of ['rung', 'presented'])
      expect(eventsOf(here.bus.home, event)).toMatchObject([
        { ids: [first], to: 'frontend', doorbell: 'native' },
        { ids: more, to: 'frontend', doorbell: 'native' },
      ])
  })

  test('rings once, whoever hears it first', async () => {
    const here = world()
    await start(here)
    for (let count = 0; count < 5; count += 1) send(here)
    const runs = await Promise.all(Array.from({ length: 8 }, () => ring(here)))
    expect(runs.filter(({ code }) => code === 2)).toEqual([
      rang('5 new messages from @backend. Check inbox.'),
    ])
    expect(runs.filter(({ code }) => code !== 2)).toEqual(Array.from({ length: 7 }, () => SILENT))
  })

  test('rings at the start for what was unread before', async () => {
    const here = world()
    send(here)
    await start(here)
    expect(await hook(here, 'start-ring')).toEqual(rang('New message from @backend. Check inbox.'))
  })

  test('is silent for what was read meanwhile', async () => {
    const here = world()
    await start(here)
    markRead(here.bus, 'frontend', send(here))
    expect(await ring(here)).toEqual(SILENT)
  })

  test('is silent while all doorbells are paused, and rings after', async () => {
    const here = world()
    send(here)
    const { paused } = here.bus.home
    writeFileSync(paused, '')
    expect(await ring(here)).toEqual(SILENT)
    rmSync(paused)
    expect(await ring(here)).toEqual(rang('New message from @backend. Check inbox.'))
  })

  test.each(['tmux', 'stdout'])(
    'is silent where the session has chosen the %s doorbell',
    async (doorbell) => {
      const here = world(doorbell)
      await start(here)
      send(here)
      expect(await ring(here)).toEqual(SILENT)
      expect(await hook(here, 'start-ring')).toEqual(SILENT)
      expect(believedState(here.bus.home, 'frontend', here.bus.processes)?.native).toBe(false)
    },
  )

  test('is silent for the bell of another, and for no bell at all', async () => {
    const here = world()
    send(here)
    const { home } = here.bus
    for (const file_path of [
      home.ring('backend'),
      home.sessions,
      `${home.bell('frontend')}/x/ring`,
      7,
      undefined,
    ])
      expect(await ring(here, { file_path })).toEqual(SILENT)
  })

  test('has not rung where nobody could hear it: the next one rings', async () => {
    const here = world()
    send(here)
    const deaf = spawn(RUNTIME, [join(DIST, HOOK), 'bell'], {
      env: {
        PATH: process.env.PATH,
        AGENT_CHAT_HOME: here.bus.home.root,
        AGENT_CHAT_NAME: 'frontend',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    deaf.stderr.destroy()
    deaf.stdin.end(JSON.stringify(changed(here)))
    await outcome(deaf)
    expect(eventsOf(here.bus.home, 'presented')).toEqual([])
    expect(await ring(here)).toEqual(rang('New message from @backend. Check inbox.'))
  })
})

describe('a prompt', () => {
  const prompt = (here: World, text: string) => hook(here, 'user-prompt-submit', { prompt: text })

  test('that is the line which the tmux doorbell typed presents that ring, and tells the model nothing more', async () => {
    const here = world()
    await start(here)
    const id = send(here)
    claimRing(here.bus, 'frontend', 'tmux')
    settleRing(here.bus, 'frontend', 'tmux', [id], false)
    const { code, stdout, stderr } = await prompt(here, 'New message from @backend. Check inbox.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('additionalContext')
    expect(ringMark(here.bus.home, 'frontend', id)).toMatchObject({
      by: 'tmux',
      presented: expect.any(String),
    })
    expect(eventsOf(here.bus.home, 'presented')).toMatchObject([{ ids: [id], doorbell: 'tmux' }])
    expect(activity(here)).toBe('busy')
  })

  test('of a human tells once, in one line, of what no doorbell got through', async () => {
    const here = world()
    await start(here)
    const ids = [send(here), send(here, 'docs')]
    const { code, stdout, stderr } = await prompt(here, 'hello')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
      hookEventName: 'UserPromptSubmit',
      additionalContext:
        'agent-chat: 2 messages are unread from @backend, @docs; `agent-chat inbox` prints them and marks them read.',
    })
    expect(eventsOf(here.bus.home, 'presented')).toMatchObject([{ ids, doorbell: 'prompt' }])
    expect(await prompt(here, 'hello again')).toEqual(SILENT)
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
  })

  test('of a human tells of a native ring whose hook was killed before it could wake the agent', async () => {
    const here = world()
    await start(here)
    const id = send(here)
    const killed = await hook(here, 'bell', changed(here), {
      env: { AGENT_CHAT_FAULT: 'bell:noted' },
    })
    expect(killed.signal).toBe('SIGKILL')
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
    agoInFile(here.bus.home.state('frontend'), 60)
    agoInFile(here.bus.home.rings('frontend'), 20)
    expect((await prompt(here, 'hello')).stdout).toContain('1 message is unread from @backend')
    expect(eventsOf(here.bus.home, 'presented')).toMatchObject([
      { ids: [id], doorbell: 'native' },
      { ids: [id], doorbell: 'prompt' },
    ])
    await hook(here, 'stop')
    expect(await prompt(here, 'hello again')).toEqual(SILENT)
  })

  test('of a human is silent about a native ring just now, and about one that a turn came after', async () => {
    const here = world()
    await start(here)
    send(here)
    const { home } = here.bus
    agoInFile(home.state('frontend'), 60)
    const { stderr } = await hook(here, 'bell', changed(here))
    expect(await prompt(here, 'hello')).toEqual(SILENT)
    await hook(here, 'stop')
    agoInFile(home.rings('frontend'), 20)
    await prompt(
      here,
      `<task-notification>from command "FileChanged": ${stderr.trim()}</task-notification>`,
    )
    await hook(here, 'stop')
    expect(await prompt(here, 'hello again')).toEqual(SILENT)
  })

  test('of a subagent, or with nothing unread, adds nothing', async () => {
    const here = world()
    expect(await prompt(here, 'hello')).toEqual(SILENT)
    send(here)
    expect(await hook(here, 'user-prompt-submit', { prompt: 'x', agent_id: 'a1' })).toEqual(SILENT)
  })
})

/** The name, and the beginning of the PATH, that a command has which the agent `pid` runs. */
function told(file: string, pid = process.pid): string {
  const script = 'set -e; . "$0"; . "$0"; printenv AGENT_CHAT_NAME || echo nobody; echo "$PATH"'
  const env = { PATH: '/usr/bin:/bin', CLAUDE_PID: String(pid), AGENT_CHAT_NAME: 'inherited' }
  const said = execFileSync('sh', ['-c', script, file], { env, encoding: 'utf8' })
  return said.split(':')[0]?.replace('\n', ' ') ?? ''
}

describe('joining from inside an agent that nobody launched', () => {
  test('reaches the agent: its bell is armed, and its later commands know the name, until it leaves', async () => {
    const bus = tempBus(['backend'])
    const file = `${tempDirectory()}/env.sh`
    // This process is above the command and above the hook, as a Claude Code is.
    const root = { CLAUDE_PLUGIN_ROOT: '/plugin' }
    const env = { CLAUDE_PID: String(process.pid), CLAUDE_ENV_FILE: file, ...root }
    const own = { file_path: join(bus.home.joinsBell, String(process.pid)), event: 'change' }
    const cli = (...args: string[]) => runCli(args, { home: bus.home.root, env })
    const run = (word: string, payload: unknown) =>
      runHookProcess(word, payload, { home: bus.home.root, env })
    const paths = async (ran: ReturnType<typeof run>) =>
      JSON.parse((await ran).stdout).hookSpecificOutput.watchPaths

    expect(await paths(run('session-start', { source: 'startup' }))).toEqual([bus.home.joinsBell])
    expect(await cli('join', 'docs')).toMatchObject({ code: 0, stdout: 'joined as @docs\n' })
    expect(filesIn(bus.home.joinsBell)).toEqual([String(process.pid)])
    expect(await paths(run('joined', own))).toEqual([bus.home.bell('docs'), bus.home.joinsBell])
    expect(told(file)).toBe('docs /plugin/bin')

    sendMessage(bus, { from: 'backend', to: 'docs', kind: 'note', body: 'ready' })
    // The command runs in a turn; when that is over, the bell is rung for.
    expect(await run('bell', { file_path: bus.home.ring('docs') })).toEqual(SILENT)
    await run('stop', {})
    expect(await run('bell', { file_path: bus.home.ring('docs') })).toMatchObject({ code: 2 })
    // `/clear` begins a new conversation, with a new file.
    writeFileSync(file, '')
    await run('session-start', { source: 'clear', session_id: 'two' })
    expect(told(file)).toBe('docs /plugin/bin')
    await run('cwd-changed', {})
    expect(told(file)).toBe('docs /plugin/bin')
    // The host keeps the file for whoever resumes the conversation.
    expect(told(file, 1)).toBe('inherited /usr/bin')

    expect(await cli('leave')).toMatchObject({
      code: 0,
      stdout: '@docs has left; 1 unread message kept\n',
    })
    expect(await paths(run('joined', own))).toEqual([bus.home.joinsBell])
    expect(told(file)).toBe('nobody /plugin/bin')
    expect(told(file, 1)).toBe('inherited /usr/bin')
    expect(await run('bell', { file_path: bus.home.ring('docs') })).toEqual(SILENT)
  })

  test('and of which the home was removed does not bring it back', async () => {
    const here = world()
    const told = {
      file_path: join(here.bus.home.joinsBell, String(here.agent.ref.pid)),
      event: 'unlink',
    }
    rmSync(here.bus.home.root, { recursive: true })
    expect(await hook(here, 'joined', told)).toEqual(SILENT)
    expect(existsSync(here.bus.home.root)).toBe(false)
  })

  test('is no news for another agent', async () => {
    const here = world()
    const told = { file_path: join(here.bus.home.joinsBell, '4194000'), event: 'change' }
    expect(await hook(here, 'joined', told)).toEqual(SILENT)
  })
})
