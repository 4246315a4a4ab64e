import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { readSessions } from '../../src/bus/names/registry.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn, tempBus, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import type { TmuxServer } from '../e2e/harness/tmux.ts'
import { openShell } from './shell.ts'
import { serverForTest } from './world.ts'

type Seat = { bus: Bus; server: TmuxServer; pane: Pane }

/** Sessions that are registered, and a person before a shell of their own. */
async function sitDown(env: Record<string, string> = {}): Promise<Seat> {
  const bus = tempBus(['backend', 'frontend'])
  const server = await serverForTest()
  const pane = await openShell(server, { home: bus.home.root, env })
  return { bus, server, pane }
}

const sent = (bus: Bus, at: number) =>
  until(
    `message ${at} to be sent`,
    () => eventsOf(bus.home, 'sent')[at] as Record<string, unknown> | undefined,
  )

/** Runs a command line and gives its exit code. */
async function exitCode({ pane }: Seat, line: string): Promise<number> {
  const file = join(tempDirectory(), 'code')
  await pane.submit(`${line}; echo $? >${file}`)
  return Number(await until('the command to end', () => text(file)))
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

describe('a person at a terminal that is no agent’s', () => {
  test('reads what came for them, and takes a decision by its number', async () => {
    const { bus, pane } = await sitDown()
    const escalated = await runCli(
      ['escalate', 'Drop it?', '--option', 'drop it', '--option', 'keep it'],
      {
        home: bus.home.root,
        env: { AGENT_CHAT_NAME: 'backend', AGENT_CHAT_NOTIFY: 'off' },
      },
    )
    expect(escalated.code).toBe(0)
    await pane.submit('agent-chat inbox')
    await pane.waitFor(
      /1 unread message for @human:[\s\S]*1\. drop it\n2\. keep it[\s\S]*agent-chat reply 1 <number/,
    )
    await pane.submit('agent-chat reply 1 2')
    await pane.waitFor(/sent \S{5} to @backend/)
    expect(await sent(bus, 1)).toMatchObject({
      from: 'human',
      to: 'backend',
      preview: '2. keep it',
    })
    await pane.submit('agent-chat inbox')
    await pane.waitFor(/no unread messages for @human/)
  })

  test('sends, and replies to what one agent wrote to another', async () => {
    const { bus, pane } = await sitDown()
    const { id } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'handover',
      body: 'done',
    }).message
    await pane.submit('agent-chat send @frontend "wait with that"')
    expect(await sent(bus, 1)).toMatchObject({ from: 'human', to: 'frontend', hops: 0 })
    await pane.submit(`agent-chat reply ${id} 'not yet'`)
    expect(await sent(bus, 2)).toMatchObject({ from: 'human', to: 'backend', in_reply_to: id })
  })

  test('is one also where a pipe stands before the command, or behind it', async () => {
    const { bus, pane } = await sitDown()
    await pane.submit('echo piped | agent-chat send @backend -')
    expect(await sent(bus, 0)).toMatchObject({ from: 'human', preview: 'piped\n' })
    await pane.submit('agent-chat send @backend behind </dev/null | cat')
    expect(await sent(bus, 1)).toMatchObject({ from: 'human', preview: 'behind' })
  })

  test('has tasks of their own', async () => {
    const { bus, pane } = await sitDown()
    sendMessage(bus, { from: 'backend', to: 'human', kind: 'task', body: 'turn the key' })
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'task', body: 'page the list' })
    await pane.submit('agent-chat tasks --mine')
    expect(await pane.waitFor(/^\w{5} {2}sent .*turn the key/m)).not.toContain('page the list')
    await pane.submit("agent-chat done 'the key one' turned")
    expect(await sent(bus, 2)).toMatchObject({
      from: 'human',
      to: 'backend',
      kind: 'result',
      preview: 'turned',
    })
  })
})

test('Ctrl-C at a question of setup ends it, and changes nothing', async () => {
  const userHome = tempDirectory()
  const { pane } = await sitDown({ HOME: userHome, SHELL: '/bin/bash' })
  await pane.submit('agent-chat setup --no-ring')
  await pane.waitFor(/\[y\/N\]/)
  const before = readdirSync(userHome, { recursive: true })
  await pane.key('C-c')
  await pane.submit('echo code=$?')
  expect(await pane.waitFor(/^code=/m)).toMatch(/^code=130$/m)
  expect(await pane.screen()).not.toContain('Ready.')
  expect(readdirSync(userHome, { recursive: true })).toEqual(before)
})

test('whoever reads the inbox of an agent is told that it will not see these', async () => {
  const { bus, server, pane } = await sitDown()
  const { id: where } = await server.newSession({ argv: ['cat'] })
  await runCli(['leave', 'frontend'], { home: bus.home.root })
  await pane.submit(`agent-chat join frontend ${where} --no-watch`)
  await pane.waitFor(/joined as @frontend/)
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'hello' })
  await pane.submit('clear; agent-chat inbox frontend --peek')
  expect(await pane.waitFor(/hello/)).not.toContain('these are read now')
  await pane.submit('clear; agent-chat inbox frontend')
  await pane.waitFor(
    /these are read now, so @frontend is not woken for them; to only look: agent-chat inbox frontend --peek/,
  )
})

describe('@human is not spoken for', () => {
  test.each([
    ['where Claude Code runs the command', { CLAUDECODE: '1' }],
    ['where a command of Claude Code’s runs it', { CLAUDE_PID: '1' }],
  ])('%s: 6', async (_, env) => {
    const seat = await sitDown(env)
    expect(await exitCode(seat, 'agent-chat inbox')).toBe(6)
    expect(await exitCode(seat, 'agent-chat send @backend x')).toBe(6)
    await seat.pane.waitFor(
      /not inside a session\n {2}hint: join first with: agent-chat join <name>/,
    )
    expect(filesIn(seat.bus.home.messages)).toEqual([])
  })

  test('without a terminal: 6', async () => {
    const seat = await sitDown()
    expect(await exitCode(seat, 'agent-chat inbox </dev/null >/dev/null 2>&1')).toBe(6)
    expect(await exitCode(seat, 'agent-chat inbox </dev/null >/dev/null')).toBe(0)
  })

  test('in the pane of a session: its commands are that session’s', async () => {
    const { bus, server, pane } = await sitDown()
    register(bus, { pane: pane.id, tmux_socket: server.socket })
    await asBackend(bus, pane)
  })

  test('below the agent of a session, in whatever terminal', async () => {
    const { bus, pane } = await sitDown()
    const agent = bus.processes.find(await pane.pid())
    register(bus, { agent: { pid: agent?.pid, started: agent?.started } })
    await asBackend(bus, pane)
  })

  test('nor for a session whose pane a terminal has only inherited the variables of', async () => {
    const seat = await sitDown()
    const { bus, server, pane } = seat
    const other = await openShell(server, { home: bus.home.root })
    await other.submit('agent-chat join backend --no-watch --force')
    await other.waitFor(/joined as @backend in pane/)
    const before = readSessions(bus.home).backend
    sendMessage(bus, { from: 'frontend', to: 'backend', kind: 'note', body: 'SECRET' })
    await pane.submit(`export TMUX_PANE=${other.id}; clear; agent-chat whoami`)
    await pane.waitFor(/^@human \(by its terminal\)/m)
    await pane.submit('clear; agent-chat inbox')
    expect(await pane.waitFor(/no unread messages for @human/)).not.toContain('SECRET')
    await pane.submit('clear; agent-chat join carol --no-watch')
    expect(await pane.waitFor(/joined as @carol/)).toMatch(
      /TMUX_PANE=%\d+ is not used: that pane does not hold this process/,
    )
    expect(readSessions(bus.home)).toMatchObject({ backend: before, carol: { pane: null } })
    await other.submit('clear; agent-chat inbox')
    await other.waitFor(/SECRET/)
  })

  /** What is registered of `backend`. */
  function register(bus: Bus, fields: Record<string, unknown>): void {
    writeFileSync(
      bus.home.sessions,
      JSON.stringify({ backend: { name: 'backend', ...fields }, frontend: {} }),
    )
  }

  /** Every command of the pane is `backend`'s, whatever it says. */
  async function asBackend(bus: Bus, pane: Pane): Promise<void> {
    sendMessage(bus, { from: 'frontend', to: 'human', kind: 'question', body: 'for the human' })
    await pane.submit('agent-chat inbox')
    expect(await pane.waitFor(/no unread messages for @backend/)).not.toContain('for the human')
    await pane.submit('agent-chat send @frontend x --as human')
    expect(await sent(bus, 1)).toMatchObject({ from: 'backend' })
    await pane.waitFor(/this session is @backend \(by .*\); @human is not used/)
    expect(filesIn(bus.home.inbox('human'))).toHaveLength(1)
  }
})
