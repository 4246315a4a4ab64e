import { existsSync } from 'node:fs'
import type { SessionState } from '../session/state.ts'
import { pause } from '../system/timeLeft.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { originOf } from './transcript.ts'

/**
 * The host writes its record about every 100 ms, on a busy machine later; a model takes about as
 * long to its first tool call. In milliseconds.
 */
const LATE_MS = 1500
const LOOK_MS = 25

/**
 * Whether a turn that began with words like a human's was begun by another session of the host's,
 * or by a schedule: their prompts carry no mark, and only the host's record tells, a moment later.
 */
export function beganElsewhere(
  ports: HookPorts,
  payload: Payload,
  { turn }: SessionState,
): boolean {
  const id = textOf(payload, 'prompt_id')
  const path = textOf(payload, 'transcript_path')
  if (turn?.began !== 'human' || id === undefined || path === undefined || turn.checked === id)
    return false
  return awaitOrigin(ports, path, id, Date.parse(turn.at)) === 'other'
}

function awaitOrigin(
  ports: HookPorts,
  path: string,
  id: string,
  began: number,
): 'human' | 'other' | undefined {
  for (;;) {
    const origin = originOf(path, id)
    if (origin !== undefined || ports.bus().clock.now() - began >= LATE_MS || !existsSync(path))
      return origin
    pause(LOOK_MS)
  }
}
