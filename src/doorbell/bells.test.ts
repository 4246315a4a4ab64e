import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Session } from '../bus/names/registry.ts'
import type { Activity } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import type { Processes, ProcessInfo } from '../system/processes.ts'
import { fixedClock } from '../testing/clock.ts'
import { tempHome } from '../testing/home.ts'
import { tmuxDoorbell } from './bells.ts'
import { NATIVE_GRACE_MS } from './policy.ts'
import { COMING_UP_MS } from './ringer.ts'

const NOW = Date.parse('2026-11-21T03:39:12.000Z')
const AGENT: ProcessInfo = {
  pid: 42,
  started: 'x',
  parent: 1,
  command: 'claude',
  group: 42,
  foreground: 42,
}
const BUSY = 'the agent is busy'
/**
 * What comes of a try on a screen that never changes: it was allowed, and the first character is
 * not seen.
 */
const TRIED = 'the input box does not take what is typed'

/** A screen of a real client, as tmux answers when it is asked for one. */
function screen(name: string): string {
  const file = readFileSync(join(import.meta.dirname, 'screens', `${name}.txt`), 'utf8')
  const end = file.indexOf('\n')
  const {
    cursorX,
    cursorY,
    width,
    height,
    cursorVisible,
    title = '',
  } = JSON.parse(file.slice(0, end))
  const look = [42, 'open', 0, cursorX, cursorY, width, height, cursorVisible ? 1 : 0, title]
  return `${look.join(' ')}\n${file.slice(end + 1)}`
}

/**
 * A session whose turn began `ago` ms before now, as far as hooks have told, and what its doorbell
 * says at a time and on a screen.
 */
function doorbell(
  activity: Activity | undefined,
  native: boolean,
  ago = 60_000,
  program = 'claude',
) {
  const home = tempHome('frontend')
  const clock = fixedClock(new Date(NOW).toISOString())
  const processes: Processes = {
    self: () => AGENT,
    find: () => AGENT,
    isAlive: () => true,
    all: () => [AGENT],
    signal: () => false,
  }
  const bus = { home, clock, processes }
  const began = (ms: number) =>
    changeState(bus, 'frontend', () => ({
      ...{ activity: activity ?? 'idle', native, since: new Date(ms).toISOString() },
      ...{ agent: AGENT, session_id: null, vim: false, gate: 'enforce' },
    }))
  if (activity) began(NOW - ago)
  let shown = ''
  const tmux = {
    run: async (args: string[]) => ({
      code: 0,
      stdout: args[0] === 'display-message' ? shown : '',
      stderr: '',
    }),
    runHere: async () => 0,
  }
  const bell = tmuxDoorbell(bus, { tmux, processes, pause: async () => {} }, undefined)
  const session = {
    name: 'frontend',
    agent: AGENT,
    pane: '%1',
    tmux_socket: '/s',
    joined_at: new Date(NOW - ago).toISOString(),
    program,
  } as Partial<Session> as Session
  const at = async (ms: number, name: string) => {
    clock.set(NOW + ms)
    shown = screen(name)
    const result = await bell.ring(session, () => ['20261121T033912.123456Z-from-backend'])
    return result.kind === 'wait' ? result.why : result.kind
  }
  return { at, began }
}

describe('the tmux doorbell in a turn that lasts, as hooks say', () => {
  test('types where the screen is quiet, and there is no native bell', async () => {
    const { at } = doorbell('busy', false)
    expect(await at(0, 'busy')).toBe(BUSY)
    expect(await at(1, 'idle')).toBe(TRIED)
  })

  test('leaves the end of the turn to a native bell at first', async () => {
    const { at } = doorbell('busy', true)
    expect(await at(0, 'idle')).toBe(BUSY)
    expect(await at(NATIVE_GRACE_MS - 1, 'idle')).toBe(BUSY)
    expect(await at(NATIVE_GRACE_MS, 'idle')).toBe(TRIED)
  })

  test('counts anew from the last time at which the screen showed a turn', async () => {
    const { at } = doorbell('busy', true)
    expect(await at(0, 'idle')).toBe(BUSY)
    expect(await at(NATIVE_GRACE_MS, 'busy')).toBe(BUSY)
    expect(await at(NATIVE_GRACE_MS + 1, 'idle')).toBe(BUSY)
    expect(await at(2 * NATIVE_GRACE_MS + 1, 'idle')).toBe(TRIED)
  })

  test('counts anew in the next turn', async () => {
    const { at, began } = doorbell('busy', true)
    expect(await at(0, 'idle')).toBe(BUSY)
    began(NOW + 1)
    expect(await at(NATIVE_GRACE_MS, 'idle')).toBe(BUSY)
  })

  test('does not doubt it at first', async () => {
    const { at } = doorbell('busy', false, 0)
    expect(await at(2000, 'idle')).toBe(BUSY)
  })

  test('says that a dialog is open where hooks do', async () => {
    const { at } = doorbell('asking', true)
    expect(await at(0, 'idle')).toBe('a dialog is open')
  })
})

test('an agent that was started where another has left its title is waited for until its hooks tell', async () => {
  const { at, began } = doorbell(undefined, false, 0, 'gemini')
  expect(await at(3000, 'gemini-idle-first')).toBe('the agent is starting')
  began(NOW + 3000)
  expect(await at(4000, 'gemini-idle-first')).toBe('the agent is starting')
  expect(await at(5000, 'gemini-idle-first')).toBe(TRIED)
})

test('an agent whose hooks never tell is not waited for forever', async () => {
  const { at } = doorbell(undefined, false, 0, 'gemini')
  expect(await at(COMING_UP_MS, 'gemini-idle-first')).toBe(TRIED)
})
