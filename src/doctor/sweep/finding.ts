import type { Bus } from '../../bus/bus.ts'
import { record, sentFields } from '../../bus/history.ts'
import { markOf } from '../../bus/mail/marks.ts'
import type { Message } from '../../message/message.ts'
import { isErrno, reasonOf } from '../../system/errno.ts'
import { STATES, type State } from './states.ts'

/** One state that was found. `mended`: it is gone now. `name`: the session that it is about. */
export type Finding = {
  state: State
  paths: string[]
  what: string
  remedy: string
  mended: boolean
  name?: string
}

/** A sweep on its way: what it has found, and whether it may mend. */
export type Sweep = { bus: Bus; mend: boolean; findings: Finding[] }

/**
 * How old a half-done step must be before its process is taken for gone, where nothing names the
 * process. A send takes milliseconds; a minute leaves room for a disk that hangs. In milliseconds.
 */
export const GRACE_MS = 60_000

/** Notes a state and mends it where the sweep may, or says why it could not. */
export async function note(
  sweep: Sweep,
  state: State,
  found: { paths: string[]; name?: string },
  mend?: () => unknown,
): Promise<void> {
  const failure = sweep.mend && mend !== undefined ? await failureOf(mend) : undefined
  const name = found.name === undefined ? {} : { name: found.name }
  const { what, remedy } = STATES[state]
  sweep.findings.push({
    state,
    paths: found.paths,
    what: `${about(what, `@${found.name}`)}${failure === undefined ? '' : ` (${failure})`}`,
    remedy: about(remedy, found.name),
    mended: sweep.mend && mend !== undefined && failure === undefined,
    ...name,
  })
}

async function failureOf(mend: () => unknown): Promise<string | undefined> {
  try {
    await mend()
    return undefined
  } catch (error) {
    // Somebody else was first: a reader, a sender, or another sweep.
    if (isErrno(error, 'ENOENT')) return undefined
    return `it could not be repaired: ${reasonOf(error)}`
  }
}

function about(text: string, name: string | undefined): string {
  return name === undefined ? text : text.replace(/@(?=[\s,]|$)/g, name)
}

/** Tells the history of a message that it lacks: `mended`, and as silent as its sender made it. */
export function recordSent({ bus }: Sweep, message: Message): void {
  const mark = markOf(bus.home, message.to, message.id)
  const silent =
    mark?.ring === 'held' || mark?.ring === 'quiet' ? { ring: mark.ring, why: mark.why } : {}
  record(bus, 'sent', { ...sentFields(message), ...silent, mended: true })
}
