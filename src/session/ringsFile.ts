import { readFileSync } from 'node:fs'
import type { Home } from '../bus/home.ts'
import { isErrno } from '../system/errno.ts'
import type { ProcessRef } from '../system/processes.ts'

/**
 * The work of a doorbell for one unread message: `by` it, since `at` (ISO 8601). While `ringing`
 * names a process, that process is at it; if the process is gone, the ring never happened.
 * `presented`: when the session got the ring, as far as is known.
 */
export type RingMark = { by: string; at: string; ringing?: ProcessRef; presented?: string }

/** The last ring: `by` which doorbell, when (ISO 8601), and when the session has got it. */
export type LastRing = { by: string; at: string; presented?: string }

/**
 * One mark, and the ids of the messages that have it, with a blank between two. Thousands of ids
 * stay one text until somebody asks for them.
 */
export type RingGroup = { mark: RingMark; ids: string }

/**
 * The marks of a session's unread messages, and its last ring. If they are lost, messages ring once
 * more. `inbox`: the state of the inbox when all in it had been presented, if somebody noted that
 * since these marks were written. `text`: the file that they were read from.
 */
export type Rings = {
  groups: RingGroup[]
  last?: LastRing | undefined
  inbox?: string | undefined
  text?: string | undefined
}

/** No id can be one of these keys: earlier versions kept a mark under each id. */
const LAST = '@last'
const MARKS = '@marks'
const INBOX = '@inbox'

export function readRings(home: Pick<Home, 'rings'>, name: string): Rings {
  try {
    return parseRings(readFileSync(home.rings(name), 'utf8'))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return { groups: [] }
    throw error
  }
}

/** The marks in the file's text. Anything else in it is passed over. */
export function parseRings(text: string): Rings {
  const { [LAST]: last, [MARKS]: marks, [INBOX]: inbox, ...byId } = fieldsOf(text)
  const groups = Array.isArray(marks)
    ? marks.filter(isGroup).map(({ ids, ...mark }) => ({ mark, ids }))
    : []
  return {
    groups: [...groups, ...groupsOf(byId)],
    last: isMark(last) ? last : undefined,
    inbox: typeof inbox === 'string' ? inbox : undefined,
    text,
  }
}

/** Has the file's text replaced by this one. */
export type Replace = (text: string) => void

/** Replaces the file that `text` came from, if that changes it. Equal marks are stored once. */
export function writeRings(replace: Replace, { groups, last, inbox, text }: Rings): void {
  const marks = merged(groups).map(({ mark, ids }) => ({ ...mark, ids }))
  const next = `${JSON.stringify({ [LAST]: last, [INBOX]: inbox, [MARKS]: marks })}\n`
  if (next !== text) replace(next)
}

export function idsOf({ ids }: RingGroup): string[] {
  return ids.split(' ')
}

/** These groups with only those ids that `keep` wants; a group without any is none. */
export function keepIds(groups: RingGroup[], keep: (id: string) => boolean): RingGroup[] {
  return groups.map((group) => ({ ...group, ids: idsOf(group).filter(keep).join(' ') }))
}

function merged(groups: RingGroup[]): RingGroup[] {
  const byMark = new Map<string, RingGroup>()
  for (const { mark, ids } of groups) {
    if (ids === '') continue
    const { by, at, ringing, presented } = mark
    const key = JSON.stringify([by, at, ringing, presented])
    const same = byMark.get(key)
    byMark.set(key, { mark, ids: same ? `${same.ids} ${ids}` : ids })
  }
  return [...byMark.values()]
}

function groupsOf(byId: Record<string, unknown>): RingGroup[] {
  return merged(
    Object.entries(byId).flatMap(([ids, mark]) => (isMark(mark) ? [{ mark, ids }] : [])),
  )
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function isGroup(value: unknown): value is RingMark & { ids: string } {
  return isMark(value) && 'ids' in value && typeof value.ids === 'string' && value.ids !== ''
}

function isMark(value: unknown): value is RingMark {
  return typeof value === 'object' && value !== null && 'by' in value && 'at' in value
}
