import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readMessageFile } from '../../bus/mail/inbox.ts'
import { agentsWith, type TestAgent, wrapped } from '../../testing/agent.ts'
import { type Run, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'
import { longId } from '../../testing/longId.ts'

async function pair(env: Record<string, string> = {}) {
  const { bus, agents } = await agentsWith(env, 'frontend', 'backend')
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  /** A command from outside every agent: the human's own terminal, or a script with a name. */
  const outside = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
  const idOf = (run: Run) => {
    const id = longId(bus.home, run.stdout)
    if (id === '') throw new Error(`not sent: ${run.stderr}`)
    return id
  }
  /** @backend's message has begun @frontend's turn. */
  const rung = async (body = 'GET /tasks is ready', ...flags: string[]) => {
    const sent = await outside('send', '@frontend', body, '--as', 'backend', ...flags)
    await frontend.rung()
    return idOf(sent)
  }
  const message = (run: Run) => {
    const read = readMessageFile(bus.home.message(idOf(run)), `${idOf(run)}.md`)
    if (typeof read !== 'object') throw new Error(`no message: ${read}`)
    return read
  }
  return { bus, frontend, backend, outside, rung, message, idOf }
}

const SAYS: Record<string, string> = {
  'work gate': 'reply only after doing some work',
  'one question': 'one clarifying question to @\\w+ is already waiting',
}

const refusal = (rule: string) => ({
  code: 3,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(`^agent-chat: blocked: ${SAYS[rule] ?? rule}.+\\n {2}hint: .+\\n$`),
  ),
})

describe('send, in a turn that a message began', () => {
  test('is refused before any work, with the reason and the remedy, and nothing is written', async () => {
    const { bus, frontend, rung } = await pair()
    await rung()
    const before = filesIn(bus.home.messages)
    const run = await frontend.chat('send', '@backend', 'I saw it')
    expect(run).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr:
        'agent-chat: blocked: reply only after doing some work (or ask one question with --question)\n' +
        '  hint: tell your user what the message says and what you plan, then wait for a yes\n',
    })
    expect(filesIn(bus.home.messages)).toEqual(before)
    expect(filesIn(bus.home.inbox('backend'))).toEqual([])
    expect(eventsOf(bus.home, 'refused')).toMatchObject([
      {
        name: 'frontend',
        to: 'backend',
        rule: 'work gate',
        reason: expect.stringContaining('reply only after doing some work'),
        mode: 'enforce',
      },
    ])
  })

  test('is an error as data with --json', async () => {
    const { frontend, rung } = await pair()
    await rung()
    const run = await frontend.chat('send', '@backend', 'I saw it', '--json')
    expect(run).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: 'GATE_REFUSED',
      hint: expect.stringMatching(/your user/),
    })
  })

  test('passes after work, once for each piece of it', async () => {
    const { frontend, rung } = await pair()
    await rung()
    await frontend.did('Read')
    expect(await frontend.chat('send', '@backend', 'it has no tests')).toMatchObject({ code: 0 })
    expect(await frontend.chat('send', '@backend', 'and another thing')).toMatchObject(
      refusal('work gate'),
    )
  })

  test('waits a moment for work that is still being told', async () => {
    const { frontend, rung } = await pair()
    await rung()
    const sent = frontend.chat('send', '@backend', 'it has no tests')
    await frontend.did('Grep')
    expect(await sent).toMatchObject({ code: 0 })
  })

  test('passes one question for each recipient, and the next after an answer', async () => {
    const { frontend, outside, rung, idOf } = await pair()
    await rung()
    const ask = (to: string, text: string) => frontend.chat('send', to, text, '--question')
    const first = await ask('@backend', 'Is amount a string?')
    expect(first).toMatchObject({ code: 0 })
    expect(await ask('@backend', 'And the date?')).toMatchObject(refusal('one question'))
    expect(await ask('@human', 'Shall I?')).toMatchObject({ code: 0 })
    expect(await ask('@human', 'Shall I really?')).toMatchObject(refusal('one question'))
    await outside(
      'send',
      '@frontend',
      'It is a string.',
      '--reply-to',
      idOf(first),
      '--as',
      'backend',
    )
    await frontend.rung()
    expect(await ask('@backend', 'And the date?')).toMatchObject({ code: 0 })
  })

  test('refuses a question to a name that nobody has had, and makes no inbox for it', async () => {
    const { bus, frontend, rung } = await pair()
    await rung()
    const ask = ['send', '@nobody-yet', 'Is it?', '--question', '--queue']
    expect(await frontend.chat(...ask)).toMatchObject({ code: 3, stdout: '' })
    expect(existsSync(bus.home.inbox('nobody-yet'))).toBe(false)
    await frontend.human()
    expect(await frontend.chat(...ask)).toMatchObject({ code: 0 })
  })

  test('the human’s next prompt frees the next question as well', async () => {
    const { frontend, rung } = await pair()
    await rung()
    await frontend.chat('send', '@backend', 'a?', '--question')
    await frontend.human()
    await rung('another')
    expect(await frontend.chat('send', '@backend', 'b?', '--question')).toMatchObject({ code: 0 })
  })

  test('passes an answer to a question', async () => {
    const { frontend, rung } = await pair()
    const id = await rung('Is amount a string?', '--question')
    expect(await frontend.chat('send', '@backend', 'yes')).toMatchObject(refusal('work gate'))
    expect(await frontend.chat('send', '@human', 'it asks', '--reply-to', id)).toMatchObject({
      code: 0,
    })
    expect(await frontend.chat('send', '@backend', 'yes', '--reply-to', id)).toMatchObject({
      code: 0,
    })
  })

  test('is refused to each of five', async () => {
    const { frontend, rung } = await pair()
    await rung()
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => frontend.chat('send', '@backend', 'done')),
    )
    for (const run of runs) expect(run).toMatchObject(refusal('work gate'))
  })

  test('is free once the human speaks, and in their next turn', async () => {
    const { bus, frontend, rung } = await pair()
    await rung()
    const prompt_id = JSON.parse(readFileSync(bus.home.state('frontend'), 'utf8')).turn.id
    await frontend.hook('user-prompt-submit', { prompt: 'yes, tell them', prompt_id })
    expect(await frontend.chat('send', '@backend', 'ok with us')).toMatchObject({ code: 0 })
    await frontend.human()
    expect(await frontend.chat('send', '@backend', 'and more')).toMatchObject({ code: 0 })
  })

  test('warn sends and says what it would have refused', async () => {
    const { bus, frontend, rung } = await pair({ AGENT_CHAT_GATE: 'warn' })
    await rung()
    const run = await frontend.chat('send', '@backend', 'I saw it')
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^agent-chat: the gate would block this \(work gate/),
    })
    expect(eventsOf(bus.home, 'refused')).toMatchObject([{ mode: 'warn' }])
  })

  test('off looks at nothing', async () => {
    const { bus, frontend, rung } = await pair({ AGENT_CHAT_GATE: 'off' })
    await rung()
    expect(await frontend.chat('send', '@backend', 'I saw it')).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(eventsOf(bus.home, 'refused')).toEqual([])
  })
})

describe('no way around', () => {
  test('a command’s own AGENT_CHAT_GATE is not the agent’s', async () => {
    const { bus, frontend, rung } = await pair()
    await rung()
    const env = { AGENT_CHAT_NAME: 'frontend', AGENT_CHAT_GATE: 'off' }
    const run = await runCli(['send', '@backend', 'x'], { home: bus.home.root, env })
    expect(run).toMatchObject(refusal('work gate'))
    expect(await frontend.chat('gate', 'frontend')).toMatchObject({
      stdout: expect.stringMatching(/^@frontend {2}closed/),
    })
  })

  test('what an agent runs speaks as that agent, whatever it names itself', async () => {
    const bus = tempBus(['other', 'backend'])
    // This process stands above the command, as a registered agent does.
    const me = bus.processes.self()
    const sessions = {
      frontend: { name: 'frontend', agent: me },
      other: { name: 'other' },
      backend: { name: 'backend' },
    }
    writeFileSync(bus.home.sessions, JSON.stringify(sessions))
    const home = bus.home.root
    for (const env of [{ AGENT_CHAT_NAME: 'other' }, { AGENT_CHAT_NAME: 'human' }, {}]) {
      const run = await runCli(['send', '@backend', 'x', '--as', 'other'], { home, env })
      expect(longId(bus.home, run.stdout)).toMatch(/-from-frontend$/)
      expect(run.stderr).toMatch(/@frontend \(by the agent that runs this\)/)
    }
  })

  test('an agent without hooks may neither approve nor release; its terminal may', async () => {
    const bus = tempBus(['backend'])
    const sessions = {
      frontend: { name: 'frontend', agent: bus.processes.self() },
      backend: { name: 'backend' },
    }
    writeFileSync(bus.home.sessions, JSON.stringify(sessions))
    for (const args of [
      ['approve', '@backend'],
      ['release', '--all'],
      ['stop', 'backend'],
    ]) {
      const run = await runCli(args, { home: bus.home.root })
      expect(run).toMatchObject({ code: 3, stderr: expect.stringMatching(/is for your user only/) })
    }
    writeFileSync(
      bus.home.sessions,
      JSON.stringify({ ...sessions, frontend: { name: 'frontend' } }),
    )
    const env = { AGENT_CHAT_NAME: 'frontend' }
    for (const args of [
      ['approve', '@backend'],
      ['release', '--all'],
    ])
      expect(await runAsOwner(args, { home: bus.home.root, env })).toMatchObject({ code: 0 })
  })

  test('a yes to one call is none to an approval, nor to a chain', async () => {
    const { bus, frontend, rung } = await pair()
    await rung()
    await frontend.may('Bash', { command: 'touch x' })
    await frontend.did('Bash', { command: 'touch x' })
    expect(await frontend.may('Bash', { command: 'touch x' })).toBe('pass')
    for (const args of [['approve', '@backend'], ['release', '--all'], ['pause']])
      expect(await frontend.chat(...args)).toMatchObject({ code: 3, stdout: '' })
    expect(eventsOf(bus.home, 'refused')).toMatchObject([
      { name: 'frontend', rule: 'human approval', reason: expect.stringContaining('approve') },
      { name: 'frontend', rule: 'human approval', reason: expect.stringContaining('release') },
      { name: 'frontend', rule: 'human approval', reason: expect.stringContaining('pause') },
    ])
  })
})

describe('gate', () => {
  test('shows each session: open or closed, and why', async () => {
    const { frontend, outside, rung } = await pair()
    await rung()
    const run = await outside('gate')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toBe(
      '@backend  unknown: nothing shows who started this turn\n' +
        '@frontend  closed: this turn was started by a message from @backend; you have not typed anything since\n',
    )
    await frontend.may('Bash', { command: 'touch x' })
    expect((await outside('gate', 'frontend')).stdout).toContain(
      '; you were asked and did not say yes\n',
    )
    await frontend.did('Bash', { command: 'touch x' })
    expect((await outside('gate', 'frontend')).stdout).toContain(
      'closed: this turn was started by a message from @backend; you allowed this very command',
    )
    await frontend.human()
    expect((await outside('gate', 'frontend')).stdout).toBe(
      '@frontend  open: you started this turn\n',
    )
    await frontend.hook('user-prompt-submit', {
      prompt: wrapped('the build failed', 'Stop'),
      prompt_id: 'x',
    })
    expect((await outside('gate', 'frontend')).stdout).toBe(
      '@frontend  open: you started this turn\n',
    )
  })

  test('has what is approved, asked, held and paused, as text and as data', async () => {
    const { frontend, outside, rung } = await pair()
    await frontend.human()
    await frontend.chat('approve', '@docs', '--count', '3', '--for', '2h')
    await frontend.chat('send', '@backend', 'Is it?', '--question')
    await outside('pause')
    await rung()
    const text = (await outside('gate', 'frontend')).stdout
    expect(text).toMatch(/^every doorbell is paused: agent-chat unpause\n@frontend {2}closed/)
    expect(text).toMatch(
      /\n {2}approved beforehand: @docs, 3 more messages until \d{4}-\d\d-\d\d \d\d:\d\d\n/,
    )
    const data = JSON.parse((await outside('gate', 'frontend', '--json')).stdout)
    expect(data).toMatchObject({
      paused: true,
      held: [],
      sessions: [
        {
          name: 'frontend',
          mode: 'enforce',
          gate: 'closed',
          why: expect.stringContaining('@backend'),
          approvals: { docs: { left: 3, until: expect.any(String), at: expect.any(String) } },
          sent: 1,
        },
      ],
    })
  })

  test('knows no session that is none, and says when the gate warns or is off', async () => {
    const { outside } = await pair()
    expect(await outside('gate', 'nobody')).toMatchObject({ code: 4, stdout: '' })
    expect(await outside('gate', '../x')).toMatchObject({ code: 2 })
    const warned = await pair({ AGENT_CHAT_GATE: 'warn' })
    expect((await warned.outside('gate', 'frontend')).stdout).toMatch(/ \(warn\)\n$/)
    const off = await pair({ AGENT_CHAT_GATE: 'off' })
    expect((await off.outside('gate', 'frontend')).stdout).toBe(
      '@frontend  open: AGENT_CHAT_GATE is off (off)\n',
    )
    const nobody = await runCli(['gate'], { home: tempBus().home.root })
    expect(nobody).toMatchObject({
      code: 0,
      stdout: 'no sessions yet; start one with: agent-chat start backend\n',
    })
  })
})

test('reading is what closes a question, and the message that was only peeked at is still what the turn is about', async () => {
  const { frontend, outside, message } = await pair()
  await outside('send', '@frontend', 'GET /tasks is ready', '--as', 'backend')
  await frontend.hook('user-prompt-submit', {
    prompt: wrapped('New message from @backend. Check inbox.'),
    prompt_id: 'p',
  })
  await frontend.chat('inbox', '--peek')
  await frontend.did('Read')
  expect(message(await frontend.chat('send', '@backend', 'it has no tests')).hops).toBe(1)
})
