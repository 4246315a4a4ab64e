import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { agentArgv, agentEnv, paneEnv, tmuxSessionName } from './plan.ts'

const argv = (command: string | undefined, ...agentArgs: string[]) =>
  agentArgv(
    { name: 'backend', command, agentArgs },
    { before: command === undefined ? ['--plugin-dir', '/plugin'] : [], behind: [] },
  )

describe('what is started', () => {
  test('is Claude Code with this plugin, and its arguments as they are', () => {
    expect(argv(undefined)).toEqual(['claude', '--plugin-dir', '/plugin'])
    expect(argv(undefined, '--model', 'a b', '')).toEqual([
      'claude',
      '--plugin-dir',
      '/plugin',
      '--model',
      'a b',
      '',
    ])
  })

  const COMMANDS: [command: string, args: string[], prints: string][] = [
    ['printf "%s|"', ['a b', '', '$(x)', "it's"], "a b||$(x)|it's|"],
    [`printf '%s|' "one; two"`, ['three'], 'one; two|three|'],
    ['GREETING=hello; printf "%s|" "$GREETING"', ['you'], 'hello|you|'],
    ['GREETING=hello sh -c \'printf "%s|" "$GREETING" "$@"\' sh', ['you'], 'hello|you|'],
    ['cd / && printf "%s|" "$PWD"', ['x'], '/|x|'],
    ['  printf "%s|"', ['x'], 'x|'],
    ['true || false; printf "%s|"', ['x'], 'x|'],
  ]
  test.each(COMMANDS)('is the command line %j, as a shell reads it', (command, args, prints) => {
    const [program, ...rest] = argv(command, ...args)
    expect(execFileSync(program, rest, { encoding: 'utf8' })).toBe(prints)
  })

  const CLOSED: [command: string, args: string[], prints: string][] = [
    ['(printf "%s|" a)', [], 'a|'],
    ['{ printf "%s|" "$@"; }', ['x', 'y z'], 'x|y z|'],
    ['for one in "$@"; do printf "%s|" "$one"; done', ['x', 'y z'], 'x|y z|'],
  ]
  test.each(CLOSED)(
    'is the command line %j, behind which nothing can stand',
    (command, agentArgs, prints) => {
      const [program, ...rest] = agentArgv(
        { name: 'backend', command, agentArgs },
        { before: [], behind: [] },
        agentArgs.length > 0,
      )
      expect(execFileSync(program, rest, { encoding: 'utf8' })).toBe(prints)
    },
  )

  test('is the agent itself, with no shell above it, where the command line is one program', () => {
    const [program, ...rest] = argv('sh -c "echo \\$PPID"')
    expect(execFileSync(program, rest, { encoding: 'utf8' })).toBe(`${process.pid}\n`)
  })
})

describe('the environment of the agent', () => {
  test('is the one of the caller, with the name, and without the marks of a Claude Code around it', () => {
    const env = {
      PATH: '/bin',
      AGENT_CHAT_NAME: 'other',
      ANTHROPIC_API_KEY: 'k',
      CLAUDECODE: '1',
      CLAUDE_PID: '7',
      CLAUDE_CODE_SESSION_ID: 'x',
      CLAUDE_CODE_MESSAGING_TOKEN: 't',
      CLAUDE_CODE_MESSAGING_SOCKET: '/s',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CLAUDE_ENV_FILE: '/f',
      CLAUDE_PLUGIN_ROOT: '/p',
      CLAUDE_PROJECT_DIR: '/d',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CONFIG_DIR: '/c',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9',
    }
    expect(agentEnv(env, 'backend', '/plugin')).toEqual({
      PATH: '/plugin/bin:/bin',
      CLAUDE_CODE_PLUGIN_DIR_WATCH: '0',
      AGENT_CHAT_NAME: 'backend',
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CONFIG_DIR: '/c',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9',
    })
    expect(env.AGENT_CHAT_NAME).toBe('other')
  })

  test('finds agent-chat also without a path', () => {
    expect(agentEnv({}, 'backend', '/plugin').PATH).toBe('/plugin/bin')
  })

  test('in a new pane takes from the pane what describes a terminal, and nothing else', () => {
    const callers = {
      TMUX: '/a',
      TMUX_PANE: '%1',
      TERM: 'xterm',
      COLUMNS: '80',
      PWD: '/old',
      HOME: '/h',
      KEY: 'k',
      SHLVL: '3',
    }
    const panes = {
      TMUX: '/b',
      TMUX_PANE: '%2',
      TERM: 'tmux-256color',
      PWD: '/new',
      HOME: '/other',
      EXTRA: 'x',
    }
    expect(paneEnv(callers, panes)).toEqual({
      TMUX: '/b',
      TMUX_PANE: '%2',
      TERM: 'tmux-256color',
      PWD: '/new',
      HOME: '/h',
      KEY: 'k',
    })
  })
})

test('the tmux session of a name', () => {
  expect(tmuxSessionName('backend')).toBe('ac-backend')
})
