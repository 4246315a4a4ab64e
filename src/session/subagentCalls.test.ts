import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeDirectory } from '../system/files.ts'
import { tempBus } from '../testing/home.ts'
import type { SessionState } from './state.ts'
import { keyOf, subagentHere, withCall, withoutCalls } from './subagentCalls.ts'
import type { SubagentCall } from './turn.ts'

const STATE: SessionState = {
  ...{ activity: 'busy', since: '2026-01-01T00:00:00.000Z', session_id: 'one' },
  ...{ agent: { pid: 10, started: '10' }, native: true, vim: false, gate: 'enforce' },
}
const CALL: SubagentCall = { call: 'toolu_1', agent: 'a1', key: keyOf('agent-chat inbox') }

/** As Claude Code 2.1.329 runs a command in its shell. */
const wrapped = (quoted: string) => [
  '/bin/bash',
  '-c',
  String.raw`source /home/me/.claude/shell-snapshots/snapshot-bash-1-z5sj4a.sh 2>/dev/null || true && \builtin shopt -u extglob 2>/dev/null || true && { \builtin unalias -- 'which'; \builtin unset -f -- 'which'; } >/dev/null 2>&1 || true && eval ${quoted} && pwd -P >| /tmp/claude-a2dc-cwd`,
]

describe('whose call runs this', () => {
  /** The main conversation's agent (10), its shell (11), one in that (12), and this process (13). */
  function seen(words: string[], inner: string[] = ['sh', 'x.sh'], env: NodeJS.ProcessEnv = {}) {
    const { home } = tempBus(['frontend'])
    makeDirectory(home.states)
    writeFileSync(home.state('frontend'), JSON.stringify({ ...STATE, calls: [CALL] }))
    const named = ['bash', 'claude', 'bash', 'sh', 'node']
    const all = named.map((command, at) => ({
      ...{ pid: 9 + at, parent: 8 + at, started: `${9 + at}`, command, group: 0, foreground: 0 },
    }))
    const find = (pid: number) => all.find((one) => one.pid === pid)
    const processes = { self: () => ({ pid: 13, started: '13' }), find }
    const wordsOf = (pid: number) =>
      ({ 9: wrapped("'agent-chat inbox'"), 11: words, 12: inner })[pid] ?? ['-c', 'no']
    return subagentHere('frontend', { home, processes } as never, env, wordsOf)?.agent
  }

  test.each<[string, string[], string | undefined]>([
    ['its command', wrapped("'agent-chat inbox'"), 'a1'],
    ['with an empty standard input', wrapped("'agent-chat inbox' < /dev/null"), 'a1'],
    ['that has quotes', wrapped(`'agent-chat '"'"'inbox'"'"''`), 'a1'],
    ['which is a word of the command', wrapped("'agent-chat inbox' \\< /dev/null"), 'a1'],
    ['as `ps` gives it', wrapped("'agent-chat inbox'").join(' ').split(' '), 'a1'],
    ['with no wrapping', ['bash', '-c', 'agent-chat inbox'], 'a1'],
    ['of a login shell', ['bash', '-lc', 'agent-chat inbox'], 'a1'],
    ['another command', wrapped("'agent-chat inbox --json'"), undefined],
    ['one that holds it', wrapped("'sleep 1; agent-chat inbox'"), undefined],
    ['one that goes on after it', wrapped("'agent-chat inbox; ls'"), undefined],
    ['a shell without one', ['bash'], undefined],
    ['a script', ['bash', 'agent-chat', 'inbox'], undefined],
    ['words that nobody can see', [], undefined],
  ])('%s', (_, words, agent) => {
    expect(seen(words)).toBe(agent)
  })

  test('a shell in that of the call may have it, and one above the agent not', () => {
    expect(seen(wrapped("'x'"), ['sh', '-c', 'agent-chat inbox'])).toBe('a1')
    expect(seen(wrapped("'x'"))).toBeUndefined()
  })

  test('the host names the call', () => {
    expect(seen([], [], { CLAUDE_CODE_TOOL_USE_ID: 'toolu_1' })).toBe('a1')
    expect(seen([], [], { CLAUDE_CODE_TOOL_USE_ID: 'toolu_2' })).toBeUndefined()
  })
})

test.each([
  ["echo 'a  b'", `echo "a  b"`],
  ["echo it's", `echo it'"'"'s`],
  ['echo a &&\n echo b', 'echo a && echo b'],
  ['cat x | head', 'cat x < /dev/null | head'],
])('%s is the same command, quoted otherwise', (command, other) => {
  expect(keyOf(command)).toBe(keyOf(other))
})

test('calls are known until they end, and no more than some', () => {
  const other = { ...CALL, call: 'toolu_2' }
  const both = withCall(withCall(STATE, CALL), other)
  expect(both.calls).toEqual([CALL, other])
  expect(withCall(both, CALL).calls).toEqual([other, CALL])
  expect(withoutCalls(both, ({ call }) => call === 'toolu_1').calls).toEqual([other])
  expect(withoutCalls(both, () => true)).toEqual(STATE)
  const many = Array.from({ length: 80 }, (_, at) => ({ ...CALL, call: `${at}` }))
  expect(many.reduce(withCall, STATE).calls).toHaveLength(50)
})
