import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, namesIn, replaceFileSoon } from '../system/files.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { Home } from './home.ts'
import { isProcessRef } from './waiter.ts'

/**
 * Why an unread message does not ring, or rings otherwise than others. `held`: over a cap, until the human resumes its chain. `quiet`: it waits for the
 * next look. `resumed`: it rings again, and counts as spoken by the human. `awaited`: the process `waiter` waits for it, and while that runs it does not
 * ring. `urgent`: it rings in a busy turn too.
 */
export type HeldMark = {
  ring: 'held' | 'quiet' | 'resumed' | 'awaited' | 'urgent'
  why: string
  chain: string
  at: string
  waiter?: ProcessRef
}

type HeldHome = Pick<Home, 'held' | 'heldBy'>

/** Marks a message that is about to be delivered, so that no doorbell can see it unmarked. */
export function markHeld(home: HeldHome, name: string, id: string, mark: HeldMark): void {
  makeDirectory(home.heldBy(name))
  replaceFileSoon(markPath(home, name, id), `${JSON.stringify(mark)}\n`)
}

/** The marks of a session's messages, by id. None is the common case, and costs one look. */
export function heldMarks(home: HeldHome, name: string): Record<string, HeldMark> {
  const marks: Record<string, HeldMark> = {}
  for (const file of namesIn(home.heldBy(name))) {
    const id = file.endsWith('.json') ? file.slice(0, -5) : undefined
    const mark = id === undefined ? undefined : markOf(home, name, id)
    if (id !== undefined && mark) marks[id] = mark
  }
  return marks
}

/** The mark of one message, or undefined. */
export function markOf(home: HeldHome, name: string, id: string): HeldMark | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(markPath(home, name, id), 'utf8'))
    return isMark(value) ? value : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a message with this mark is not to ring now. */
export function isSilent(mark: HeldMark | undefined, processes: Pick<Processes, 'isAlive'>): boolean {
  if (mark === undefined || mark.ring === 'resumed' || mark.ring === 'urgent') return false
  return mark.ring !== 'awaited' || (isProcessRef(mark.waiter) && processes.isAlive(mark.waiter))
}

/** Forgets a message's mark, once it was read. */
export function dropMark(home: HeldHome, name: string, id: string): void {
  rmSync(markPath(home, name, id), { force: true })
}

/** The sessions that have marked messages. */
export function heldNames(home: HeldHome): string[] {
  return namesIn(home.held)
}

function markPath(home: HeldHome, name: string, id: string): string {
  return join(home.heldBy(name), `${id}.json`)
}

function isMark(value: unknown): value is HeldMark {
  if (typeof value !== 'object' || value === null || !('ring' in value) || !('chain' in value)) return false
  return (
    ['held', 'quiet', 'resumed', 'awaited', 'urgent'].includes(String(value.ring)) && typeof value.chain === 'string'
  )
}
