import { describe, expect, test } from 'vitest'
import type { Processes, ProcessInfo } from '../system/processes.ts'
import { agentAbove, agentInFront, ancestors, isBelow, isInFront, isShell } from './agent.ts'

type Row = [pid: number, parent: number, command: string, group?: number, foreground?: number]

/** A table of processes as a system would give it. */
function system(rows: Row[]): Processes {
  const all: ProcessInfo[] = rows.map(([pid, parent, command, group = pid, foreground = -1]) => ({
    pid,
    parent,
    command,
    group,
    foreground,
    started: `s${pid}`,
  }))
  const find = (pid: number) => all.find((info) => info.pid === pid)
  return {
    self: () => ({ pid: 1, started: 's1' }),
    find,
    isAlive: (ref) => find(ref.pid)?.started === ref.started,
    all: () => all,
    signal: () => expect.unreachable(),
  }
}

/** tmux, a pane's shell, an agent in it, and what the agent runs. */
const PANE: Row[] = [
  [10, 1, 'tmux: server'],
  [20, 10, 'bash', 20, 30],
  [30, 20, 'claude', 30, 30],
  [31, 30, 'bash', 31, 30],
  [32, 31, 'node', 31, 30],
  [33, 30, 'rg', 33, 30],
]

describe('the agent of a pane', () => {
  test('is the uppermost process above a command that is no shell', () => {
    expect(agentAbove(system(PANE), 32, 20)).toEqual({ pid: 30, started: 's30' })
  })

  test('is nobody where a command runs in a bare shell, or in another pane', () => {
    expect(
      agentAbove(
        system([
          [20, 10, 'zsh'],
          [32, 20, 'node'],
        ]),
        32,
        20,
      ),
    ).toBeUndefined()
    expect(agentAbove(system(PANE), 32, 99)).toBeUndefined()
    expect(agentAbove(system(PANE), 999, 20)).toBeUndefined()
  })

  test('may be the pane itself, started without a shell', () => {
    expect(
      agentAbove(
        system([
          [20, 10, 'claude'],
          [32, 20, 'node'],
        ]),
        32,
        20,
      ),
    ).toEqual({ pid: 20, started: 's20' })
  })

  test('is what the terminal of a pane listens to, unless that is a shell', () => {
    expect(agentInFront(system(PANE), 20)).toEqual({ pid: 30, started: 's30' })
    expect(agentInFront(system([[20, 10, 'bash', 20, 20]]), 20)).toBeUndefined()
    expect(agentInFront(system([[20, 10, '-zsh', 20, 20]]), 20)).toBeUndefined()
    expect(agentInFront(system([[20, 10, 'bash', 20, -1]]), 20)).toBeUndefined()
    expect(agentInFront(system(PANE), 999)).toBeUndefined()
  })

  test('whose group has lost its leader is another of the group', () => {
    expect(
      agentInFront(
        system([
          [20, 10, 'bash', 20, 30],
          [35, 20, 'python', 30, 30],
        ]),
        20,
      ),
    ).toEqual({ pid: 35, started: 's35' })
  })

  test('is in front only while its own group is', () => {
    const agent = { pid: 30, started: 's30' }
    expect(isInFront(system(PANE), agent)).toBe(true)
    expect(
      isInFront(
        system([
          [30, 20, 'claude', 30, 40],
          [40, 30, 'vim', 40, 40],
        ]),
        agent,
      ),
    ).toBe(false)
    expect(isInFront(system([[30, 20, 'claude', 30, 20]]), agent)).toBe(false)
    expect(isInFront(system(PANE), { pid: 30, started: 'before' })).toBe(false)
    expect(isInFront(system([]), agent)).toBe(false)
  })
})

describe('the tree of processes', () => {
  test('is walked up to the top that is asked for, and never round in a circle', () => {
    expect([...ancestors(system(PANE), 32, 30)].map(({ pid }) => pid)).toEqual([31, 30])
    expect([...ancestors(system(PANE), 32)].map(({ pid }) => pid)).toEqual([31, 30, 20, 10])
    expect(
      [
        ...ancestors(
          system([
            [5, 6, 'a'],
            [6, 5, 'b'],
          ]),
          5,
        ),
      ].length,
    ).toBeLessThan(300)
  })

  test('says who runs below whom', () => {
    expect(isBelow(system(PANE), 32, 20)).toBe(true)
    expect(isBelow(system(PANE), 20, 20)).toBe(true)
    expect(isBelow(system(PANE), 20, 32)).toBe(false)
  })

  test.each(['bash', '-bash', 'zsh', 'sh', 'fish', 'sudo', 'tmux', 'ssh'])(
    '%s is a shell or waits for a command like one',
    (word) => expect(isShell(word)).toBe(true),
  )
  test.each(['claude', 'node', 'codex', 'python3', 'vim', ''])('%j is none', (word) =>
    expect(isShell(word)).toBe(false),
  )
})
