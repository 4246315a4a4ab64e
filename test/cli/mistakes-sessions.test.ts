import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/testing/cli.ts'
import { tempDirectory, tempHome } from '../../src/testing/home.ts'

const START = (word: string) =>
  `to start a session of this name: agent-chat start ${word}; see: agent-chat --help`
const MEANT = (line: string) => `did you mean: agent-chat ${line}`

/** What somebody types, the exit code, the line that says what is wrong, and the hint. */
const MISTAKES: [line: string, code: number, message: string, hint: string][] = [
  ...['check', 'commit', 'pr'].map((word): [string, number, string, string] => [
    word,
    2,
    `there is no command "${word}"`,
    START(word),
  ]),
  ['kill backend', 2, 'there is no command "kill"', MEANT('stop backend')],
  ['quit backend', 2, 'there is no command "quit"', MEANT('stop backend')],
  ['tail', 2, 'there is no command "tail"', MEANT('history --follow')],
  ['log', 2, 'there is no command "log"', MEANT('history')],
  ['answer', 2, 'there is no command "answer"', MEANT('reply')],
  [
    'export out.md',
    2,
    'export takes no arguments',
    'to write to a file: agent-chat export --out out.md; see: agent-chat export --help',
  ],
  [
    'pause frontend',
    2,
    'pause takes no arguments',
    'pause is for all sessions: agent-chat pause; see: agent-chat pause --help',
  ],
  ['stop a b', 4, 'no session named @a is registered', 'see who is there with: agent-chat who'],
  [
    'start backend -d',
    2,
    "unknown option '-d'",
    'did you mean: --detach; see: agent-chat start --help',
  ],
  [
    'history 5x',
    2,
    '"5x" is not a number of messages',
    'for example: agent-chat history 50; see: agent-chat history --help',
  ],
  [
    'inbox --limit x',
    2,
    '--limit: "x" is not a whole number from 1',
    'see: agent-chat inbox --help',
  ],
  [
    'stop',
    2,
    'stop takes a name, or --all',
    'for example: agent-chat stop backend; see the names with: agent-chat who',
  ],
  [
    'stop backend',
    2,
    'agent-chat did not start the agent of @backend',
    'end it in its own terminal; to unregister it: agent-chat leave backend',
  ],
  [
    'stop nobody',
    4,
    'no session named @nobody is registered',
    'see who is there with: agent-chat who',
  ],
  [
    'attach nobody',
    4,
    'no session named @nobody is registered',
    'see who is there with: agent-chat who; to start it: agent-chat start nobody',
  ],
  [
    'attach backend',
    2,
    '@backend is not in a tmux pane',
    'look at the terminal where it was started',
  ],
  [
    'whoami',
    6,
    'not inside a session',
    'join first with: agent-chat join <name>; at a terminal of your own you are @human',
  ],
  ['help nosuch', 2, 'there is no command "nosuch"', 'see: agent-chat --help'],
]

describe('what is typed by mistake is answered with what to type', () => {
  test.each(MISTAKES)('%s', async (line, code, message, hint) => {
    const home = tempHome('backend')
    const run = await runCli(line.split(' '), { home: home.root })
    expect(run).toMatchObject({
      code,
      stdout: '',
      stderr: `agent-chat: ${message}\n  hint: ${hint}\n`,
    })
  })
})

describe('an environment that cannot be meant', () => {
  const told = async (args: string[], env: Record<string, string>) => {
    const cwd = tempDirectory()
    const run = await runCli(args, { home: tempHome().root, env, cwd })
    return { ...run, made: existsSync(join(cwd, 'rel')) }
  }

  test.each<[string[], Record<string, string>, number, string, string]>([
    [
      ['join', 'x'],
      { AGENT_CHAT_GATE: 'no' },
      2,
      'no gate mode "no"',
      'AGENT_CHAT_GATE is one of: enforce, warn, off',
    ],
    [
      ['start', 'x', '--cmd', 'cat', '--no-tmux'],
      { AGENT_CHAT_GATE: 'no' },
      2,
      'no gate mode "no"',
      'AGENT_CHAT_GATE is one of: enforce, warn, off',
    ],
    [
      ['gate'],
      { AGENT_CHAT_GATE: 'no' },
      2,
      'no gate mode "no"',
      'AGENT_CHAT_GATE is one of: enforce, warn, off',
    ],
    [
      ['who'],
      { AGENT_CHAT_NOTIFY: 'foo' },
      2,
      'AGENT_CHAT_NOTIFY: there is no "foo"',
      'AGENT_CHAT_NOTIFY is one of: all, off; or some of: tmux,bell,desktop',
    ],
    [
      ['whoami'],
      { AGENT_CHAT_NAME: 'Bad Name' },
      2,
      'AGENT_CHAT_NAME: "Bad Name" is not a session name',
      'a name is 1 to 32 of a-z, 0-9 and -, and starts with a letter, for example: bad-name',
    ],
    [
      ['join', 'x'],
      { AGENT_CHAT_HOME: 'rel' },
      2,
      'AGENT_CHAT_HOME is a relative path: rel',
      'use an absolute path, for example: AGENT_CHAT_HOME="$HOME/rel"',
    ],
    ...['who', 'inbox', 'history', 'tasks', 'whoami', 'send @x hi', '--json'].map(
      (verb): [string[], Record<string, string>, number, string, string] => [
        verb.split(' ').filter((word) => word !== '--json'),
        { AGENT_CHAT_HOME: '/nonexistent/typo' },
        2,
        'the home /nonexistent/typo does not exist',
        'check AGENT_CHAT_HOME; to make a home there: agent-chat setup',
      ],
    ),
    [
      ['who'],
      { AGENT_CHAT_HOME: '', HOME: '/nonexistent/home' },
      2,
      'the home /nonexistent/home/agent-chat does not exist',
      'set HOME to your own directory, or AGENT_CHAT_HOME to another one',
    ],
  ])('%j with %j', async (args, env, code, message, hint) => {
    expect(await told(args, env)).toMatchObject({
      code,
      stdout: '',
      stderr: `agent-chat: ${message}\n  hint: ${hint}\n`,
      made: false,
    })
  })

  test('a default home that nothing has made yet is no mistake', async () => {
    const HOME = tempDirectory()
    expect(await told(['who'], { HOME, AGENT_CHAT_HOME: '' })).toMatchObject({
      code: 0,
      stdout: 'no sessions yet; start one with: agent-chat start backend\n',
      stderr: '',
    })
  })
})

describe('agent-chat alone', () => {
  test('without a session it says in three lines how to begin', async () => {
    const { code, stdout } = await runCli([], { home: tempHome().root })
    expect(code).toBe(0)
    expect(stdout.match(/^ {2}agent-chat .*$/gm)).toHaveLength(3)
  })

  test('names who is here, what waits for you, and what to type next', async () => {
    const { root } = tempHome('backend', 'frontend')
    const run = (...args: string[]) => runCli(args, { home: root })
    await run('send', '@frontend', 'x', '--from', 'backend')
    await run('send', '@human', 'x', '--from', 'backend')
    expect((await run()).stdout).toBe(
      'Sessions:\n  @backend   unknown: its agent tells nothing of what it does\n  @frontend  unknown: its agent tells nothing of what it does  1 unread\n\nFor you, @human: 1 unread message\nNext: agent-chat inbox\n',
    )
    expect(JSON.parse((await run('--json')).stdout)).toMatchObject({ you: 'human', unread: 1 })
  })
})

test.each([
  ['exit-codes', /^4 +no such session, message, task, agent, schedule or machine/m],
  ['environment', /^AGENT_CHAT_GATE +enforce/m],
])('help %s', async (topic, line) => {
  const { code, stdout } = await runCli(['help', topic], { home: tempHome().root })
  expect(code).toBe(0)
  expect(stdout).toMatch(line)
})

test('a bare word with --json starts nothing; join says that it makes the home', async () => {
  const root = join(tempDirectory(), 'new')
  expect(await runCli(['nosuch', '--json'], { home: root })).toMatchObject({ code: 2, stdout: '' })
  expect(existsSync(root)).toBe(false)
  expect((await runCli(['join', 'x', '--no-watch', '--json'], { home: root })).stderr).toContain(
    `agent-chat: made the home ${root}\n`,
  )
})

test('the gate of a session is the one that its agent was started with', async () => {
  const { root } = tempHome('backend')
  const run = await runCli(['gate', 'backend'], { home: root, env: { AGENT_CHAT_GATE: 'off' } })
  expect(run.stdout).toBe('@backend  unknown: nothing shows who started this turn\n')
})
