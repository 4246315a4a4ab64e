import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseSessions } from '../bus/names/registry.ts'
import type { ProcessInfo } from '../system/processes.ts'
import { tempHome } from '../testing/home.ts'
import { findIdentity } from './identity.ts'

/** What runs: the pid, its parent, its short name, and the words of a script. */
const RUNNING: [pid: number, parent: number, command: string, args?: string[]][] = [
  [10, 1, 'tmux: server'],
  // @alice in a pane: its shell, the agent, what that runs.
  [20, 10, 'bash'],
  [30, 20, 'claude'],
  [31, 30, 'bash'],
  [32, 30, 'node', ['node', '/usr/bin/agent-chat', 'mcp']],
  [33, 31, 'claude'],
  // @bob in another one.
  [40, 10, 'zsh'],
  [50, 40, 'claude'],
  // Another agent in a shell of @alice's pane, and one by itself.
  [35, 20, 'claude'],
  [60, 1, 'bash'],
  [61, 60, 'MainThread', ['node', '/usr/bin/gemini']],
  // @cody, whose window is in a terminal; the server that all windows of Codex share.
  [65, 60, 'codex'],
  [66, 1, 'codex'],
  // @docs: a shell that has joined, with one of root's and one of another user's below it.
  [70, 10, 'bash'],
  [71, 70, 'sudo'],
  [72, 71, 'bash'],
  [73, 70, 'su'],
  [74, 73, 'sh'],
  // A daemon of the client, and a session that it serves.
  [80, 1, 'claude'],
  [81, 80, 'claude'],
  // An editor that was started from a pane, with its terminal.
  [90, 1, 'code'],
  [91, 90, 'bash'],
  // A tmux inside a pane.
  [95, 1, 'tmux: server'],
  [96, 95, 'bash'],
]

const ref = (pid: number) => ({ pid, started: `s${pid}` })
const inPane = (pane: string, pid: number, tmux_socket = '/s') => ({
  ...{ pane, tmux_socket },
  pane_process: ref(pid),
})
const REGISTRY = {
  alice: { agent: ref(30), native: true, ...inPane('%1', 20) },
  bob: { agent: ref(50), native: true, ...inPane('%0', 40) },
  cody: { agent: ref(65), program: 'codex' },
  docs: inPane('%5', 70),
  inner: inPane('%0', 96, '/inner'),
  lone: {},
  ended: { agent: ref(29), native: true },
  earlier: { pane: '%8', tmux_socket: '/s' },
}

const ALICE = { AGENT_CHAT_NAME: 'alice' }
const paneOf = (pane: string, TMUX = '/s,10,0') => ({ TMUX, TMUX_PANE: pane })

/** `in`: what runs the command, `init` for none that is left, `sandbox` for a list of its own. */
type Row = [what: string, place: number | 'init' | 'sandbox', env: object, who: string]

const CONFIRMED: Row[] = [
  ["an agent's Bash", 31, { ...ALICE, CLAUDE_PID: '30' }, 'alice by agent'],
  ["an agent's Bash, without a variable", 31, {}, 'alice by agent'],
  ["an agent's Bash, with the name of another", 31, { AGENT_CHAT_NAME: 'bob' }, 'alice by agent'],
  ['an MCP server of an agent', 32, ALICE, 'alice by agent'],
  ['an agent that a session runs for itself', 33, ALICE, 'alice by agent'],
  ['a plain shell in the pane', 70, paneOf('%5'), 'docs by pane'],
  [
    'the same, which has its name',
    70,
    { AGENT_CHAT_NAME: 'docs', ...paneOf('%5') },
    'docs by environment',
  ],
  ['sudo -s in the pane', 72, paneOf('%5'), 'docs by pane'],
  ['su in the pane', 74, paneOf('%5'), 'docs by pane'],
  ['a tmux inside a pane', 96, paneOf('%0', '/inner,95,0'), 'inner by pane'],
  ['a pane of an entry that does not say what it began with', 40, paneOf('%8'), 'earlier by pane'],
]

const CONTRADICTED: Row[] = [
  ['a session that a daemon of the client serves', 81, { ...ALICE, CLAUDE_PID: '81' }, 'nobody'],
  [
    'the same, while nobody has that name',
    81,
    { AGENT_CHAT_NAME: 'left', CLAUDE_PID: '81' },
    'nobody',
  ],
  ['the same, while the agent of that name has ended', 81, { AGENT_CHAT_NAME: 'ended' }, 'nobody'],
  ['the same, with the pid of the first', 81, { ...ALICE, CLAUDE_PID: '30' }, 'nobody'],
  ['an agent that Node runs', 61, ALICE, 'nobody'],
  ['Codex, with the name of a Claude Code', 66, ALICE, 'nobody'],
  ["another agent in the pane of a session's", 35, paneOf('%1'), 'nobody'],
  ['a shell of another pane, with an inherited TMUX_PANE', 40, paneOf('%5'), 'nobody'],
  ['a shell of the same tmux server, in no pane of its', 10, paneOf('%5'), 'nobody'],
  ['the terminal of an editor that was started from a pane', 91, paneOf('%0'), 'nobody'],
  ['the same, of an entry that does not say what it began with', 91, paneOf('%8'), 'nobody'],
  ['the name of one session, in the pane of another', 70, { ...ALICE, ...paneOf('%5') }, 'nobody'],
  ['the pid of another client than the live one', 'init', { ...ALICE, CLAUDE_PID: '50' }, 'nobody'],
  [
    'a sandbox with the name of one and the pid of another',
    'sandbox',
    { ...ALICE, CLAUDE_PID: '50' },
    'nobody',
  ],
]

const UNSEEN: Row[] = [
  [
    "nohup or setsid, from an agent's Bash",
    'init',
    { ...ALICE, CLAUDE_PID: '30' },
    'alice by environment?',
  ],
  ['the same, with the pane', 'init', { ...ALICE, ...paneOf('%1') }, 'alice by environment?'],
  ['the same, with the pane alone', 'init', paneOf('%1'), 'nobody'],
  ['the watcher', 'init', {}, 'nobody'],
  ['a sandboxed Bash', 'sandbox', { ...ALICE, CLAUDE_PID: '30' }, 'alice by environment?'],
  ['the same, with the pid of an agent alone', 'sandbox', { CLAUDE_PID: '30' }, 'nobody'],
  ['the same, with the pane alone', 'sandbox', paneOf('%1'), 'nobody'],
  ["Codex's shared server", 66, { AGENT_CHAT_NAME: 'cody' }, 'cody by environment?'],
  [
    'the same, under a name that is not registered',
    66,
    { AGENT_CHAT_NAME: 'new' },
    'new by environment?',
  ],
  ['a session whose agent is not known', 61, { AGENT_CHAT_NAME: 'lone' }, 'lone by environment?'],
  ['a shell with a name, and no agent above', 60, ALICE, 'alice by environment?'],
  [
    'an agent that you gave a name by hand, which is not registered',
    61,
    { AGENT_CHAT_NAME: 'new' },
    'new by environment?',
  ],
]

function ask(place: Row[1], env: object, argument?: string, home = tempHome()) {
  const warned: string[] = []
  const parent = typeof place === 'number' ? place : 1
  const list = [...RUNNING, [99, parent, 'node'] as (typeof RUNNING)[number]]
  const find = (pid: number): ProcessInfo | undefined => {
    const found = list.find(([one]) => one === pid)
    return found && { ...ref(pid), parent: found[1], command: found[2], group: pid, foreground: -1 }
  }
  const who = findIdentity({
    env: env as NodeJS.ProcessEnv,
    argument,
    sessions: () => parseSessions(JSON.stringify(REGISTRY)) ?? {},
    processes: {
      ...(place === 'sandbox' ? { hidden: true } : {}),
      self: () => ref(99),
      find,
      isAlive: ({ pid, started }) => find(pid)?.started === started,
    },
    home,
    argumentsOf: (pid) => list.find(([one]) => one === pid)?.[3],
    warn: (text) => warned.push(text),
  })
  const sure = who?.confirmed === false ? '?' : ''
  return { who: who ? `${who.name} by ${who.source}${sure}` : 'nobody', warned }
}

describe('which session this is', () => {
  test.each([...CONFIRMED, ...UNSEEN])('%s (below %s, with %j): %s', (_, place, env, who) =>
    expect(ask(place, env).who).toBe(who),
  )

  test.each(CONTRADICTED)('contradicted: %s (below %s, with %j)', (_, place, env) => {
    const { who, warned } = ask(place, env)
    expect(who).toBe('nobody')
    expect(warned).toEqual([expect.stringMatching(/^[^\n]* is not used: [^\n]*$/)])
  })

  test('a name that is contradicted is not taken from an argument either; another is', () => {
    expect(ask(81, ALICE, 'alice').who).toBe('nobody')
    expect(ask(81, ALICE, 'carol').who).toBe('carol by argument')
  })

  test.each(['states', 'launches'] as const)(
    'an agent that the session has told of, in %s',
    (kind) => {
      const home = tempHome()
      const told = kind === 'states' ? home.state('alice') : home.launched('alice')
      mkdirSync(home[kind], { recursive: true })
      writeFileSync(told, JSON.stringify({ agent: ref(81) }))
      expect(ask(81, ALICE, undefined, home).who).toBe('alice by environment')
      writeFileSync(told, JSON.stringify({ agent: { pid: 81, started: 'before' } }))
      expect(ask(81, ALICE, undefined, home).who).toBe('nobody')
    },
  )

  test.each([
    ['lives elsewhere', ref(50), 'nobody'],
    ['is this one', ref(61), 'new by environment'],
    ['has ended', { pid: 61, started: 'before' }, 'new by environment?'],
  ])('a name that is not registered, whose agent %s', (_, agent, who) => {
    const home = tempHome()
    mkdirSync(home.states, { recursive: true })
    writeFileSync(home.state('new'), JSON.stringify({ agent }))
    expect(ask(61, { AGENT_CHAT_NAME: 'new' }, undefined, home).who).toBe(who)
  })
})
