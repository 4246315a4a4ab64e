import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, namesIn, replaceFileSoon } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import { isProcessRef, type Processes, type ProcessRef } from '../../system/processes.ts'
import type { Home } from '../home.ts'

/**
 * Why an unread message does not ring, or rings otherwise than others. `held`: it is over a cap,
 * until the human resumes its chain. `quiet`: it waits for the recipient's next look. `resumed`: it
 * rings again, and counts as spoken by the human. `awaited`: it does not ring while the process
 * `waiter`, which waits for it, runs. `urgent`: it rings in a busy turn too.
 */
export type Mark = {
  ring: 'held' | 'quiet' | 'resumed' | 'awaited' | 'urgent'
  why: string
  chain: string
  at: string
  waiter?: ProcessRef
}

type MarksHome = Pick<Home, 'held' | 'heldBy'>

/** Marks a message that is about to be delivered, so that no doorbell can see it unmarked. */
export function putMark(home: MarksHome, name: string, id: string, mark: Mark): void {
  makeDirectory(home.heldBy(name))
  replaceFileSoon(markPath(home, name, id), `${JSON.stringify(mark)}\n`)
}

/** The marks of a session's messages, by id. None is the common case, and costs one look. */
export function marksOf(home: MarksHome, name: string): Record<string, Mark> {
  const marks: Record<string, Mark> = {}
  for (const file of namesIn(home.heldBy(name))) {
    const id = file.endsWith('.json') ? file.slice(0, -5) : undefined
    const mark = id === undefined ? undefined : markOf(home, name, id)
    if (id !== undefined && mark) marks[id] = mark
  }
  return marks
}

/** The mark of one message, or undefined. */
export function markOf(home: MarksHome, name: string, id: string): Mark | undefined {
  const value = readJson(markPath(home, name, id))
  return isMark(value) ? value : undefined
}

/** Whether a message with this mark is not to ring now. */
export function isSilent(mark: Mark | undefined, processes: Pick<Processes, 'isAlive'>): boolean {
  if (mark === undefined || mark.ring === 'resumed' || mark.ring === 'urgent') return false
  return mark.ring !== 'awaited' || (isProcessRef(mark.waiter) && processes.isAlive(mark.waiter))
}

/** Forgets a message's mark, once it was read. */
export function dropMark(home: MarksHome, name: string, id: string): void {
  rmSync(markPath(home, name, id), { force: true })
}

/** The sessions that have marked messages. */
export function markedNames(home: MarksHome): string[] {
  return namesIn(home.held)
}

function markPath(home: MarksHome, name: string, id: string): string {
  return join(home.heldBy(name), `${id}.json`)
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== 'object' || value === null || !('ring' in value) || !('chain' in value))
    return false
  return (
    ['held', 'quiet', 'resumed', 'awaited', 'urgent'].includes(String(value.ring)) &&
    typeof value.chain === 'string'
  )
}
