import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import type { Session } from '../bus/names/registry.ts'
import { claimRing, presentRings } from '../session/rings.ts'
import { tempBus } from '../testing/home.ts'
import { inputDoorbell } from './host.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A ring for one message; `meanwhile` happens at each look at what has come of it. */
async function ring(meanwhile: (bus: ReturnType<typeof tempBus>) => void) {
  const bus = tempBus(['bob', 'lead'])
  const server = join(bus.home.root, 'prompts')
  const session = {
    ...{ name: 'bob', pane: null, tmux_socket: null, joined_at: '', native: false, server },
    ...{ agent: bus.processes.self(), doorbell: 'auto', cwd: '', program: 'qwen' },
  } satisfies Session
  const state = { activity: 'idle', since: '2026-01-01T00:00:00.000Z', agent: session.agent }
  writeFileSync(bus.home.state('bob'), JSON.stringify(state))
  sendMessage(bus, { from: 'lead', to: 'bob', kind: 'note', body: 'hello' })
  vi.useFakeTimers({ toFake: ['hrtime'] })
  const doorbell = inputDoorbell(bus, async (ms) => {
    vi.advanceTimersByTime(ms)
    meanwhile(bus)
  })
  const result = await doorbell.ring(session, () => claimRing(bus, 'bob', 'input'))
  return { result, prompts: readFileSync(server, 'utf8') }
}

test('a line in its file of prompts is a ring once a hook has told of it', async () => {
  const { result, prompts } = await ring((bus) => presentRings(bus, 'bob', 'input'))
  expect(result).toEqual({ kind: 'rung' })
  expect(prompts).toBe('{"type":"submit","text":"New message from @lead. Check inbox."}\n')
})

test('a line that is dropped, for a turn that began meanwhile, is none', async () => {
  const { result } = await ring(() => {})
  expect(result).toEqual({ kind: 'wait', why: 'the ring was not taken', typed: false })
})
