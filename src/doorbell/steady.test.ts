import { expect, test } from 'vitest'
import type { Processes, ProcessInfo } from '../system/processes.ts'
import { fixedClock } from '../testing/clock.ts'
import { STEADY_MS, steadyFront } from './steady.ts'

const SOON = 'a program has just started in the pane'
const PANE = { pid: 10 }

/** A pane whose shell has started the program with this pid, or none. */
function pane() {
  const clock = fixedClock('2026-11-21T03:39:12.000Z')
  let front = 0
  const process = (pid: number, command: string): ProcessInfo => ({
    ...{ pid, started: String(pid), parent: 1, command, group: pid, foreground: front || 10 },
  })
  const find = (pid: number) => (pid === 10 ? process(10, 'bash') : process(pid, 'sleep'))
  const processes: Processes = {
    self: () => ({ pid: 1, started: '1' }),
    find,
    isAlive: () => true,
    all: () => [],
    signal: () => false,
  }
  const steady = steadyFront({ clock, processes })
  return (ms: number, pid: number, agent: { pid: number; started: string } | null = null) => {
    clock.set(Date.parse('2026-11-21T03:39:12.000Z') + ms)
    front = pid
    return steady({ agent }, PANE)
  }
}

test('commands that come and go in front of a shell are not typed to, one that stays is', () => {
  const at = pane()
  expect(at(0, 20)).toBe(SOON)
  expect(at(STEADY_MS - 1, 20)).toBe(SOON)
  expect(at(STEADY_MS, 21)).toBe(SOON)
  expect(at(STEADY_MS * 2 - 1, 21)).toBe(SOON)
  expect(at(STEADY_MS * 2, 21)).toBeUndefined()
  // The same command again is another process.
  expect(at(STEADY_MS * 3 + 1, 22)).toBe(SOON)
})

test('an agent that is known needs no time', () => {
  expect(pane()(0, 20, { pid: 20, started: '20' })).toBeUndefined()
})
