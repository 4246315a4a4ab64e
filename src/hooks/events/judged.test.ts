import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changeState, readState } from '../../session/stateFile.ts'
import { recorded } from '../../testing/agent.ts'
import { eventsOf, tempBus, tempDirectory } from '../../testing/home.ts'
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
  const who: Participant = {
    ...{ name: 'frontend', session, agent: null, state, worker: false },
    sessions: {},
  }
  const ports: HookPorts = {
    env: {},
    bus: () => bus,
    self: { node: process.execPath, script: '/none' },
  }
  const transcript_path = `${tempDirectory()}/record.jsonl`
  const payload = {
    ...{ tool_name: 'Bash', tool_input: { command: 'touch x' }, tool_use_id: 'c' },
    ...{ prompt_id: 'p', transcript_path, cwd: '/' },
  }
  // The second call has the state of before the first, as one beside it does.
  for (const origin of ['peer', 'human']) {
    writeFileSync(transcript_path, recorded('hello', 'p', origin))
    const { stdout } = judgedWhole(ports, { ...payload, tool_use_id: origin }, who, {})
    expect(stdout, origin).toMatch(/"permissionDecision":"(ask|deny)"/)
    expect(readState(bus.home, 'frontend')?.turn?.began).toBe('other')
  }
  expect(eventsOf(bus.home, 'disowned')).toHaveLength(1)
})
