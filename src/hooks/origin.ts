import { existsSync } from 'node:fs'
import { record } from '../bus/history.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { disowned } from '../session/turn.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { originOf } from './transcript.ts'

/** The host writes its record about every 100 ms; a model takes longer to its first tool call. In milliseconds. */
const LATE_MS = 250
const LOOK_MS = 25

/**
 * Closes a turn that began with words like a human's and was begun by another session of the host's, or by a schedule: their prompts carry no
 * mark, and only the host's record tells, a moment later. Looks once a prompt, at the first tool call. Gives the state that holds.
 */
export function withOrigin(ports: HookPorts, payload: Payload, who: Participant, state: SessionState): SessionState {
  const id = textOf(payload, 'prompt_id')
  const path = textOf(payload, 'transcript_path')
  if (state.turn?.began !== 'human' || id === undefined || path === undefined || state.turn.checked === id) return state
  const origin = existsSync(path) ? awaitOrigin(path, id) : undefined
  const bus = ports.bus()
  if (origin === 'other') record(bus, 'disowned', { name: who.name, reason: 'no human wrote the prompt of this turn' })
  const next = changeState(bus, who.name, (before) => {
    if (before?.turn?.began !== 'human') return undefined
    return { ...before, turn: origin === 'other' ? disowned(before.turn, id) : { ...before.turn, checked: id } }
  })
  return next ?? state
}

function awaitOrigin(path: string, id: string): 'human' | 'other' | undefined {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; ; waited += LOOK_MS) {
    const origin = originOf(path, id)
    if (origin !== undefined || waited >= LATE_MS) return origin
    Atomics.wait(cell, 0, 0, LOOK_MS)
  }
}
