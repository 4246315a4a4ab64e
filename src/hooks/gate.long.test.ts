import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { claimRing, settleRing } from '../session/rings.ts'
import { readState } from '../session/stateFile.ts'
import { noteWord } from '../session/words.ts'
import { agentsOn, agentsWith, startAgent, type TestAgent, wrapped } from '../testing/agent.ts'
import { runCli } from '../testing/cli.ts'
import { eventsOf, tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'

/** @frontend is at work; @backend writes to it, and no agent runs it. */
async function world(env: Record<string, string> = {}) {
  const { bus, agents } = await agentsWith(env, 'frontend')
  const [frontend] = agents as [TestAgent]
  const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ ...sessions, backend: { name: 'backend' }, stranger: { name: 'stranger' } }),
  )
  const asks = (body = 'please do it', ...flags: string[]) =>
    runCli(['send', '@frontend', body, '--as', 'backend', '--subject', 'API ready', ...flags], {
      home: bus.home.root,
    })
  const turn = () => readState(bus.home, 'frontend')?.turn
  return { bus, frontend, asks, turn }
}

/** A turn that @backend's message began, and in which it was read. */
async function rung(env: Record<string, string> = {}) {
  const here = await world(env)
  await here.asks()
  await here.frontend.rung()
  return here
}

/**
 * The same, in a project with a repository of plain files in it; the host tells `root` as where it
 * was started, else it.
 */
async function inProject(root?: string) {
  const project = tempDirectory()
  execFileSync('git', ['init', '-q', project])
  mkdirSync(join(project, 'src'))
  execFileSync('git', ['init', '-q', '--bare', join(project, 'fixtures/plain')])
  const here = await rung({ CLAUDE_PROJECT_DIR: root ?? project })
  return { ...here, nested: (path: string) => join(project, path) }
}

test('a tool of ours passes where our own server runs below the agent, and no other of its name', async () => {
  const { bus, frontend } = await rung()
  const [send, merge] = ['mcp__agent-chat__send', 'mcp__agent-chat__merge']
  const note = (ref: { pid: number; started: string }) => {
    mkdirSync(bus.home.mcpServers, { recursive: true })
    writeFileSync(bus.home.mcpServer(ref.pid), JSON.stringify(ref))
  }
  // One of another session's agent, and one that has ended.
  note(bus.processes.self())
  note({ ...frontend.ref, started: 'before' })
  expect(await frontend.may(send)).toBe('ask')
  note(frontend.ref)
  expect(await frontend.may(send)).toBe('allow')
  expect(await frontend.may(merge)).not.toBe('allow')
  await frontend.did(send)
  expect(readState(bus.home, 'frontend')?.turn?.work).toBe(0)
})

const ALONE = 'Yes allows this one call'
const COMMAND = 'Yes allows this very command again in this turn, and nothing else'
const EDIT = { file_path: '/x', old_string: 'a', new_string: 'b' }
const bash = (command: string) => ({ command })

describe('whose turn it is', () => {
  test('is the human’s after their words, and the doorbell’s after a ring', async () => {
    const { frontend, asks, turn } = await world()
    await frontend.human()
    expect(turn()).toMatchObject({ began: 'human', chain: expect.stringMatching(/-from-human$/) })
    await asks()
    await frontend.rung()
    expect(turn()).toMatchObject({ began: 'doorbell', opened: null, chain: null })
  })

  test.each(['startup', 'clear', 'resume', 'compact'])(
    'is the doorbell’s where it rang at %s',
    async (source) => {
      const { frontend, turn } = await world()
      const prompt = wrapped('New message from @backend. Check inbox.', `SessionStart:${source}`)
      await frontend.hook('user-prompt-submit', { prompt, prompt_id: 'p' })
      expect(turn()).toMatchObject({ began: 'doorbell' })
      expect(await frontend.may('Write')).toBe('ask')
    },
  )

  test('is the doorbell’s where an event began it, as the brief of a team file', async () => {
    const { bus, frontend, turn } = await world()
    const brief = { from: 'agent-chat', to: 'frontend', kind: 'event', body: 'Own the pages.' }
    sendMessage(bus, brief)
    await frontend.rung()
    expect(turn()).toMatchObject({ began: 'doorbell', opened: null, chain: null })
    expect(await frontend.may('Write')).toBe('ask')
  })

  test('is the doorbell’s where the tmux doorbell typed', async () => {
    const { bus, frontend, asks, turn } = await world()
    await asks()
    const ids = claimRing(bus, 'frontend', 'tmux')
    settleRing(bus, 'frontend', 'tmux', ids, false)
    await frontend.human('New message from @backend. Check inbox.')
    expect(turn()).toMatchObject({ began: 'doorbell' })
  })

  test('stays the human’s when a message is read in the middle of it, or rings there', async () => {
    const { frontend, asks, turn } = await world()
    await frontend.human()
    await asks()
    await frontend.chat('inbox')
    const prompt = wrapped('New message from @backend. Check inbox.')
    await frontend.hook('user-prompt-submit', { prompt, prompt_id: turn()?.id })
    expect(turn()).toMatchObject({ began: 'human' })
    expect(await frontend.may('Write')).toBe('pass')
  })

  test('is nobody’s when the first prompt is a background task’s', async () => {
    const { frontend, turn } = await world()
    await frontend.hook('user-prompt-submit', {
      prompt: '<task-notification>\n<task-id>b1',
      prompt_id: 'p',
    })
    expect(turn()).toMatchObject({ began: 'other' })
    expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
  })

  test('is nobody’s when what the agent has scheduled comes', async () => {
    for (const open of [true, false]) {
      const { frontend } = await world()
      await frontend.human()
      expect(await frontend.may('ScheduleWakeup', { prompt: 'look again' })).toBe('pass')
      if (!open) await frontend.rung()
      await frontend.human('look again', 'scheduled')
      expect(await frontend.may('Write')).toBe('ask')
    }
  })

  test('keeps a yes for the next time of a schedule of the human’s, and of no other', async () => {
    for (const own of [true, false]) {
      const { bus, frontend } = await world()
      await (own ? frontend.human() : frontend.rung())
      await frontend.may('CronCreate', { prompt: 'look again' })
      await frontend.did('CronCreate', { prompt: 'look again' })
      const fires = (origin = 'scheduled') => frontend.human('look again', origin)
      await fires()
      expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
      await frontend.did('Bash', bash('touch x'))
      expect(await frontend.may('Bash', bash('touch x'))).toBe('pass')
      await fires()
      expect(await frontend.may('Bash', bash('touch x'))).toBe(own ? 'pass' : 'ask')
      await fires('peer')
      expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
      await frontend.human('look again')
      expect(await frontend.may('Bash', bash('touch x'))).toBe('pass')
      expect(readState(bus.home, 'frontend')?.turn).toMatchObject({ began: 'human' })
    }
  })

  test('is nobody’s when a schedule comes of which only the end of the turn told', async () => {
    const { frontend } = await rung()
    await frontend.hook('stop', { session_crons: [{ prompt: 'every hour' }] })
    await frontend.human('every hour', 'scheduled')
    expect(await frontend.may('Write')).toBe('ask')
  })

  test('is told to the human, with the sender, where a doorbell began it', async () => {
    const { frontend } = await world()
    const ring = (env = {}) =>
      frontend.hook(
        'user-prompt-submit',
        { prompt: wrapped('New message from @backend. Check inbox.') },
        env,
      )
    expect(JSON.parse((await ring()).stdout)).toEqual({
      systemMessage:
        'agent-chat: message from @backend · changes will ask you first; a yes to an edit covers edits inside the project',
    })
  })

  test('is told in one line: who, what about, and that changes ask', async () => {
    const { frontend, asks } = await world()
    const told = async (senders = '@backend') => {
      const prompt = wrapped(`New message from ${senders}. Check inbox.`)
      const { stdout } = await frontend.hook('user-prompt-submit', { prompt, prompt_id: senders })
      return JSON.parse(stdout).systemMessage
    }
    await asks()
    expect(await told()).toBe(
      'agent-chat: message from @backend · "API ready" · changes will ask you first; a yes to an edit covers edits inside the project',
    )
    await frontend.chat('inbox')
    await asks('do it', '--subject', `\u202e${'long '.repeat(30)}`)
    expect(await told()).toMatch(
      / · "<U\+202E>long [^"]{40,}…" · changes will ask you first; a yes to an edit covers edits inside the project$/,
    )
    await asks()
    expect(await told()).toBe(
      'agent-chat: 2 messages from @backend · changes will ask you first; a yes to an edit covers edits inside the project',
    )
  })

  describe('is the human’s where their own message began it', () => {
    const TYPED = { body: 'Review list.ts, please.\nAll of it.', kind: 'note' }
    const ring = (frontend: TestAgent, env = {}, senders = '@human', prompt_id = 'p') =>
      frontend.hook(
        'user-prompt-submit',
        { prompt: wrapped(`New message from ${senders}. Check inbox.`), prompt_id },
        env,
      )
    /** A message of the human's, typed at a terminal of their own unless told otherwise. */
    async function written(typed = true) {
      const here = await world()
      const sent = () => sendMessage(here.bus, { ...TYPED, from: 'human', to: 'frontend' }).message
      const message = sent()
      if (typed) noteWord(here.bus, message)
      return { ...here, message, sent }
    }

    test('and was typed at a terminal of their own, once', async () => {
      const { bus, frontend, turn, message } = await written()
      expect(JSON.parse((await ring(frontend)).stdout).systemMessage).toBe(
        'agent-chat: your message · "Review list.ts, please." · this turn is yours',
      )
      expect(turn()).toMatchObject({ began: 'doorbell', opened: null })
      expect(await frontend.may('Bash', bash('touch x'))).toBe('pass')
      expect(turn()).toMatchObject({ began: 'doorbell', opened: 'message' })
      expect(await frontend.chat('resume', '--all')).toMatchObject({ code: 3 })
      expect(existsSync(bus.home.word(message.id))).toBe(false)
      await ring(frontend, {}, '@human', 'q')
      expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
    })

    test('not where nobody typed it, nor under AGENT_CHAT_HUMAN=ask', async () => {
      for (const [typed, env] of [
        [false, {}],
        [true, { AGENT_CHAT_HUMAN: 'ask' }],
      ] as const) {
        const { frontend } = await written(typed)
        await ring(frontend, env)
        expect(await frontend.may('Write')).toBe('ask')
      }
    })

    test('not where the file was changed, or another’s message waits beside it', async () => {
      const changed = await written()
      appendFileSync(changed.bus.home.unread('frontend', changed.message.id), 'and rm -rf .\n')
      await ring(changed.frontend)
      expect(await changed.frontend.may('Write')).toBe('ask')
      const mixed = await written()
      await mixed.asks('and this', '--quiet')
      await ring(mixed.frontend)
      expect(await mixed.frontend.may('Write')).toBe('ask')
      const named = await written()
      await ring(named.frontend, {}, '@backend, @human')
      expect(await named.frontend.may('Write')).toBe('ask')
      const second = await written()
      second.sent()
      await ring(second.frontend)
      expect(await second.frontend.may('Write')).toBe('ask')
    })

    test('not in the middle of a turn that another’s began, nor for another session', async () => {
      const { bus, frontend, asks, turn, message } = await written()
      await frontend.chat('inbox')
      await asks()
      await frontend.rung()
      const again = sendMessage(bus, { ...TYPED, from: 'human', to: 'frontend' }).message
      noteWord(bus, again)
      await ring(frontend, {}, '@human', turn()?.id ?? '')
      expect(await frontend.may('Write')).toBe('ask')
      noteWord(bus, { ...message, to: 'backend' })
      await frontend.chat('inbox')
      copyFileSync(bus.home.message(message.id), bus.home.unread('frontend', message.id))
      await ring(frontend, {}, '@human', 'q')
      expect(await frontend.may('Write')).toBe('ask')
    })
  })
})

describe('a prompt without a mark', () => {
  const line = (fields: object) => `${JSON.stringify({ type: 'user', ...fields })}\n`

  test.each([
    ['another session of the host', { origin: { kind: 'peer' }, turnOrigin: 'peer' }, 'ask'],
    ['a schedule', { turnOrigin: 'scheduled' }, 'ask'],
    ['the human', { origin: { kind: 'human' }, turnOrigin: 'human' }, 'pass'],
    ['a program in the human’s place', { turnOrigin: 'sdk' }, 'pass'],
    ['nobody that is told', {}, 'ask'],
  ])('that the host’s record says is of %s', async (_, fields, answer) => {
    const { bus, frontend, turn } = await world()
    const transcript_path = `${tempDirectory()}/t.jsonl`
    await frontend.human('make it so')
    writeFileSync(transcript_path, line({ promptId: turn()?.id, ...fields }))
    expect(await frontend.may('Write', EDIT, { transcript_path })).toBe(answer)
    expect(turn()?.began).toBe(answer === 'ask' ? 'other' : 'human')
    expect(eventsOf(bus.home, 'disowned')).toHaveLength(answer === 'ask' ? 1 : 0)
  })

  test('is waited for where the record is late', async () => {
    const { frontend, turn } = await world()
    const transcript_path = `${tempDirectory()}/t.jsonl`
    writeFileSync(transcript_path, '')
    await frontend.human('make it so')
    const answer = frontend.may('Write', EDIT, { transcript_path })
    appendFileSync(transcript_path, line({ promptId: turn()?.id, turnOrigin: 'peer' }))
    expect(await answer).toBe('ask')
  })

  test('is no human’s word in a doorbell’s turn where the host has queued it before', async () => {
    const { frontend, turn } = await rung()
    const transcript_path = `${tempDirectory()}/t.jsonl`
    writeFileSync(transcript_path, line({ promptId: turn()?.id, turnOrigin: 'task_notification' }))
    const queue = (content: string) => {
      const timestamp = new Date().toISOString()
      const queued = { type: 'queue-operation', operation: 'enqueue', timestamp, content }
      appendFileSync(transcript_path, `${JSON.stringify(queued)}\n`)
    }
    const say = (prompt: string) =>
      frontend.hook('user-prompt-submit', { prompt, prompt_id: turn()?.id, transcript_path })
    queue('yes, do it')
    await say('yes, do it')
    expect(await frontend.may('Write', EDIT, { transcript_path })).toBe('ask')
    await say('and this is me')
    queue('and this is me')
    expect(await frontend.may('Write', EDIT, { transcript_path })).toBe('pass')
  })

  test('of a background task closes nothing that the human’s turn has started', async () => {
    const { frontend } = await world()
    await frontend.human()
    const more = { tool_use_id: 'build' }
    const build = { command: 'npm run build', run_in_background: true }
    expect(await frontend.may('Bash', build, more)).toBe('pass')
    const ends = (call: string, prompt_id: string) => {
      const prompt = `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>${call}</tool-use-id>\n`
      return frontend.hook('user-prompt-submit', { prompt: `${prompt}x`, prompt_id })
    }
    await ends('build', 'b1')
    expect(await frontend.may('Write', EDIT)).toBe('pass')
    await frontend.human('and now wait')
    const moved = { tool_use_id: 'moved', tool_response: { backgroundTaskId: 'b2' } }
    await frontend.did('Bash', bash('sleep 600'), moved)
    await ends('moved', 'b2')
    expect(await frontend.may('Write', EDIT)).toBe('pass')
    await ends('other', 'b3')
    expect(await frontend.may('Write', EDIT)).toBe('ask')
  })
})

describe('in a doorbell’s turn', () => {
  test.each([
    ['Edit', EDIT, ALONE],
    ['Write', EDIT, ALONE],
    ['NotebookEdit', {}, ALONE],
    ['Bash', bash('touch x'), COMMAND],
    ['Bash', bash('ls > x'), COMMAND],
    ['Bash', bash('agent-chat leave'), COMMAND],
    ['Bash', { command: 'agent-chat history --follow', run_in_background: true }, COMMAND],
    ['Monitor', bash('tail -F log'), ALONE],
    ['ScheduleWakeup', { prompt: 'look again', delaySeconds: 60 }, ALONE],
    ['CronCreate', { prompt: 'agent-chat inbox', cron: '* * * * *', recurring: true }, ALONE],
    ['CronDelete', { id: '1' }, ALONE],
    ['TaskStop', { task_id: '1' }, ALONE],
    ['EnterWorktree', {}, ALONE],
    ['Frobnicate', {}, ALONE],
    ['RemoteTrigger', { action: 'run' }, ALONE],
    ['Skill', { skill: 'deploy' }, ALONE],
    ['Skill', { skill: 'other:agent-chat' }, ALONE],
    ['SlashCommand', { command: '/agent-chat:chat' }, ALONE],
    ['Agent', { prompt: 'x', isolation: 'worktree' }, ALONE],
    ['SendMessage', { to: 'x' }, ALONE],
    ['mcp__github__create_issue', {}, 'Yes allows the tools of github for the rest of this turn'],
  ])('%s %j is put to the human', async (tool, input, yes) => {
    const { bus, frontend } = await rung()
    const { stdout, code } = await frontend.hook('pre-tool-use', {
      tool_name: tool,
      tool_input: input,
      tool_use_id: 'c',
    })
    expect(code).toBe(0)
    const reason = `a message from @backend (“API ready”) started this turn. ${yes}`
    expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: `agent-chat: ${reason}`,
    })
    expect(eventsOf(bus.home, 'asked')).toMatchObject([
      { name: 'frontend', tool, rule: 'human approval', reason, mode: 'enforce' },
    ])
  })

  test('plain reading and our own commands pass', async () => {
    const { bus, frontend } = await rung()
    for (const command of ['ls -la', 'git log', 'agent-chat inbox', "agent-chat send @backend 'x'"])
      expect([command, await frontend.may('Bash', bash(command))]).toEqual([command, 'pass'])
    const question = bash('agent-chat ask @backend "Is it so?"')
    expect(await frontend.may('Bash', { ...question, run_in_background: true })).toBe('pass')
    expect(eventsOf(bus.home, 'asked')).toEqual([])
  })

  test('git passes in the repository that the host was started in, and is put to the human in any other', async () => {
    const { frontend, nested } = await inProject()
    const status = bash('git status')
    expect(await frontend.may('Bash', status, { cwd: nested('src') })).toBe('pass')
    for (const command of ['ls', 'agent-chat send @backend x --question'])
      expect(await frontend.may('Bash', bash(command), { cwd: nested('fixtures/plain') })).toBe(
        'pass',
      )
    expect(await frontend.may('Bash', status, { cwd: nested('fixtures/plain') })).toBe('ask')
  })

  test.each([
    [
      'below a repository of plain files',
      'agent-chat send @backend --with-diffstat x',
      { cwd: 'fixtures/plain' },
    ],
    ['in a directory that is not told', 'git log', { cwd: undefined }],
  ])('git is put to the human %s', async (_, command, { cwd }) => {
    const { frontend, nested } = await inProject()
    expect(await frontend.may('Bash', bash(command), { cwd: cwd && nested(cwd) })).toBe('ask')
  })

  test.each(['fixtures/plain', '-', '../no-such-folder'])(
    'cd to %s is put to the human, to where git may run it is not',
    async (there) => {
      const { frontend, nested } = await inProject()
      for (const place of ['src', 'fixtures', '..', nested('src')])
        expect(await frontend.may('Bash', bash(`cd ${place} && ls`), { cwd: nested('.') })).toBe(
          'pass',
        )
      expect(await frontend.may('Bash', bash('cd ..'), { cwd: nested('fixtures/plain') })).toBe(
        'pass',
      )
      expect(await frontend.may('Bash', bash(`cd ${there}`), { cwd: nested('.') })).toBe('ask')
    },
  )

  test('without a word of the host’s, git passes where the session joined', async () => {
    const { bus, frontend, nested } = await inProject('')
    const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
    const joined = { ...sessions.frontend, cwd: nested('src') }
    writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, frontend: joined }))
    expect(await frontend.may('Bash', bash('git log'), { cwd: nested('src') })).toBe('pass')
    expect(await frontend.may('Bash', bash('git log'), { cwd: nested('fixtures/plain') })).toBe(
      'ask',
    )
  })

  test('a yes to a command lets it go on, in the session and in its subagents, and nothing else', async () => {
    const { bus, frontend } = await rung()
    expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
    await frontend.did('Bash', bash('touch x'))
    expect(await frontend.may('Bash', bash('touch x'))).toBe('pass')
    expect(await frontend.may('Bash', bash('touch x'), { agent_id: 'a1' })).toBe('pass')
    expect(await frontend.may('Bash', bash('rm x'), { agent_id: 'a1' })).toBe('ask')
    expect(await frontend.may('Edit', EDIT, { agent_id: 'a2' })).toBe('ask')
    expect(eventsOf(bus.home, 'approved')).toMatchObject([
      {
        name: 'frontend',
        tool: 'Bash',
        by: 'human',
        rule: 'human approval',
        reason: 'the user allowed it',
      },
    ])
  })

  const hooked = { decision: 'accept', source: 'hook', reasonType: 'hook' }
  test.each([
    ['a hook', { permissionDecision: hooked }, 'another permission hook allowed it'],
    [
      'a rule',
      { permissionDecision: { decision: 'accept', source: 'config' } },
      'a permission rule allowed it',
    ],
    [
      'a mod',
      { permissionDecision: { decision: 'accept', source: 'user_temporary' } },
      'a program allowed it (user_temporary)',
    ],
    [
      'something that is new',
      { permissionDecision: { decision: 'accept', source: 'oracle', grantScope: 'once' } },
      'a program allowed it (oracle)',
    ],
    ['nobody', { permissionDecision: null }, 'the host ran it and asked nobody'],
    ['nobody, in another version', { permissionDecision: hooked, version: '9.9.9' }, 'another'],
  ])('a yes that %s gave is none, and the next change is refused', async (_, more, reason) => {
    const { bus, frontend, turn } = await rung()
    const call = bash('touch x')
    expect(await frontend.may('Bash', call)).toBe('ask')
    await frontend.did('Bash', call, more)
    expect(turn()?.granted).toBeUndefined()
    expect(await frontend.may('Bash', call)).toBe('deny')
    expect(await frontend.may('Bash', bash('ls'))).toBe('pass')
    expect(eventsOf(bus.home, 'approved')).toEqual([])
    expect(eventsOf(bus.home, 'unasked')).toMatchObject([
      { name: 'frontend', tool: 'Bash', reason: expect.stringContaining(reason) },
    ])
  })

  test.each([
    ['once', { source: 'user_temporary', grantScope: 'once' }, '2.1.329'],
    ['for the session', { source: 'user_temporary', grantScope: 'session' }, '2.1.329'],
    ['for ever', { source: 'user_permanent', grantScope: 'always' }, '2.1.332'],
    ['in a version that does not say who', null, '2.1.300'],
  ])('a yes that the user pressed, %s, is theirs', async (_, permissionDecision, version) => {
    const { bus, frontend } = await rung()
    const call = bash('touch x')
    expect(await frontend.may('Bash', call)).toBe('ask')
    await frontend.did('Bash', call, { permissionDecision, version })
    expect(await frontend.may('Bash', call)).toBe('pass')
    expect(eventsOf(bus.home, 'approved')).toMatchObject([{ by: 'human' }])
    expect(eventsOf(bus.home, 'unasked')).toEqual([])
  })

  test('a yes of which the record never tells is none', async () => {
    const { bus, frontend } = await rung()
    const call = bash('touch x')
    const transcript_path = `${tempDirectory()}/none.jsonl`
    expect(await frontend.may('Bash', call)).toBe('ask')
    await frontend.did('Bash', call, { transcript_path })
    expect(await frontend.may('Bash', call)).toBe('deny')
    expect(eventsOf(bus.home, 'unasked')).toMatchObject([
      { reason: 'the record of the conversation does not say who allowed it' },
    ])
  })

  test('a subagent’s yes is in the record of its own', async () => {
    const { bus, frontend } = await rung()
    expect(await frontend.may('Agent', { prompt: 'x' })).toBe('pass')
    await frontend.hook('subagent-start', { agent_id: 'a1' })
    const call = bash('touch x')
    expect(await frontend.may('Bash', call, { agent_id: 'a1' })).toBe('ask')
    await frontend.did('Bash', call, { agent_id: 'a1', permissionDecision: hooked })
    expect(await frontend.may('Bash', call, { agent_id: 'a1' })).toBe('deny')
    expect(eventsOf(bus.home, 'unasked')).toMatchObject([{ tool: 'Bash' }])
  })

  test('a yes counts though the hook that tells of it is late', async () => {
    const { frontend } = await rung()
    expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
    const did = frontend.did('Bash', bash('touch x'))
    const next = frontend.may('Bash', bash('touch x'))
    await did
    expect(await next).toBe('pass')
  })

  test('a yes to a subagent opens it too, and a yes to another call does not', async () => {
    const { frontend } = await rung()
    expect(await frontend.may('Edit', EDIT, { agent_id: 'a1' })).toBe('ask')
    await frontend.did('Read', {}, { tool_use_id: 'another' })
    expect(await frontend.may('Edit', EDIT, { agent_id: 'a2', tool_use_id: 'of-a2' })).toBe('ask')
    await frontend.did('Edit', EDIT, { agent_id: 'a2', tool_use_id: 'of-a2' })
    expect(await frontend.may('Bash', bash('touch x'), { agent_id: 'a3' })).toBe('ask')
    await frontend.did('Bash', bash('touch x'), { agent_id: 'a3' })
    expect(await frontend.may('Bash', bash('touch x'))).toBe('pass')
  })

  test('a yes to an edit lets edits inside the project go on, and no command', async () => {
    const { frontend, nested } = await inProject()
    const edit = (file: string) => ({ file_path: nested(file), content: 'x' })
    const { stdout } = await frontend.hook('pre-tool-use', {
      ...{ tool_name: 'Write', tool_input: edit('src/a'), tool_use_id: 'w', cwd: nested('.') },
    })
    expect(stdout).toContain(
      'Yes allows edits inside the project for the rest of this turn, but no commands',
    )
    await frontend.hook('permission-request', { tool_name: 'Write' })
    await frontend.did('Write', edit('src/a'), { tool_use_id: 'w' })
    expect(await frontend.may('Edit', edit('src/b'))).toBe('pass')
    expect(await frontend.may('Edit', edit('src/b'), { agent_id: 'a1' })).toBe('pass')
    for (const file of ['.git/hooks/pre-commit', '.claude/settings.json', '../x'])
      expect([file, await frontend.may('Write', edit(file), { agent_id: file })]).toEqual([
        file,
        'ask',
      ])
    expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
    expect(await frontend.may('Edit', edit('src/b'))).toBe('deny')
  })

  test('a subagent of it stays closed in the human’s next turn, and its yes is for its own turn', async () => {
    const { frontend, turn } = await rung()
    expect(await frontend.may('Agent', { prompt: 'x' })).toBe('pass')
    await frontend.hook('subagent-start', { agent_id: 'a1' })
    await frontend.human('hello')
    const mine = { agent_id: 'a1' }
    expect(await frontend.may('Bash', bash('touch x'), mine)).toBe('ask')
    expect(await frontend.may('Bash', bash('agent-chat send @backend hi'), mine)).toBe('deny')
    expect(await frontend.may('Bash', bash('agent-chat inbox'), mine)).toBe('pass')
    expect(await frontend.may('Bash', bash('touch y'))).toBe('pass')
    expect(turn()?.asked).toEqual([])
  })

  test('the human’s own subagent is not asked about in it, and a yes to nobody opens it', async () => {
    const { frontend, asks } = await world()
    await frontend.human()
    expect(await frontend.may('Agent', { prompt: 'x' })).toBe('pass')
    await frontend.hook('subagent-start', { agent_id: 'a1' })
    await asks()
    await frontend.rung()
    expect(await frontend.may('Bash', bash('touch x'), { agent_id: 'a1' })).toBe('pass')
    await frontend.did('Bash', bash('touch x'), { agent_id: 'a1' })
    expect(await frontend.may('Bash', bash('touch y'))).toBe('ask')
  })

  test('a call that ran though nobody was asked is no yes, and the next is stopped', async () => {
    const { bus, frontend } = await rung()
    const call = { tool_name: 'Bash', tool_input: bash('touch x'), tool_use_id: 'c' }
    expect((await frontend.hook('pre-tool-use', call)).stdout).toContain('"ask"')
    await frontend.did('Bash', bash('touch x'), { tool_use_id: 'c' })
    expect(await frontend.may('Bash', bash('touch y'))).toBe('deny')
    expect(eventsOf(bus.home, 'approved')).toEqual([])
    expect(eventsOf(bus.home, 'unasked')).toMatchObject([{ name: 'frontend', tool: 'Bash' }])
  })

  test('a yes counts though the hook that tells of its dialog comes after that of its end', async () => {
    const { bus, frontend, turn } = await rung()
    const call = { tool_name: 'Bash', tool_input: bash('touch x'), tool_use_id: 'c', cwd: '/' }
    expect((await frontend.hook('pre-tool-use', call)).stdout).toContain('"ask"')
    const did = frontend.did('Bash', bash('touch x'), { tool_use_id: 'c' })
    await until('the call to have run', () => turn()?.asked.some(({ ran }) => ran))
    const next = frontend.may('Bash', bash('touch x'))
    await frontend.hook('permission-request', { tool_name: 'Bash' })
    await did
    expect(await next).toBe('pass')
    expect(eventsOf(bus.home, 'approved')).toMatchObject([{ by: 'human' }])
    expect(eventsOf(bus.home, 'unasked')).toEqual([])
  })

  test('the agent’s questions to the human say whose message the turn is about', async () => {
    const { frontend } = await rung()
    const { stdout } = await frontend.hook('pre-tool-use', {
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ question: 'May I go on?', header: 'Go', options: [] }] },
    })
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput.questions).toEqual([
      {
        question: '[this turn was started by a message from @backend] May I go on?',
        header: 'Go',
        options: [],
      },
    ])
  })

  test.each([
    [{ CLAUDE_CODE_SESSION_ATTENDED: '0' }, {}, 'ask', /claude -p can ask nobody/],
    [{}, { permission_mode: 'bypassPermissions' }, 'deny', /once they type an answer, for example/],
  ])('where nobody can be asked (%j %j) it says so', async (env, more, decision, reason) => {
    const { frontend, turn } = await rung()
    const payload = { tool_name: 'Bash', tool_input: bash('touch x &'), tool_use_id: 'c', ...more }
    const { stdout } = await frontend.hook('pre-tool-use', payload, env)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: decision,
      permissionDecisionReason: expect.stringMatching(reason),
    })
    expect(turn()?.asked).toHaveLength(decision === 'ask' ? 1 : 0)
  })

  test('after a no the next change is stopped without a dialog, until the human speaks', async () => {
    const { bus, frontend, turn } = await rung()
    expect(await frontend.may('Bash', bash('touch x'))).toBe('ask')
    expect(await frontend.may('Bash', bash('touch y'))).toBe('deny')
    expect(await frontend.may('Bash', bash('ls'))).toBe('pass')
    expect(eventsOf(bus.home, 'refused')).toMatchObject([{ tool: 'Bash', rule: 'human approval' }])
    await frontend.hook('user-prompt-submit', { prompt: 'do it', prompt_id: turn()?.id })
    expect(await frontend.may('Bash', bash('touch y'))).toBe('pass')
  })

  test('the next turn asks anew', async () => {
    const { frontend, asks } = await rung()
    await frontend.may('Write')
    await frontend.did('Write')
    await asks('more')
    await frontend.rung()
    expect(await frontend.may('Write')).toBe('ask')
  })

  test('what the user has approved beforehand passes, as many times as they said', async () => {
    const { bus, frontend, asks } = await world()
    await frontend.human()
    expect(await frontend.chat('approve', '@backend')).toMatchObject({ code: 0 })
    await asks()
    await frontend.rung()
    expect(await frontend.may('Write')).toBe('pass')
    expect(eventsOf(bus.home, 'approved')).toMatchObject([
      { tool: 'Write', by: 'pre-approval', rule: 'pre-approval' },
    ])
    await asks('again')
    await frontend.rung()
    expect(await frontend.may('Write')).toBe('ask')
  })

  test('what another has sent besides is not approved by that', async () => {
    const { bus, frontend, asks } = await world()
    await frontend.human()
    await frontend.chat('approve', '@backend', '--for', '2h')
    await asks()
    await runCli(['send', '@frontend', 'and this', '--as', 'stranger'], { home: bus.home.root })
    await frontend.rung()
    expect(await frontend.may('Write')).toBe('ask')
  })

  test('what another has sent besides is not approved by that before it was read, either', async () => {
    const { bus, frontend, asks } = await world()
    const stranger = (...more: string[]) =>
      runCli(['send', '@frontend', 'and this', '--as', 'stranger', ...more], {
        home: bus.home.root,
      })
    await frontend.human()
    await frontend.chat('approve', '@backend', '--for', '2h')
    await asks()
    await stranger('--quiet')
    await frontend.rung()
    await asks('again')
    await frontend.rung()
    expect(await frontend.may('Write')).toBe('pass')
    // The session does not know of what comes now, and then it does.
    await stranger()
    expect(await frontend.may('Write')).toBe('pass')
    await stranger('--urgent')
    await frontend.hook('bell', { file_path: bus.home.ring('frontend'), event: 'change' })
    const { stdout } = await frontend.hook('pre-tool-use', {
      prompt_id: 'frontend-3',
      tool_name: 'Write',
    })
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringMatching(
        /a message from @backend, @stranger started this turn/,
      ),
    })
    expect(await frontend.chat('send', '@stranger', 'as I was told')).toMatchObject({ code: 3 })
  })

  test('nor where the model has looked at it with --peek, and read what is approved', async () => {
    const { bus, frontend, asks } = await world()
    await frontend.human()
    await frontend.chat('approve', '@backend', '--for', '2h')
    await asks()
    await runCli(['send', '@frontend', 'and this', '--as', 'stranger'], { home: bus.home.root })
    const prompt = wrapped('2 new messages from @backend, @stranger. Check inbox.')
    await frontend.hook('user-prompt-submit', { prompt, prompt_id: 'p' })
    await frontend.chat('inbox', '--peek')
    await frontend.chat('inbox', '--limit', '1')
    expect(await frontend.may('Write')).toBe('ask')
  })

  test('warn only says so', async () => {
    const { bus, frontend } = await rung({ AGENT_CHAT_GATE: 'warn' })
    expect(JSON.parse(await frontend.may('Write'))).toEqual({
      systemMessage: expect.stringMatching(/^agent-chat would ask: a message from @backend/),
    })
    expect(eventsOf(bus.home, 'asked')).toMatchObject([{ mode: 'warn' }])
  })

  test('off says nothing', async () => {
    const { bus, frontend } = await rung({ AGENT_CHAT_GATE: 'off' })
    expect(await frontend.may('Write')).toBe('pass')
    expect(eventsOf(bus.home, 'asked')).toEqual([])
  })
})

describe('no dialog', () => {
  test('in the human’s own turn, also where a message was read in it', async () => {
    const { frontend, asks } = await world()
    await frontend.human()
    await asks()
    await frontend.chat('inbox')
    expect(await frontend.may('Write')).toBe('pass')
    expect(await frontend.may('Bash', bash('rm -rf x'), { agent_id: 'a1' })).toBe('pass')
  })

  test('for a session that is no participant, nor for an agent that another has started', async () => {
    const { bus, agents } = await agentsOn('frontend')
    const [frontend] = agents as [TestAgent]
    await frontend.hook('user-prompt-submit', {
      prompt: wrapped('New message from @backend. Check inbox.'),
    })
    const stranger = { CLAUDE_PID: String(startAgent(bus).ref.pid) }
    expect(await frontend.hook('pre-tool-use', { tool_name: 'Write' }, stranger)).toMatchObject({
      stdout: '',
    })
    expect(
      await frontend.hook('pre-tool-use', { tool_name: 'Write' }, { AGENT_CHAT_NAME: 'x' }),
    ).toMatchObject({
      stdout: '',
    })
  })
})

describe('a fault of our own', () => {
  test('puts the call to the human', async () => {
    const { bus, frontend } = await rung()
    rmSync(bus.home.sessions)
    mkdirSync(bus.home.sessions)
    const { stdout, code } = await frontend.hook('pre-tool-use', {
      tool_name: 'Bash',
      tool_input: bash('touch x'),
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining('agent-chat doctor'),
    })
    expect(readFileSync(bus.home.hookLog, 'utf8')).toMatch(/ pre-tool-use: /)
  })

  test('in the registry leaves the gate as it is for a session that its own hooks know', async () => {
    const { bus, frontend, turn } = await rung()
    writeFileSync(bus.home.sessions, 'not a registry')
    expect(await frontend.may('Bash', bash('ls -la'))).toBe('pass')
    expect(await frontend.may('Write')).toBe('ask')
    await frontend.human()
    expect(turn()).toMatchObject({ began: 'human' })
    expect(await frontend.may('Write')).toBe('pass')
    await frontend.hook('user-prompt-submit', {
      prompt: wrapped('New message from @backend. Check inbox.'),
      prompt_id: 'p',
    })
    expect(await frontend.may('Write', {}, { prompt_id: 'p' })).toBe('ask')
  })

  test('in what was remembered of the turn’s messages leaves the gate closed', async () => {
    const { bus, frontend } = await rung()
    writeFileSync(bus.home.reads('frontend'), '{"torn')
    expect(await frontend.may('Write')).toBe('ask')
    rmSync(bus.home.reads('frontend'))
    expect(await frontend.may('Edit', EDIT, { agent_id: 'a1' })).toBe('ask')
  })
})

test('work is counted in a doorbell’s turn, talk is not', async () => {
  const { frontend, turn } = await rung()
  await frontend.did('Bash', bash('agent-chat who'))
  await frontend.did('TodoWrite')
  expect(turn()?.work).toBe(0)
  await frontend.did('Read')
  await frontend.did('Grep')
  expect(turn()?.work).toBe(2)
})
