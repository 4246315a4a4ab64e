import { describe, expect, test } from 'vitest'
import { homeAt } from '../bus/home.ts'
import { parseSessions, type Sessions } from '../bus/names/registry.ts'
import { CodedError, isCoded } from '../errors.ts'
import { systemProcesses } from '../system/processes.ts'
import { findIdentity, paneOf, requireIdentity } from './identity.ts'

const REGISTERED: Sessions =
  parseSessions(
    '{"docs": {"pane": "%3", "tmux_socket": "/s"}, "other": {"pane": "%3", "tmux_socket": "/t"}}',
  ) ?? {}
const processes = systemProcesses()
/** Where nobody was ever renamed. */
const home = homeAt('/nowhere')
const PANE = { TMUX: '/s,1,0', TMUX_PANE: '%3' }

function ask(env: Record<string, string>, argument?: string) {
  const warnings: string[] = []
  const found = findIdentity({
    env,
    argument,
    sessions: () => REGISTERED,
    processes,
    home,
    warn: (text) => warnings.push(text),
  })
  return { name: found?.name, source: found?.source, warned: warnings.length }
}

describe('who is speaking', () => {
  test.each([
    [{}, undefined, undefined, undefined, 0],
    [{}, '@backend', 'backend', 'argument', 0],
    [{ AGENT_CHAT_NAME: '' }, 'backend', 'backend', 'argument', 0],
    [{ AGENT_CHAT_NAME: 'a' }, undefined, 'a', 'environment', 0],
    [{ AGENT_CHAT_NAME: 'a', ...PANE }, 'b', 'a', 'environment', 1],
    [PANE, undefined, 'docs', 'pane', 0],
    [PANE, 'docs', 'docs', 'pane', 0],
    [PANE, 'b', 'docs', 'pane', 1],
    [{ ...PANE, TMUX: '/t,1,0' }, undefined, 'other', 'pane', 0],
    [{ ...PANE, TMUX: '/unknown,1,0' }, undefined, undefined, undefined, 0],
    [{ ...PANE, TMUX_PANE: '%4' }, 'b', 'b', 'argument', 0],
  ])('%j and %j: %s', (env, argument, name, source, warned) => {
    expect(ask(env, argument)).toEqual({ name, source, warned })
  })

  test('the agent that runs this process, registered before: it stands above the environment and the pane', () => {
    const parent = processes.find(process.ppid)
    const mine = (started = parent?.started) =>
      parseSessions(JSON.stringify({ mine: { agent: { pid: process.ppid, started } } })) ?? {}
    const found = (sessions: Sessions, env = {}) =>
      findIdentity({
        env: { ...PANE, ...env },
        sessions: () => ({ ...REGISTERED, ...sessions }),
        processes,
        home,
        warn: () => {},
      })
    expect(found(mine())).toEqual({ name: 'mine', source: 'agent' })
    expect(found(mine(), { AGENT_CHAT_NAME: 'a' })).toEqual({ name: 'mine', source: 'agent' })
    expect(found(mine('the pid of another, before'))).toEqual({ name: 'docs', source: 'pane' })
  })

  test('a name in the environment that another live agent has: it is not used by a Claude Code that is not that one', () => {
    const parent = processes.find(process.pid)
    const agent = (started = parent?.started) => ({ pid: process.pid, started })
    const found = (env: Record<string, string>, mine = agent()) => {
      const warnings: string[] = []
      const sessions = () => parseSessions(JSON.stringify({ handy: { agent: mine } })) ?? {}
      const warn = (text: string) => warnings.push(text)
      const clues = { env: { AGENT_CHAT_NAME: 'handy', ...env }, sessions, processes, home, warn }
      return [findIdentity({ ...clues, argument: 'a' })?.name, warnings.length]
    }
    expect(found({ CLAUDE_PID: '1' })).toEqual(['a', 1])
    expect(found({ CLAUDE_PID: String(process.pid) })).toEqual(['handy', 1])
    expect(found({})).toEqual(['handy', 1])
    expect(found({ CLAUDE_PID: '1' }, agent('one that has ended'))).toEqual(['handy', 1])
  })

  test('a clue that is no name is an error, not nobody', () => {
    for (const [env, argument] of [
      [{ AGENT_CHAT_NAME: '../x' }, undefined],
      [{}, 'A'],
      [{ AGENT_CHAT_NAME: 'a' }, ''],
    ] as const)
      expect(() => ask(env, argument)).toThrow('is not a session name')
  })

  test('where nothing tells, the hint says what to do', () => {
    try {
      requireIdentity(
        { env: {}, sessions: () => REGISTERED, processes, home, warn: () => {} },
        'do this',
      )
      expect.unreachable()
    } catch (error) {
      expect(isCoded(error, 'IDENTITY_UNKNOWN') && error.hint).toBe('do this')
    }
  })

  test('a registry that cannot be read stops nobody whom the environment names', () => {
    const sessions = () => {
      throw new CodedError('REGISTRY_BROKEN', 'broken', { hint: 'mend it' })
    }
    expect(() => findIdentity({ env: PANE, sessions, processes, home, warn: () => {} })).toThrow(
      'broken',
    )
    expect(
      findIdentity({
        env: { AGENT_CHAT_NAME: 'a', ...PANE },
        sessions,
        processes,
        home,
        warn: () => {},
      })?.name,
    ).toBe('a')
  })

  test.each([
    {},
    { TMUX: '/s,1,0' },
    { TMUX: '', TMUX_PANE: '%1' },
    { TMUX: '/s', TMUX_PANE: '1' },
    { TMUX: '/s', TMUX_PANE: '%1; ls' },
  ])('%j is no pane', (env) => expect(paneOf(env)).toBeUndefined())
})
