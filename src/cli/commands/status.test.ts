import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { beginAsk, endAsk } from '../../bus/index/asks.ts'
import { markRead } from '../../bus/mail/inbox.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { lastSeen } from '../../session/lastSeen.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { runCli } from '../../testing/cli.ts'
import { filesIn, register, tempBus, tempDirectory } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'
import { longId } from '../../testing/longId.ts'

async function pair() {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  const outside = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
  /** The status of these names as data. */
  const status = async (...args: string[]) =>
    JSON.parse((await outside('status', ...args, '--json')).stdout).sessions
  const send = (to: string, body: string, kind: 'task' | 'note' = 'note') =>
    sendMessage(bus, { from: 'backend', to, kind, body }).message
  return { bus, frontend, backend, outside, status, send }
}

describe('what status is asked', () => {
  const COMMANDS: [argv: string[], names: string[]][] = [
    [[], ['backend', 'frontend']],
    [['@backend'], ['backend']],
    [['backend'], ['backend']],
  ]
  test.each(COMMANDS)('%j', async (argv, names) => {
    const { status } = await pair()
    expect((await status(...argv)).map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test('without sessions it says how to start one', async () => {
    const output = 'no sessions yet; start one with: agent-chat start backend\n'
    expect(await runCli(['status'], { home: tempDirectory() })).toMatchObject({ stdout: output })
  })
})

describe('whose status', () => {
  test('is that of this session, where something tells which that is', async () => {
    const { frontend, outside } = await pair()
    expect((await frontend.chat('status')).stdout).toMatch(/^@frontend\n {2}state /)
    expect((await frontend.chat('status', '@backend')).stdout).toMatch(/^@backend\n {2}state /)
    const all = await outside('status')
    expect(all).toMatchObject({ code: 0, stderr: '' })
    expect(all.stdout.match(/^@.*$/gm)).toEqual(['@backend', '@frontend'])
  })

  test.each([
    ['@nobody', 4, /no session named @nobody is registered/],
    ['frontent', 4, /did you mean @frontend\?/],
    ['../x', 2, /is not a session name/],
  ])('%j is exit %i', async (name, code, said) => {
    const run = await runCli(['status', name], { home: tempBus(['frontend']).home.root })
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).toMatch(said)
  })

  test('with nobody there is no error, and no home is made', async () => {
    const user = tempDirectory()
    const options = { home: user, env: { HOME: user, AGENT_CHAT_HOME: '' } }
    expect(await runCli(['status'], options)).toMatchObject({ code: 0, stderr: '' })
    expect(await runCli(['status', 'human'], options)).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(`${user}/agent-chat`)).toBe(false)
  })

  test('may be that of a session that has left, and what it left unread', async () => {
    const { bus, outside, status, send } = await pair()
    const task = send('frontend', 'draw the button', 'task')
    register(bus.home, 'backend')
    expect(await status('frontend')).toMatchObject([
      {
        name: 'frontend',
        state: 'left',
        alive: 'gone',
        unread: 1,
        joined_at: null,
        doorbell: null,
        tasks: [{ id: task.id }],
      },
    ])
    expect((await outside('status', 'frontend')).stdout).toMatch(
      /^@frontend\n {2}state {6}not registered\n[\s\S]*\n {2}messages {3}0 handled, 1 unread\n/,
    )
  })
})

describe('a session', () => {
  test('is idle, busy or asking since its hooks told so, and gone with its agent', async () => {
    const { frontend, status } = await pair()
    const state = async () => (await status('frontend'))[0]
    const idle = await state()
    expect(idle).toMatchObject({
      state: 'idle',
      alive: 'alive',
      since: expect.stringMatching(/^\d{4}-/),
    })
    await frontend.human()
    const busy = await state()
    expect(busy.state).toBe('busy')
    expect(busy.since > idle.since).toBe(true)
    await frontend.hook('permission-request', { prompt_id: 'frontend-1' })
    expect((await state()).state).toBe('asking')
    await frontend.hook('stop', {})
    const stopped = await state()
    expect(stopped.state).toBe('idle')
    expect(stopped.last_seen > idle.last_seen).toBe(true)
    await frontend.end()
    expect(await state()).toMatchObject({
      state: 'gone',
      alive: 'gone',
      since: null,
      uptime_seconds: null,
    })
  })

  test('has been up since it joined', async () => {
    const { frontend, bus, status } = await pair()
    const session = {
      name: 'frontend',
      agent: frontend.ref,
      joined_at: new Date(Date.now() - 90_000).toISOString(),
    }
    writeFileSync(bus.home.sessions, JSON.stringify({ frontend: session }))
    const [row] = await status('frontend')
    expect(row.uptime_seconds).toBeGreaterThanOrEqual(90)
    expect(row.uptime_seconds).toBeLessThan(10_000)
  })

  test('says which task it holds, how that stands, and how many it gave', async () => {
    const { bus, outside, status, send } = await pair()
    const task = send('frontend', 'draw the button\n\nround', 'task')
    expect(await status('frontend')).toMatchObject([
      {
        tasks: [
          {
            id: task.id,
            from: 'backend',
            title: 'draw the button',
            state: 'sent',
            since: task.timestamp,
          },
        ],
        tasks_given: 0,
      },
    ])
    expect(await status('backend')).toMatchObject([{ tasks: [], tasks_given: 1 }])
    sendMessage(bus, {
      from: 'frontend',
      to: 'backend',
      kind: 'reply',
      body: 'on it',
      inReplyTo: task,
      extra: { task_state: 'accepted' },
    })
    expect((await outside('status', 'frontend')).stdout).toContain(
      `\n  task       draw the button, from @backend: accepted, since just now (${shortId(task.id)})\n`,
    )
    sendMessage(bus, {
      from: 'frontend',
      to: 'backend',
      kind: 'result',
      body: 'drawn',
      inReplyTo: task,
    })
    expect(await status()).toMatchObject([{ tasks: [], tasks_given: 0 }, { tasks: [] }])
  })

  test('says that a command of its waits for an answer', async () => {
    const { bus, outside, status } = await pair()
    const id = '20261121T033912.123456Z-from-frontend'
    beginAsk(bus, 'frontend', 'backend', id)
    expect(await status()).toMatchObject([{ asks: [] }, { asks: [{ to: 'backend', id }] }])
    expect((await outside('status', 'frontend')).stdout).toContain(
      `waiting for an answer from @backend to ${shortId(id)}\n`,
    )
    endAsk(bus)
    expect(await status('frontend')).toMatchObject([{ asks: [] }])
  })

  test('counts what it has read, and what is unread and held', async () => {
    const { bus, frontend, outside, status, send } = await pair()
    send('frontend', 'one')
    send('frontend', 'two')
    await frontend.rung()
    sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'three',
      silent: { ring: 'held', why: 'over a cap' },
    })
    send('frontend', 'four')
    expect(await status('frontend')).toMatchObject([{ handled: 2, unread: 2, held: 1 }])
    expect((await outside('status', 'frontend')).stdout).toContain(
      '2 handled, 2 unread (1 held: agent-chat gate)\n',
    )
  })

  test('shows its doorbell, and the last ring also when its message was read', async () => {
    const { bus, frontend, outside, status, send } = await pair()
    expect(await status('frontend')).toMatchObject([
      { doorbell: { choice: 'auto', in_use: 'native', paused: false, last_ring: null } },
    ])
    send('frontend', 'one')
    await frontend.hook('bell', { file_path: bus.home.ring('frontend'), event: 'change' })
    await frontend.rung()
    await outside('pause')
    expect(await status('frontend')).toMatchObject([
      {
        unread: 0,
        doorbell: {
          paused: true,
          last_ring: { by: 'native', at: expect.any(String), presented: expect.any(String) },
        },
      },
    ])
    expect((await outside('status', 'frontend')).stdout).toMatch(
      / {2}doorbell {3}native; paused: agent-chat unpause; last rang .*, presented\n/,
    )
  })

  test('is looked at without leaving a trace of its own', async () => {
    const { bus, status, send } = await pair()
    markRead(bus, 'frontend', send('frontend', 'one').id)
    const before = lastSeen(bus.home, 'frontend')
    for (let look = 0; look < 2; look += 1) {
      expect(await status('frontend')).toMatchObject([{ handled: 1, last_seen: before }])
    }
    rmSync(bus.home.state('frontend'))
    expect(await status('frontend')).toMatchObject([
      { handled: 1, last_seen: null, state: 'unknown' },
    ])
  })
})

test('is told also where nothing can be written that it would keep', async () => {
  const { home } = tempBus(['frontend'])
  writeFileSync(home.read('frontend', '20261121T033912.123456Z-from-backend'), '')
  const nobody = process.getuid?.() === 0 ? 65534 : undefined
  if (nobody !== undefined) {
    spawnSync('chown', ['-R', String(nobody), home.root])
    chmodSync(`${home.root}/..`, 0o755)
  }
  chmodSync(home.states, 0o500)
  const options = { home: home.root, ...(nobody === undefined ? {} : { uid: nobody }) }
  const run = await runCli(['status', 'frontend', '--json'], options)
  chmodSync(home.states, 0o700)
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(run.stdout).sessions).toMatchObject([{ handled: 1 }])
  expect(filesIn(home.states)).toEqual([])
})

test('shows the fields of who, and the same in them', async () => {
  const { outside, status, send } = await pair()
  send('frontend', 'one')
  const who = JSON.parse((await outside('who', '--json')).stdout).sessions
  expect(await status()).toMatchObject(who)
})

test('the human has open questions in the place of a state', async () => {
  const { bus, frontend, outside, status } = await pair()
  await frontend.human()
  const sent = await frontend.chat('send', '@human', '--question', 'round or square?')
  const id = longId(bus.home, sent.stdout)
  const escalated = await frontend.chat(
    'escalate',
    'Drop it?',
    '--option',
    'drop',
    '--option',
    'keep',
  )
  expect(escalated).toMatchObject({ code: 0 })
  const before = await status('human')
  expect(before).toMatchObject([
    {
      name: 'human',
      state: 'human',
      unread: 2,
      joined_at: null,
      doorbell: null,
      questions: [
        { id, from: 'frontend', title: 'round or square?', decision: null },
        { from: 'frontend', decision: 1 },
      ],
    },
  ])
  expect((await outside('status', 'human')).stdout).toMatch(
    /^@human\n {2}state {6}always here\n {2}question {3}from @frontend, .*: round or square\? \(agent-chat reply \S+\)\n {2}question .* \(agent-chat reply 1\)\n {2}messages {3}0 handled, 2 unread: agent-chat inbox human\n/,
  )
  await outside('inbox', 'human')
  await outside('reply', id, 'round', '--as', 'human')
  expect(await status('human')).toMatchObject([
    { unread: 0, handled: 2, questions: [{ decision: 1 }] },
  ])
  await outside('reply', '1', '2', '--as', 'human')
  expect(await status('human')).toMatchObject([{ questions: [] }])
})

test('a session whose pane is asked for and a registry by hand are shown, and obeyed in nothing', async () => {
  const { home } = tempBus()
  writeFileSync(
    home.sessions,
    JSON.stringify({ backend: { pane: '\u001b[2J\n%3', cwd: '/\u001b[2J', doorbell: '\u001b' } }),
  )
  const { code, stdout } = await runCli(['status'], { home: home.root })
  expect({ code, escapes: stdout.includes('\u001b') }).toEqual({ code: 0, escapes: false })
  expect(filesIn(home.states)).toEqual([])
})
