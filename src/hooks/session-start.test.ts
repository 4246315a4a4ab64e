import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../bus/home.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { readSessions } from '../bus/names/registry.ts'
import { leave } from '../session/leave.ts'
import { readState } from '../session/stateFile.ts'
import { agentsOn, agentsWith, startAgent, type TestAgent } from '../testing/agent.ts'
import { type RunOptions, runHookProcess } from '../testing/cli.ts'
import { OFF, PLUGIN, project, sessionIn } from '../testing/client.ts'
import { filesIn, register, tempBus, tempDirectory, tempHome } from '../testing/home.ts'
import { putInInbox } from '../testing/message.ts'

const NAMED = { AGENT_CHAT_NAME: 'frontend' }
const payload = (source: string) => ({
  session_id: 'x',
  cwd: '/',
  hook_event_name: 'SessionStart',
  source,
})

const hook = (
  home: Home,
  input: unknown = payload('startup'),
  options: Partial<RunOptions> = { env: NAMED },
) => runHookProcess('session-start', input, { home: home.root, ...options })

/** What the hook adds to what the model knows; it must be one line of JSON and nothing else. */
async function context(run: ReturnType<typeof hook>): Promise<string> {
  const { code, stdout, stderr } = await run
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput
  expect(hookEventName).toBe('SessionStart')
  return additionalContext
}

function world(...senders: string[]) {
  const bus = tempBus(['frontend', 'backend'])
  for (const from of senders)
    sendMessage(bus, { from, to: 'frontend', kind: 'note', body: 'SECRET BODY', subject: 'SECRET' })
  return bus.home
}

describe('a session that takes part', () => {
  test.each(['startup', 'resume', 'clear', 'compact', 'fork', 'of a later version'])(
    'is told its name at %s',
    async (source) => {
      expect(await context(hook(world(), payload(source)))).toMatch(
        /^This session is @frontend on agent-chat\./,
      )
    },
  )

  test.each([
    ['startup', 'agent-chat: you are @frontend · also here: @backend · /chat'],
    ['compact', undefined],
  ])('shows the human its name and the others at %s', async (source, line) => {
    const { stdout } = await hook(world(), payload(source))
    expect(JSON.parse(stdout).systemMessage).toBe(line)
  })

  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['', false],
  ])('shows the human that no record is kept (%s)', async (set, isSaid) => {
    const env = { ...NAMED, CLAUDE_CODE_SKIP_PROMPT_HISTORY: set }
    const { stdout } = await hook(world(), payload('startup'), { env })
    expect(JSON.parse(stdout).systemMessage.includes('changes ask you in every turn')).toBe(isSaid)
  })

  test.each([
    [project(OFF), true],
    [PLUGIN, false],
  ])('shows the human that hooks do not run here, if settings say so', async (files, isSaid) => {
    const { bus, session } = await sessionIn(files)
    const env = { AGENT_CHAT_NAME: 'front', CLAUDE_PID: String(session.agent?.pid) }
    const { stdout } = await hook(bus.home, payload('startup'), { env })
    const said =
      /\nagent-chat: hooks do not run here: \S+ has disableAllHooks; messages wait, and only their senders are shown/
    expect(said.test(JSON.parse(stdout).systemMessage)).toBe(isSaid)
  })

  test('is told how many messages are unread, from whom, and how to read them: facts, and nothing that a sender wrote', async () => {
    expect(await context(hook(world()))).toContain('No messages are unread.')
    expect(await context(hook(world('backend')))).toContain(
      '1 message is unread from @backend; `agent-chat inbox`',
    )
    const many = await context(hook(world('backend', 'docs', 'backend')))
    expect(many).toContain('3 messages are unread from @backend, @docs; `agent-chat inbox`')
    expect(many).not.toContain('SECRET')
  })

  test('opens no message, and moves none', async () => {
    const home = world()
    putInInbox(
      home,
      'frontend',
      '20261121T033912.123456Z-from-backend.md',
      '---js\nprocess.exit(99)\n---\n',
    )
    putInInbox(home, 'frontend', '20261121T033912.123457Z-from-Evil; do this.md', 'x')
    expect(await context(hook(home))).toMatch(/ from @backend; /)
    expect(filesIn(home.inbox('frontend'))).toHaveLength(2)
  })

  test('is known by its pane', async () => {
    const home = tempHome()
    writeFileSync(home.sessions, '{"docs": {"pane": "%3", "tmux_socket": "/s"}}')
    const env = { TMUX: '/s,1,0', TMUX_PANE: '%3' }
    expect(await context(hook(home, payload('startup'), { env }))).toContain('@docs')
  })
})

describe('a conversation that is resumed', () => {
  const resumed = (agent: { ref: { pid: number } }, source = 'resume', session_id = 'one') =>
    [{ source, session_id, cwd: '/' }, { env: { CLAUDE_PID: String(agent.ref.pid) } }] as const

  /**
   * @handy ran in an agent that has ended; the watcher has unregistered it, and @backend wrote to
   * it before.
   */
  async function ended() {
    const { bus, agents } = await agentsOn('handy', 'backend')
    const [handy] = agents as [TestAgent]
    await handy.hook('session-start', { source: 'startup', session_id: 'one' })
    sendMessage(bus, { from: 'backend', to: 'handy', kind: 'note', body: 'SECRET' })
    await handy.end()
    await leave('handy', { bus })
    return { bus, handy }
  }

  test('is told the name that it had, what waits there and how to take it: the model, and the human', async () => {
    const { bus } = await ended()
    const { stdout } = await hook(bus.home, ...resumed(startAgent(bus)))
    const { systemMessage, hookSpecificOutput } = JSON.parse(stdout)
    expect(hookSpecificOutput.additionalContext).toBe(
      'This conversation was @handy on agent-chat until its process ended. It is not registered now. 1 message is unread from @backend. `agent-chat join handy` registers it again.',
    )
    expect(systemMessage).toBe(
      'agent-chat: this was @handy. 1 message is unread from @backend. To register it again, ask it to run: agent-chat join handy',
    )
    expect(readSessions(bus.home).handy).toBeUndefined()
  })

  test.each([
    ['where another conversation is resumed', 'resume', 'two'],
    ['where one begins', 'startup', 'one'],
  ])('is told nothing %s', async (_, source, id) => {
    const { bus } = await ended()
    const { stdout } = await hook(bus.home, ...resumed(startAgent(bus), source, id))
    expect(stdout).not.toContain('handy')
  })

  test('is told nothing where another session has the name by now', async () => {
    const { bus } = await ended()
    register(bus.home, 'handy')
    expect((await hook(bus.home, ...resumed(startAgent(bus)))).stdout).not.toContain('handy')
  })

  test('is told nothing where the session had left before', async () => {
    const { bus, agents } = await agentsOn('handy')
    const [handy] = agents as [TestAgent]
    await handy.chat('leave')
    await handy.end()
    const again = resumed(startAgent(bus), 'resume', 'handy')
    expect((await hook(bus.home, ...again)).stdout).not.toContain('handy')
  })

  test('is no session by its pane alone, while that of the ended agent is still registered', async () => {
    const { bus, agents } = await agentsOn('handy')
    const [handy] = agents as [TestAgent]
    const text = readFileSync(bus.home.sessions, 'utf8')
    const pane = '"pane":"%3","tmux_socket":"/s",'
    writeFileSync(
      bus.home.sessions,
      text.replace('"name":"handy",', (name) => name + pane),
    )
    await handy.end()
    const [input, { env }] = resumed(startAgent(bus), 'resume', 'handy')
    const here = { TMUX: '/s,1,0', TMUX_PANE: '%3', ...env }
    expect(await context(hook(bus.home, input, { env: here }))).toMatch(
      /^This conversation was @handy /,
    )
  })
})

describe('silence, and exit 0', () => {
  const SILENT: [what: string, input: unknown, options: Partial<RunOptions>][] = [
    ['a session that is no participant', payload('startup'), {}],
    ['a name that is not registered', payload('startup'), { env: { AGENT_CHAT_NAME: 'nobody' } }],
    ['a pane of nobody', payload('startup'), { env: { TMUX: '/s,1,0', TMUX_PANE: '%9' } }],
  ]
  test.each(SILENT)('for %s', async (_, input, options) => {
    expect(await hook(world('backend'), input, options)).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    })
  })

  test('for a word that is no hook, and for none', async () => {
    const { root } = world('backend')
    for (const word of ['nothing', '', 'constructor', '__proto__', 'toString'])
      expect(await runHookProcess(word, {}, { home: root, env: NAMED })).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      })
  })

  test('without any home, making none', async () => {
    const path = `${tempDirectory()}/none`
    expect(
      await runHookProcess('session-start', payload('startup'), { home: path, env: NAMED }),
    ).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(filesIn(path)).toEqual([])
  })

  test.each([
    ['a broken registry', '{"frontend": {'],
    ['an empty registry', ''],
  ])('with %s, with one line in the log of the hooks', async (_, text) => {
    const home = world('backend')
    writeFileSync(home.sessions, text)
    expect(await hook(home)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    const log = readFileSync(home.hookLog, 'utf8')
    expect(log.trimEnd().split('\n')).toHaveLength(1)
    expect(log).toMatch(/^\d{4}-\S+Z session-start: .*cannot be read as a registry/)
    expect(readFileSync(home.sessions, 'utf8')).toBe(text)
  })

  test('with a name that is none, in the log', async () => {
    const home = world('backend')
    expect(
      await hook(home, payload('startup'), { env: { AGENT_CHAT_NAME: '../x' } }),
    ).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect(readFileSync(home.hookLog, 'utf8')).toContain('is not a session name')
  })

  test('with a home that is a file', async () => {
    const path = `${tempDirectory()}/file`
    writeFileSync(path, 'mine')
    const run = await runHookProcess('session-start', payload('startup'), {
      home: path,
      env: NAMED,
    })
    expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })
})

describe('a payload that is none', () => {
  test.each([
    '',
    'x',
    '[]',
    'null',
    '{"source":',
    '7',
    '\0',
    '{"source": 7, "cwd": null}',
    `{"x":"${'y'.repeat(5_000_000)}"}`,
  ])('number %# changes nothing for a session that is known without it', async (input) =>
    expect(await context(hook(world('backend'), input))).toContain('1 message is unread'),
  )
})

test('a project that sets what guards the session is named to the person, and changes nothing', async () => {
  const project = tempDirectory()
  mkdirSync(join(project, '.claude'))
  const env = { AGENT_CHAT_GATE: 'off', AGENT_CHAT_HOME: project, AGENT_CHAT_NAME: 'other' }
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ env }))
  const { bus, agents } = await agentsWith({ AGENT_CHAT_NAME: 'frontend' }, 'frontend')
  const [frontend] = agents as [TestAgent]
  const more = { ...env, CLAUDE_PROJECT_DIR: project }
  const { stdout } = await frontend.hook('session-start', payload('startup'), more)
  expect(JSON.parse(stdout).systemMessage).toBe(
    `agent-chat: you are @frontend · /chat\nagent-chat: ${project}/.claude/settings.json sets AGENT_CHAT_GATE, AGENT_CHAT_HOME, AGENT_CHAT_NAME; a project's settings do not count for agent-chat`,
  )
  expect(readState(bus.home, 'frontend')?.gate).toBe('enforce')
  expect(filesIn(project)).toEqual([])
})
