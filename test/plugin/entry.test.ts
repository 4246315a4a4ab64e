import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentsWith, type TestAgent } from '../../src/testing/agent.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { type Plugin, plugin, TROUBLES } from './broken.ts'

const ROOT = join(import.meta.dirname, '..', '..')

type Hook = { command: string; args: string[]; asyncRewake?: boolean }

const { hooks } = JSON.parse(readFileSync(join(ROOT, 'hooks/hooks.json'), 'utf8'))
const HOOKS = Object.values<{ hooks: Hook[] }[]>(hooks).flatMap((groups) =>
  groups.flatMap((group) => group.hooks),
)
const wordOf = ({ args }: Hook) => args.at(-1) ?? ''
const JUDGE = HOOKS.find((hook) => wordOf(hook) === 'pre-tool-use') as Hook

// biome-ignore lint/suspicious/noTemplateCurlyInString: what Claude Code replaces.
const FOLDER = '${CLAUDE_PLUGIN_ROOT}'

/** Runs a hook as Claude Code does. */
function runs(
  { command, args }: Hook,
  { root, bin }: Plugin,
  env: Record<string, string>,
  payload: unknown = { tool_name: 'Bash', tool_input: { command: 'rm x' } },
) {
  const given = args.map((arg) => arg.replace(FOLDER, root))
  return spawnSync(command, given, {
    env: { PATH: bin, HOME: '/nowhere', ...env },
    input: JSON.stringify(payload),
    encoding: 'utf8',
    timeout: 30_000,
  })
}

/** A session that is registered. Its hooks know it by its client alone. */
async function joined(own: Record<string, string> = {}): Promise<{
  home: string
  agent: TestAgent
  known: Record<string, string>
}> {
  const { bus, agents } = await agentsWith(own, 'backend')
  const [agent] = agents as [TestAgent]
  const home = bus.home.root
  return { home, agent, known: { CLAUDE_PID: String(agent.ref.pid), AGENT_CHAT_HOME: home } }
}

const ASKS = /^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"ask",/

describe('a hook that cannot run', () => {
  test.each(TROUBLES)(
    'asks about a call of a session of ours, and is silent else: %s',
    async (what, does) => {
      const it = plugin()
      const { known } = await joined()
      const env = does(it)
      expect(runs(JUDGE, it, { ...known, ...env })).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(ASKS),
      })
      const stranger = { ...known, CLAUDE_PID: '1', ...env }
      expect(runs(JUDGE, it, stranger)).toMatchObject({ status: 0, stdout: '' })
      for (const hook of HOOKS) {
        if (hook === JUDGE) continue
        const { status, stdout } = runs(hook, it, { ...known, ...env }, {})
        // A hook that rings ends as its Node does.
        const ends = hook.asyncRewake ? status !== 2 || what.includes('with 2') : status === 0
        expect({ word: wordOf(hook), ends, stdout }).toEqual({
          ...{ word: wordOf(hook), ends: true, stdout: '' },
        })
      }
    },
  )

  test.each([
    ['by its name', () => ({ AGENT_CHAT_NAME: 'backend', AGENT_CHAT_HOME: '/nowhere' })],
    [
      'by the home of its client, where a project has set another',
      ({ known }: { known: Record<string, string> }) => ({ ...known, AGENT_CHAT_HOME: '/nowhere' }),
    ],
    [
      'in the home of the user',
      ({ known, home }: { known: Record<string, string>; home: string }) => {
        const HOME = tempDirectory()
        mkdirSync(dirname(`${HOME}/agent-chat`), { recursive: true })
        symlinkSync(home, `${HOME}/agent-chat`)
        return { CLAUDE_PID: known.CLAUDE_PID ?? '', HOME }
      },
    ],
  ])('knows a session of ours %s', async (_, env) => {
    const it = plugin()
    rmSync(join(it.bin, 'node'))
    expect(runs(JUDGE, it, env(await joined()))).toMatchObject({
      stdout: expect.stringMatching(ASKS),
    })
  })

  /** By the entry, and by what `hooks.json` itself holds. */
  const WAYS: [what: string, gone: (it: Plugin) => string][] = [
    ['no Node', ({ bin }) => join(bin, 'node')],
    ['no entry', ({ entry }) => entry],
  ]

  test.each(WAYS)(
    'knows a client one of whose variables looks like others: %s',
    async (_, gone) => {
      const it = plugin()
      rmSync(gone(it))
      const { known } = await joined({ X: 'x\nHOME=/nowhere\nAGENT_CHAT_HOME=/nowhere\n' })
      expect(runs(JUDGE, it, { ...known, AGENT_CHAT_HOME: '/nowhere' })).toMatchObject({
        stdout: expect.stringMatching(ASKS),
      })
    },
  )

  test.each(WAYS)('takes no other for a session by its pid: %s', async (_, gone) => {
    const it = plugin()
    rmSync(gone(it))
    const { home, agent, known } = await joined()
    const { ref } = agent
    const said = (session: object) => {
      writeFileSync(`${home}/sessions.json`, JSON.stringify({ backend: session }, null, 2))
      return runs(JUDGE, it, known).stdout
    }
    expect(said({ agent: ref })).toMatch(ASKS)
    expect(said({ agent: { ...ref, started: `${ref.started}@pid:[1]` } })).toMatch(ASKS)
    // The pid was used again, as after a restart; a pane that began with it holds others as well.
    expect(said({ agent: { ...ref, started: 'long ago' } })).toBe('')
    expect(said({ agent: { ...ref, started: `${ref.started}1` } })).toBe('')
    expect(said({ agent: null, pane_process: ref })).toBe('')
  })
})

test.each(HOOKS.map((hook) => [wordOf(hook), hook] as const))(
  'a whole plugin answers %s, and lets a stranger be',
  async (_, hook) => {
    const stranger = { CLAUDE_PID: '1', AGENT_CHAT_HOME: tempDirectory() }
    const { status, stdout } = runs(hook, plugin(), stranger)
    expect(status).toBe(0)
    // It watches for a join.
    if (wordOf(hook) !== 'session-start') expect(stdout).toBe('')
  },
)

const A_MESSAGE = /a message from/
const NOBODY_KNOWS = /its hook cannot run/

/** What a project's settings put into the environment of a hook, and why the call is asked about. */
const SET: [what: string, set: Record<string, string>, why?: RegExp][] = [
  ['nothing', {}],
  ['a file for Node that is gone', { NODE_OPTIONS: '--require /gone/x.js' }],
  ['a debugger that Node waits for', { NODE_OPTIONS: '--inspect-brk=127.0.0.1:0' }],
  ['one that Bun waits for', { BUN_OPTIONS: '--inspect-brk', BUN_INSPECT: '127.0.0.1:0' }],
  ['another program', { BUN_BE_BUN: '1' }],
  ['no gate', { AGENT_CHAT_GATE: 'off' }],
  ['a gate that only warns', { AGENT_CHAT_GATE: 'warn' }],
  ['another home', { AGENT_CHAT_HOME: '/nowhere' }],
  ['another HOME', { HOME: '/nowhere', XDG_DATA_HOME: '/nowhere' }],
  ['another name', { AGENT_CHAT_NAME: 'other' }],
  ['a worker’s mark', { AGENT_CHAT_WORKER: '1' }],
  ['a program that is not installed', { AGENT_CHAT_RUNTIME: 'native' }, NOBODY_KNOWS],
]

test.each([
  [{}, undefined],
  [{ NODE_OPTIONS: '--max-old-space-size=4096' }, undefined],
  [{ NODE_OPTIONS: '--require ./x.js' }, 'ask'],
])('what runs on node reads, unless the environment loads code: %j', async (set, said) => {
  const name = { AGENT_CHAT_NAME: 'backend' }
  const { agent, known } = await joined(name)
  await agent.rung()
  const payload = {
    tool_name: 'Bash',
    tool_input: { command: 'node -p 1' },
    prompt_id: 'backend-1',
  }
  const { stdout } = runs(JUDGE, plugin(), { ...known, ...name, ...set }, payload)
  expect(stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe(
    said,
  )
})

test.each(SET)('a project that sets %s opens no turn', async (_, set, why = A_MESSAGE) => {
  const project = tempDirectory()
  mkdirSync(join(project, '.claude'))
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ env: set }))
  const name = { AGENT_CHAT_NAME: 'backend' }
  const { agent, known } = await joined(name)
  await agent.rung()
  const env = { ...known, ...name, CLAUDE_PROJECT_DIR: project, ...set }
  const payload = { tool_name: 'Bash', tool_input: { command: 'rm x' }, prompt_id: 'backend-1' }
  const { stdout } = runs(JUDGE, plugin(), env, payload)
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: 'ask',
    permissionDecisionReason: expect.stringMatching(why),
  })
})

test.each([
  ['PreToolUse', 'ask'],
  ['PostToolUse', 'pass'],
  ['UserPromptSubmit', 'pass'],
])('a word that only another version knows, for %s: %s', async (hook_event_name, answer) => {
  const { agent } = await joined()
  const { code, stdout } = await agent.hook('judge-v9', { hook_event_name, tool_name: 'Bash' })
  expect(code).toBe(0)
  expect(stdout === '' ? 'pass' : JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe(
    answer,
  )
})

test('git writes line ends that a shell reads, also where it is set to write those of Windows', () => {
  const [from, to] = [join(tempDirectory(), 'from'), join(tempDirectory(), 'to')]
  const git = (...args: string[]) =>
    spawnSync(
      'git',
      ['-c', 'core.autocrlf=true', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args],
      {
        env: { PATH: process.env.PATH, HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
      },
    )
  git('init', '-q', from)
  for (const name of ['.gitattributes', 'bin/agent-chat', 'hooks/hooks.json', 'other.txt']) {
    mkdirSync(dirname(join(from, name)), { recursive: true })
    const text = name === 'other.txt' ? 'a\nb\n' : readFileSync(join(ROOT, name), 'utf8')
    writeFileSync(join(from, name), text)
  }
  git('-C', from, 'add', '-A')
  git('-C', from, 'commit', '-qm', 'all')
  expect(git('clone', '-q', from, to)).toMatchObject({ status: 0 })
  for (const name of ['bin/agent-chat', 'hooks/hooks.json', 'other.txt'])
    expect([name, readFileSync(join(to, name), 'utf8').includes('\r')]).toEqual([name, false])
})
