import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { shortId } from '../../message/shortId.ts'
import { cleanEnv, DIST, outcome, type RunOptions, runCli } from '../../testing/cli.ts'
import { eventsOf, tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'

const run = (bus: Bus, args: string[], options: Partial<RunOptions> = {}) =>
  runCli(['console', ...args], { home: bus.home.root, ...options })

const sent = (bus: Bus) =>
  eventsOf(bus.home, 'sent').map(({ from, to, preview }) => [from, to, preview])

function tell(bus: Bus, to: string, body: string) {
  return sendMessage(bus, { from: 'backend', to, kind: 'handover', body }).message
}

/** The console in plain mode, with an input that stays open. */
function openPlain(bus: Bus, args: string[] = []) {
  const child = spawn(RUNTIME, [join(DIST, 'main.js'), 'console', ...args], {
    env: cleanEnv({ home: bus.home.root }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  return {
    child,
    ended: outcome(child),
    text: () => text,
    type: (line: string) => child.stdin.write(`${line}\n`),
  }
}

test('a name that nobody has is refused, also as the one to write to', async () => {
  const bus = tempBus(['backend'])
  expect(await run(bus, ['@bakend', '--plain'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('\n  hint: did you mean @backend? '),
  })
})

describe('through a pipe', () => {
  test('shows what was there, does what is typed, and says so, without an escape code', async () => {
    const bus = tempBus(['backend', 'frontend'])
    tell(bus, 'human', 'first\nsecond \u001b[2J日本 🎉')
    const { code, stdout, stderr } = await run(bus, [], {
      input: '@frontend hello\nand more\n/who\n',
    })
    expect([code, stderr]).toEqual([0, ''])
    // Nobody types into a pipe.
    expect(stdout.match(/sent in the name of @human, not proven: /g)).toHaveLength(2)
    expect(stdout.split('\n').filter((line) => !line.includes('not proven'))).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d @backend to you, handover: first second \^\[\[2J日本 🎉 \(\S+\)$/,
      ),
      expect.stringMatching(/ you to @frontend, note: hello \(/),
      expect.stringMatching(/ you to @frontend, note: and more \(/),
      expect.stringMatching(/^name +pane/),
      expect.stringMatching(/^@backend /),
      expect.stringMatching(/^@frontend /),
      '',
    ])
    expect(stdout).not.toContain('\u001b')
    expect(sent(bus).slice(1)).toEqual([
      ['human', 'frontend', 'hello'],
      ['human', 'frontend', 'and more'],
    ])
    expect(unreadIds(bus.home, 'human')).toEqual([])
  })

  test('ends with the exit code of the first line that failed; the others are done', async () => {
    const bus = tempBus(['backend'])
    const { code, stdout } = await run(bus, ['@backend'], { input: '@nobody x\n/nothing\nhello\n' })
    expect(code).toBe(4)
    expect(stdout).toMatch(
      /error: no session named @nobody is registered \(.+\)\nerror: there is no command \/nothing \(/,
    )
    expect(sent(bus)).toEqual([['human', 'backend', 'hello']])
  })

  test('does nothing behind /quit', async () => {
    const bus = tempBus(['backend'])
    expect((await run(bus, ['backend'], { input: 'one\n/quit\ntwo\n' })).code).toBe(0)
    expect(sent(bus)).toEqual([['human', 'backend', 'one']])
  })

  test('with --json prints an object for each event', async () => {
    const bus = tempBus(['backend'])
    tell(bus, 'human', 'one')
    const { stdout } = await run(bus, ['--json'], { input: '@backend two' })
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { type: 'message', from: 'backend', to: 'human', text: 'one' },
      { type: 'message', from: 'human', to: 'backend', text: 'two' },
      { type: 'notice', text: expect.stringContaining('not proven') },
    ])
  })

  test('prints what comes while it is open, and ends with its input', async () => {
    const bus = tempBus(['backend'])
    const { child, ended, text, type } = openPlain(bus, ['--plain'])
    type('@backend hello')
    await until('the first line', () => text().includes('hello'))
    tell(bus, 'frontend', 'one')
    const { id } = tell(bus, 'human', 'two')
    await until('what came', () => text().includes('one') && text().includes(shortId(id)))
    await until('the mark', () => unreadIds(bus.home, 'human').length === 0)
    child.stdin.end()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with %s', async (signal) => {
    const { child, ended, text, type } = openPlain(tempBus(['backend']))
    type('/who')
    await until('the answer', () => text().includes('@backend'))
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('ends when nobody reads any more; what was not taken stays unread', async () => {
    const bus = tempBus(['backend'])
    const { child, ended, text, type } = openPlain(bus)
    type('/who')
    await until('the answer', () => text().includes('@backend'))
    child.stdout.destroy()
    const { id } = tell(bus, 'human', 'one')
    expect(await ended).toMatchObject({ code: 1, stderr: '' })
    expect(unreadIds(bus.home, 'human')).toEqual([id])
  })
})

describe('is nobody’s but the human’s', () => {
  test.each([
    [{ AGENT_CHAT_NAME: 'backend' }, /the place of @backend/],
    [{ CLAUDECODE: '1' }, /CLAUDECODE is in the environment/],
    [{ CLAUDE_PID: '17' }, /CLAUDE_PID is in the environment/],
  ])('%j', async (env, why) => {
    const bus = tempBus(['backend', 'frontend'])
    const { code, stderr, stdout } = await run(bus, [], { env, input: '@frontend do it' })
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(why)
    expect(sent(bus)).toEqual([])
  })
})

test('makes a home that is not there yet, as send does', async () => {
  const bus = tempBus()
  rmSync(bus.home.root, { recursive: true })
  expect((await run(bus, [], { input: '/who\n' })).code).toBe(0)
  expect(existsSync(bus.home.root)).toBe(true)
})

test('refuses a name that is none', async () => {
  expect((await run(tempBus(), ['@Not a name'])).code).toBe(2)
})
