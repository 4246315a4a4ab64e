import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionState } from '../session/state.ts'
import { isErrno } from '../system/errno.ts'
import { wasInterrupted } from '../trust/turn/record.ts'
import { type Payload, parsePayload, textOf } from './payload.ts'

/** A turn as our hooks saw it begin, and until when it may have ended (Unix time, milliseconds). */
type Turn = Pick<SessionState, 'agent'> & { begun: string; until: number }

/**
 * Whether the user has interrupted the turn that our hooks saw begin: no hook tells of that. Claude
 * Code 2.1.329 tells in two of its own files. The record of the conversation ends in `[Request
 * interrupted by user]`, but not where the model had not said a word yet: then the prompt is taken
 * back. What it says of itself to its other windows, `sessions/<pid>.json` beside the records,
 * becomes `idle` either way. Nobody vouches for these files: without them a turn lasts until a hook
 * says otherwise.
 */
export function isInterrupted(payload: Payload, turn: Turn): boolean {
  const path = textOf(payload, 'transcript_path')
  if (path === undefined) return false
  return saysIdle(path, turn) || wasInterrupted(path, turn.begun, turn.until)
}

function saysIdle(transcript: string, { begun, agent, until }: Turn): boolean {
  // <configuration>/projects/<project>/<conversation>.jsonl
  const configuration = dirname(dirname(dirname(transcript)))
  const told = agent && readOrUndefined(join(configuration, 'sessions', `${agent.pid}.json`))
  const { status, statusUpdatedAt } = (told && parsePayload(told)) || {}
  return (
    status === 'idle' &&
    typeof statusUpdatedAt === 'number' &&
    statusUpdatedAt > Date.parse(begun) &&
    statusUpdatedAt <= until
  )
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined
    throw error
  }
}
