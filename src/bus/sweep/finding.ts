import { isErrno } from '../../system/errno.ts'
import type { Bus } from '../bus.ts'
import { STATES, type State } from './states.ts'

/** One state that was found. `mended` tells whether it is gone now; `name` is the session that it is about, where it is about one. */
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
 * How old a half-done step must be before its process is taken for gone, where nothing names the process. A send takes milliseconds;
 * a minute leaves room for a disk that hangs. In milliseconds.
 */
export const GRACE_MS = 60_000

/** Notes one state and, where the sweep may, mends it. A remedy that fails leaves the finding as not mended, with the reason. */
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
    return `it could not be mended: ${error instanceof Error ? error.message : String(error)}`
  }
}

function about(text: string, name: string | undefined): string {
  return name === undefined ? text : text.replace(/@(?=[\s,]|$)/g, name)
}
