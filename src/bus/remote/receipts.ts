import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { hostOf } from '../../message/address.ts'
import { idOfFile, senderOfId } from '../../message/id.ts'
import { abroad, atHome } from '../../message/wire.ts'
import { openIfThere, replaceFileSoon } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import type { Bus } from '../bus.ts'
import { eventsFromEnd, parseEvent, record } from '../history.ts'
import type { Home } from '../home.ts'
import { messageAt } from '../mail/inbox.ts'

/** What became of a message, told to the machine that it came from. */
export type Receipt = { id: string; stage: (typeof TOLD)[number] }

const TOLD = ['rung', 'presented', 'read'] as const

/** How far the history was told: in this very file (`ino`) up to this byte, which was at `at`. */
type Cursor = { ino: number; offset: number; at: string }

/** So much of the history is read at once; far more receipts than that gives are not listened to. */
const MOST_BYTES = 256 * 1024
const MOST_RECEIPTS = 10_000

/** So many of the last events are looked at: what was noted before is not noted again. */
const LAST_EVENTS = 1000

/** Receipts to be told, and what to call once the other machine has noted them. */
export type Due = { receipts: Receipt[]; more: boolean; told: () => void }

const NOTHING: Due = { receipts: [], more: false, told: () => {} }

/**
 * Each call gives what the history has of messages from `host` since the last receipts. Where a
 * history grows by what does not concern that machine, the cursor on the disk follows from afar.
 */
export function receiptsFor(home: Home, host: string, me: string): () => Due {
  let cursor = readCursor(home, host)
  let kept = cursor?.offset ?? 0
  return () => {
    const now = statSync(home.history, { throwIfNoEntry: false })
    if (now === undefined || (now.ino === cursor?.ino && now.size === cursor.offset)) return NOTHING
    const since = dueSince(home, host, me, cursor)
    if (since === undefined) return NOTHING
    const { next, ...due } = since
    const told = () => {
      const moved = Math.abs(next.offset - kept)
      const keep = due.receipts.length > 0 || next.ino !== cursor?.ino || moved > MOST_BYTES
      cursor = next
      if (!keep) return
      kept = next.offset
      replaceFileSoon(home.receipts(host), `${JSON.stringify(next)}\n`)
    }
    return { ...due, told }
  }
}

function dueSince(
  home: Home,
  host: string,
  me: string,
  cursor: Cursor | undefined,
): (Omit<Due, 'told'> & { next: Cursor }) | undefined {
  const fd = openIfThere(home.history)
  if (fd === undefined) return undefined
  try {
    const { ino, size } = fstatSync(fd)
    const same = cursor?.ino === ino && cursor.offset <= size
    const from = same ? cursor.offset : 0
    const bytes = Buffer.alloc(Math.min(size - from, MOST_BYTES))
    const count = readSync(fd, bytes, 0, bytes.length, from)
    const end = bytes.subarray(0, count).lastIndexOf(0x0a) + 1
    // A line longer than all that is read at once tells nothing that is due.
    const next = from + (end === 0 && count === MOST_BYTES ? count : end)
    const lines = bytes.toString('utf8', 0, end).split('\n')
    const { receipts, at } = receiptsIn(lines, host, me, same ? '' : (cursor?.at ?? ''))
    const reached = { ino, offset: next, at: at || (cursor?.at ?? '') }
    return { receipts, more: next < size && end > 0, next: reached }
  } finally {
    closeSync(fd)
  }
}

/**
 * Notes what another machine told of messages that went there, and of no others. Any number of
 * times.
 */
export function noteReceipts(
  bus: Bus,
  host: string,
  me: string,
  receipts: readonly Receipt[],
): void {
  const { home } = bus
  const known = new Set<string>()
  let looked = 0
  for (const { event, id, ids } of eventsFromEnd(home)) {
    for (const one of Array.isArray(ids) ? ids : [id]) known.add(`${event} ${String(one)}`)
    looked += 1
    if (looked > LAST_EVENTS) break
  }
  for (const { id: given, stage } of receipts.slice(0, MOST_RECEIPTS)) {
    const id = atHome(given, me)
    if (known.has(`${stage} ${id}`) || !TOLD.includes(stage)) continue
    if (idOfFile(`${id}.md`) === undefined) continue
    const message = messageAt(home.message(id), id)
    if (message === undefined || hostOf(message.to) !== host) continue
    known.add(`${stage} ${id}`)
    record(bus, stage, stage === 'read' ? { id, by: message.to } : { ids: [id], to: message.to })
  }
}

function receiptsIn(
  lines: string[],
  host: string,
  me: string,
  after: string,
): { receipts: Receipt[]; at: string } {
  const receipts: Receipt[] = []
  let at = ''
  for (const line of lines) {
    if (!line.includes(`.${host}"`)) continue
    const event = parseEvent(line)
    const stage = TOLD.find((one) => one === event?.event)
    if (event === undefined || stage === undefined || event.at <= after) continue
    at = event.at
    for (const id of Array.isArray(event.ids) ? event.ids : [event.id])
      if (typeof id === 'string' && hostOf(senderOfId(id) ?? '') === host)
        receipts.push({ id: abroad(id, me), stage })
  }
  return { receipts, at }
}

function readCursor(home: Home, host: string): Cursor | undefined {
  const value = readJson(home.receipts(host))
  if (typeof value !== 'object' || value === null) return undefined
  const { ino, offset, at } = value as Partial<Record<keyof Cursor, unknown>>
  if (typeof ino !== 'number' || typeof offset !== 'number' || typeof at !== 'string')
    return undefined
  return { ino, offset, at }
}
