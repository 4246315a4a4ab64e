import { expect, test } from 'vitest'
import { changeState, readState } from '../../session/stateFile.ts'
import { eventsOf, tempBus } from '../../testing/home.ts'
import type { Participant } from '../participant.ts'
import type { HookPorts } from '../ports.ts'
import { judgedWhole } from './judged.ts'

test('a turn that was found to have begun elsewhere is closed, also where its record shows it no more', () => {
  const bus = tempBus(['frontend'])
  const at = new Date(0).toISOString()
  const turn = {
    id: 'p',
    began: 'human' as const,
    at,
    opened: null,
    chain: null,
    work: 0,
    asked: [],
  }
  const state = changeState(bus, 'frontend', () => ({
    ...{ activity: 'busy', since: at, agent: null, native: true, gate: 'enforce', turn },
    ...{ session_id: null, vim: false },
  }))
  const session = { agent: null, doorbell: 'auto', cwd: '/' }
  const who: Participant = { name: 'frontend', session, agent: null, state, worker: false }
  const ports: HookPorts = {
    env: {},
    bus: () => bus,
    self: { node: process.execPath, script: '/none' },
  }
  const payload = {
    ...{ tool_name: 'Bash', tool_input: { command: 'touch x' }, tool_use_id: 'c' },
    ...{ prompt_id: 'p', transcript_path: '/none', cwd: '/' },
  }
  expect(judgedWhole(ports, payload, who, { elsewhere: false })).toEqual({})
  const { stdout } = judgedWhole(ports, payload, who, { elsewhere: true })
  expect(stdout).toMatch(/"permissionDecision":"ask"/)
  expect(readState(bus.home, 'frontend')?.turn?.began).toBe('other')
  expect(eventsOf(bus.home, 'disowned')).toHaveLength(1)
})
