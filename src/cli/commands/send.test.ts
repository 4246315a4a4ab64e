import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Home } from '../../bus/home.ts'
import { DIST, type RunOptions, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempDirectory, tempHome } from '../../testing/home.ts'

const mainScript = `${DIST}/main.js`

const send = (home: Home, args: string[], options: Partial<RunOptions> = {}) =>
  runCli(['send', ...args], { home: home.root, env: { AGENT_CHAT_NAME: 'backend' }, ...options })

/** The only message in an inbox, as `inbox --peek --json` gives it. */
async function received(home: Home, name = 'frontend') {
  const { stdout } = await runCli(['inbox', name, '--peek', '--json'], { home: home.root })
  const { messages } = JSON.parse(stdout)
  expect(messages).toHaveLength(1)
  return messages[0]
}

function nothingSent(home: Home): void {
  expect(filesIn(home.messages)).toEqual([])
  expect(filesIn(home.inbox('frontend'))).toEqual([])
  expect(eventsOf(home, 'sent')).toEqual([])
}

describe('send', () => {
  test('says what it sent, and --json gives the message', async () => {
    const home = tempHome('backend', 'frontend')
    const plain = await send(home, ['@frontend', 'hello', 'there'])
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    expect(plain.stdout).toMatch(/^sent [a-z\d]{5} to @frontend\n$/)
    const json = await send(home, [
      'frontend',
      'GET /tasks is ready',
      '--json',
      '--subject',
      'a subject',
    ])
    expect(JSON.parse(json.stdout)).toEqual({
      id: expect.stringMatching(/^\d{8}T\d{6}\.\d{6}Z-from-backend$/),
      from: 'backend',
      to: 'frontend',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      kind: 'note',
      thread: expect.stringMatching(/-from-backend$/),
      subject: 'a subject',
      chain: expect.stringMatching(/-from-backend$/),
      hops: 0,
      body: 'GET /tasks is ready',
    })
  })

  test.each([
    [[], 'note', undefined, undefined],
    [['--handover'], 'handover', undefined, undefined],
    [['--kind', 'handover'], 'handover', undefined, undefined],
    [['-q', '-s', 'about', '-u'], 'question', 'about', 'urgent'],
  ])('%j makes it a %s', async (flags, kind, subject, priority) => {
    const home = tempHome('backend', 'frontend')
    await send(home, ['@frontend', '-m', 'hi', ...flags])
    expect(await received(home)).toMatchObject({ kind, ...(subject ? { subject, priority } : {}) })
  })

  test('--from goes on working, and says what it is called now', async () => {
    const home = tempHome('backend', 'frontend')
    const old = await runCli(['send', '@frontend', 'x', '--from', 'backend'], { home: home.root })
    expect(old).toMatchObject({ code: 0, stderr: 'agent-chat: --from is now called --as\n' })
    const now = await runCli(['send', '@frontend', 'x', '--as', 'backend'], { home: home.root })
    expect(now).toMatchObject({ code: 0, stderr: '' })
  })

  const BODIES: [how: string, args: string[], input: string | undefined, body: string][] = [
    ['words', ['@frontend', 'two', 'words'], undefined, 'two words'],
    ['words after --', ['@frontend', '--', '--help', '-x', '--', '-'], undefined, '--help -x -- -'],
    [
      'what a shell would run',
      ['@frontend', '$(touch /tmp/x); `id` && "q" \'q\' \\n'],
      undefined,
      '$(touch /tmp/x); `id` && "q" \'q\' \\n',
    ],
    ['a dash and standard input', ['@frontend', '-'], 'from\nstdin\n', 'from\nstdin\n'],
    ['standard input alone', ['@frontend'], 'piped', 'piped'],
    ['--file - and standard input', ['@frontend', '--file', '-'], 'as a file', 'as a file'],
    ['-f - and standard input', ['@frontend', '-f', '-'], 'as a file', 'as a file'],
    ['-m', ['@frontend', '-m', '-x is a flag'], undefined, '-x is a flag'],
    ['words, though something is piped', ['@frontend', 'words'], 'piped', 'words'],
  ]
  test.each(BODIES)('takes its body from %s', async (_, args, input, body) => {
    const home = tempHome('backend', 'frontend')
    expect(await send(home, args, input === undefined ? {} : { input })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(await received(home)).toMatchObject({ body, kind: 'note' })
  })

  test('takes its body from a file', async () => {
    const home = tempHome('backend', 'frontend')
    const path = `${tempDirectory()}/-note.md`
    writeFileSync(path, '# A note\n---\n')
    expect((await send(home, ['@frontend', '--file', path])).code).toBe(0)
    expect((await received(home)).body).toBe('# A note\n---\n')
  })

  test.each([
    [['--question'], 'question'],
    [['--kind', 'question'], 'question'],
    [['--question', '--kind', 'question'], 'question'],
    [['--kind', 'task'], 'task'],
    [['--kind', 'note'], 'note'],
  ])('%j makes a %s', async (options, kind) => {
    const home = tempHome('backend', 'frontend')
    expect((await send(home, ['@frontend', 'x', ...options])).code).toBe(0)
    expect((await received(home)).kind).toBe(kind)
  })

  test('reaches @human, who joins nothing, and whoever has left', async () => {
    const home = tempHome('backend')
    expect(await send(home, ['@human', 'look'])).toMatchObject({ code: 0, stderr: '' })
    expect((await received(home, 'human')).body).toBe('look')
  })

  test('256 KiB arrive whole, as arguments of the system allow and through a pipe', async () => {
    const home = tempHome('backend', 'frontend')
    const body = 'x'.repeat(256 * 1024)
    expect(await send(home, ['@frontend', '-'], { input: body })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect((await received(home)).body).toBe(body)
  })
})

test('what fails after it was sent is a warning: who was told of a failure would send it again', async () => {
  const home = tempHome('backend', 'frontend')
  // Something that is no lock stands in the place of the lock of what the gate remembers.
  mkdirSync(home.gateLock('backend'), { recursive: true })
  const run = await send(home, ['@frontend', 'hello'])
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sent \S+ to @frontend\n$/) })
  expect(run.stderr).toMatch(
    /^agent-chat: sent, but could not be recorded by the gate \(EISDIR[^\n]*\)\n$/,
  )
  expect(await received(home)).toMatchObject({ body: 'hello' })
})

describe('an answer', () => {
  test('keeps thread and chain, counts a hop unless it is the first answer, and is a reply unless it says otherwise', async () => {
    const home = tempHome('backend', 'frontend')
    const first = JSON.parse(
      (await send(home, ['@frontend', 'one', '--question', '--json'])).stdout,
    )
    const as = { env: { AGENT_CHAT_NAME: 'frontend' } }
    const part = first.id.slice(9, 22)
    const second = JSON.parse(
      (await send(home, ['@backend', 'two', '--reply-to', part, '--json'], as)).stdout,
    )
    expect(second).toMatchObject({
      kind: 'reply',
      thread: first.id,
      chain: first.id,
      in_reply_to: first.id,
      hops: 0,
    })
    const args = ['@frontend', 'three', '--reply-to', second.id, '--kind', 'result', '--json']
    const third = JSON.parse((await send(home, args)).stdout)
    expect(third).toMatchObject({
      kind: 'result',
      thread: first.id,
      chain: first.id,
      in_reply_to: second.id,
      hops: 1,
    })
  })

  test.each(['20991231', '../../etc/passwd', '', '*'])(
    'to %j, which is no message, is not sent',
    async (id) => {
      const home = tempHome('backend', 'frontend')
      expect(await send(home, ['@frontend', 'x', '--reply-to', id])).toMatchObject({
        code: 4,
        stdout: '',
      })
      nothingSent(home)
    },
  )

  test('to a part of two ids is not sent, and shows both', async () => {
    const home = tempHome('backend', 'frontend')
    for (const body of ['a', 'b']) await send(home, ['@frontend', body])
    const run = await send(home, ['@frontend', 'x', '--reply-to', 'from-backend'])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(
      /^agent-chat: "from-backend" matches 2 messages\n {2}hint: name one of them, for example: \w{5}, \w{5}\n$/,
    )
  })
})

describe('what is refused is not sent, with one line, a hint and a code', () => {
  const REFUSED: [
    what: string,
    code: number,
    args: string[],
    options: Partial<RunOptions>,
    says: RegExp,
  ][] = [
    [
      'a recipient that is nobody',
      4,
      ['@nobody', 'x'],
      {},
      /no session named @nobody[^\n]*\n.*to start it: agent-chat start nobody; --queue keeps it until @nobody joins\n$/,
    ],
    ['a slip of the name', 4, ['@frontned', 'x'], {}, /did you mean @frontend\?/],
    ['a word of the language', 4, ['@constructor', 'x'], {}, /no session named @constructor/],
    ['@all', 2, ['@all', 'x'], {}, /no broadcast/],
    ['@everyone', 2, ['everyone', 'x'], {}, /no broadcast/],
    ['a list', 2, ['@frontend,@backend', 'x'], {}, /no broadcast/],
    ['a path', 2, ['../frontend', 'x'], {}, /not a session name/],
    ['a path behind an @', 2, ['@../frontend', 'x'], {}, /not a session name/],
    ['two @', 2, ['@@frontend', 'x'], {}, /not a session name/],
    ['no recipient', 2, [], {}, /missing required argument 'recipient'/],
    ['an empty recipient', 2, ['', 'x'], {}, /not a session name/],
    [
      'an empty message',
      2,
      ['@frontend', ''],
      {},
      /the message is empty\n {2}hint: agent-chat send @frontend "/,
    ],
    ['blanks', 2, ['@frontend', ' \n '], {}, /the message is empty/],
    ['nothing on standard input', 2, ['@frontend'], {}, /the message is empty/],
    [
      'a byte too much',
      2,
      ['@frontend', '-'],
      { input: 'x'.repeat(256 * 1024 + 1) },
      /262144 bytes/,
    ],
    ['a NUL', 2, ['@frontend', '-'], { input: 'a\0b' }, /NUL/],
    ['no UTF-8', 2, ['@frontend', '-'], { input: Buffer.from([0xff, 0xfe]) }, /not UTF-8/],
    [
      'a file that is not there',
      2,
      ['@frontend', '--file', '/nowhere/x'],
      {},
      /cannot read "\/nowhere\/x" \(ENOENT\)/,
    ],
    ['a directory as file', 2, ['@frontend', '--file', '/'], {}, /cannot read "\/"/],
    ['a file without an end', 2, ['@frontend', '--file', '/dev/zero'], {}, /262144 bytes/],
    ['a file and words', 2, ['@frontend', 'x', '--file', '/etc/hostname'], {}, /given twice/],
    ['an unknown kind', 2, ['@frontend', 'x', '--kind', 'shout'], {}, /kind/],
    [
      'kind and question at odds',
      2,
      ['@frontend', 'x', '--kind', 'note', '--question'],
      {},
      /disagree/,
    ],
    ['a subject of two lines', 2, ['@frontend', 'x', '--subject', 'a\nb'], {}, /one line/],
    [
      'a subject with an escape sequence',
      2,
      ['@frontend', 'x', '--subject', 'a\u001b[31m'],
      {},
      /one line of text, without control characters \(U\+001B\)/,
    ],
    ['a body that nobody sees', 2, ['@frontend', '\u{e0068}\u200b'], {}, /is empty/],
    ['a subject that nobody sees', 2, ['@frontend', 'x', '--subject', '\u200b'], {}, /one line/],
    ['an empty subject', 2, ['@frontend', 'x', '--subject', ' '], {}, /one line/],
    ['a subject too long', 2, ['@frontend', 'x', '--subject', 'x'.repeat(201)], {}, /one line/],
    [
      'an unknown option',
      2,
      ['@frontend', 'use', '--force', 'here'],
      {},
      /unknown option '--force'\n {2}hint: .*send @name -- --help/,
    ],
    [
      'a message of lines that begins with dashes',
      2,
      ['@frontend', '---\n\nfrom: x'],
      {},
      /unknown option '--- from: x'\n {2}hint: .*send @name -- --help/,
    ],
    [
      'a long one',
      2,
      ['@frontend', `--${'x\n'.repeat(5000)}`],
      {},
      /^.{180,250}…\n {2}hint: .*send @name -- --help/,
    ],
    [
      'a slip of an option',
      2,
      ['@frontend', 'x', '--subjet', 'y'],
      {},
      /'--subjet'\n {2}hint: did you mean --subject\? see: agent-chat send --help\n/,
    ],
    [
      'nobody as sender',
      6,
      ['@frontend', 'x'],
      { env: {} },
      /not inside a session\n {2}hint: a person without a terminal types: agent-chat send @frontend x --as human; a session: join first with: /,
    ],
    [
      'a sender that is a path',
      2,
      ['@frontend', 'x'],
      { env: { AGENT_CHAT_NAME: '../x' } },
      /not a session name/,
    ],
    [
      'a sender of two lines',
      2,
      ['@frontend', 'x', '--as', 'a\nb'],
      { env: {} },
      /not a session name/,
    ],
  ]
  test.each(REFUSED)('%s: %i', async (_, code, args, options, says) => {
    const home = tempHome('backend', 'frontend')
    const run = await send(home, args, options)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(run.stderr).toMatch(says)
    nothingSent(home)
  })

  test.each([
    ['our own error', 4, 'SESSION_UNKNOWN', ['@frontned', 'x', '--json']],
    ['bad usage', 2, 'USAGE', ['@frontend', 'x', '--kind', 'shout', '--json']],
    ['an option of nobody', 2, 'USAGE', ['--json', '@frontend', 'x', '--force']],
  ])('with --json %s is an object on standard error', async (_, code, name, args) => {
    const run = await send(tempHome('backend', 'frontend'), args)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(JSON.parse(run.stderr)).toEqual({
      error: {
        code: name,
        message: expect.stringMatching(/^[^\n]+$/),
        hint: expect.stringMatching(/^[^\n]+$/),
      },
    })
  })

  test('--json behind -- is a word of the message, and no wish of the caller', async () => {
    const run = await send(tempHome('backend'), ['@frontend', '--', '--json'])
    expect(run.stderr).toMatch(/^agent-chat: no session/)
  })

  test('a terminal as standard input and no message: 2, and it waits for nothing', () => {
    const home = tempHome('backend', 'frontend')
    // script(1) gives the program a terminal; its own standard input stays open.
    const found = spawnSync('script', ['--version']).status === 0
    if (!found) return expect(found).toBe(false)
    const { stdout } = spawnSync(
      'script',
      ['-qec', `"${RUNTIME}" "$MAIN" send @frontend; echo code=$?`, '/dev/null'],
      {
        env: {
          PATH: process.env.PATH,
          MAIN: mainScript,
          AGENT_CHAT_HOME: home.root,
          AGENT_CHAT_NAME: 'backend',
        },
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
        timeout: 10_000,
      },
    )
    expect(stdout).toContain('the message is missing')
    expect(stdout).toContain('code=2')
    nothingSent(home)
  })
})

describe('who the sender is', () => {
  // No process is known of the server, so the variable counts for an entry of an earlier version.
  const pane = { TMUX: '/tmp/tmux-0/default,1,0', TMUX_PANE: '%3' }
  const withPanes = () => {
    const home = tempHome('backend', 'frontend', 'docs')
    const sessions = JSON.parse(readFileSync(home.sessions, 'utf8'))
    // No watcher is to look for panes that are not there.
    const at = { pane: '%3', watch: false }
    sessions.docs = { ...sessions.docs, ...at, tmux_socket: '/tmp/tmux-0/default' }
    sessions.backend = { ...sessions.backend, ...at, tmux_socket: '/tmp/tmux-0/other' }
    writeFileSync(home.sessions, JSON.stringify(sessions))
    return home
  }

  test.each([
    ['the environment', { AGENT_CHAT_NAME: 'backend' }, [], 'backend', ''],
    ['the environment, with an @', { AGENT_CHAT_NAME: '@backend' }, [], 'backend', ''],
    ['the environment before the pane', { AGENT_CHAT_NAME: 'backend', ...pane }, [], 'backend', ''],
    ['the pane on its own tmux server', pane, [], 'docs', ''],
    ['the argument, where nothing else tells', {}, ['--as', '@backend'], 'backend', ''],
    [
      'the argument, in a pane of nobody',
      { ...pane, TMUX_PANE: '%4' },
      ['--as', 'backend'],
      'backend',
      '',
    ],
    [
      'the environment before the argument, which is told',
      { AGENT_CHAT_NAME: 'backend' },
      ['--as', 'docs'],
      'backend',
      'agent-chat: this session is @backend (by AGENT_CHAT_NAME); @docs is not used\n',
    ],
    [
      'the pane before the argument, which is told',
      pane,
      ['--as', 'backend'],
      'docs',
      'agent-chat: this session is @docs (by its tmux pane); @backend is not used\n',
    ],
    [
      'the environment and an argument that agree',
      { AGENT_CHAT_NAME: 'backend' },
      ['--as', '@backend'],
      'backend',
      '',
    ],
  ])('%s', async (_, env, args, from, stderr) => {
    const home = withPanes()
    const run = await send(home, ['@frontend', 'x', ...args], { env })
    expect(run).toMatchObject({ code: 0, stderr })
    expect(await received(home)).toMatchObject({ from })
  })
})
