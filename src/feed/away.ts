import type { Bus } from '../bus/bus.ts'
import { eventsFromEnd, isSent, type SentEvent } from '../bus/history.ts'
import { readTask } from '../bus/index/tasks.ts'
import { atOwnTerminal } from '../chat/identity.ts'
import type { Ports } from '../chat/ports.ts'
import { HUMAN, PROGRAM } from '../message/name.ts'
import { isOpenTask } from '../message/task.ts'
import { isoTime } from '../message/time.ts'
import { visibleLine } from '../message/visible.ts'
import { unless } from '../system/errno.ts'
import { replaceFileSoon } from '../system/files.ts'
import { fieldOf, readJson } from '../system/json.ts'
import { allHeld } from '../trust/sendGate/held.ts'
import type { Away, AwayLine } from './awayText.ts'

/** Whoever has pressed no key for so long is away. In milliseconds. */
const AWAY_MS = 10 * 60_000

/** A key is noted so often at the most. In milliseconds. */
const NOTED_MS = 60_000

/** No more of the history is looked at: a block is a digest, and `history` has it all. */
const MOST_EVENTS = 5000

/** When the person last pressed a key, and since when they have not seen a block. In milliseconds. */
type Presence = { pressed: number; unseen?: { from: number; to: number } | undefined }

/** Why the file may not be readable or writable. None of it stops a surface. */
const UNUSABLE = 'ENOENT EISDIR ENOTDIR EACCES EPERM EROFS ENOSPC EDQUOT ELOOP'.split(' ')

/**
 * What happened since the person last pressed a key on any surface of this home, from 10 minutes
 * after it until the block was seen; undefined where nothing is to be shown. `before`: the block
 * that the surface has, which is given again within the same minute: nothing is read for it.
 */
export function awayNow(bus: Bus, now = bus.clock.now(), before?: Away): Away | undefined {
  const presence = readPresence(bus)
  const period = presence && awayPeriod(presence, now)
  if (!period) return undefined
  const [from, to] = [isoTime(period.from), isoTime(period.to)]
  if (before?.from === from && minuteOf(before.to) === minuteOf(to)) return before
  const lines = linesOf(bus, period)
  return lines.length === 0 ? undefined : { from, to, lines }
}

/**
 * Notes that the person has pressed a key; to be called at every one, of the person alone. Writes
 * once a minute at the most. After 10 minutes without one, what happened meanwhile waits to be seen.
 */
export function noteKey(bus: Bus): void {
  const now = bus.clock.now()
  const presence = readPresence(bus)
  const since = presence === undefined ? Number.NaN : now - presence.pressed
  if (since >= 0 && since < NOTED_MS) return
  const period = presence && awayPeriod(presence, now)
  const unseen = period && linesOf(bus, period).length > 0 ? period : undefined
  writePresence(bus, { pressed: now, unseen })
}

/** As `noteKey()`, for a command that prints to a terminal at which nobody but a person can be. */
export async function noteTyped(
  ports: Pick<Ports, 'bus' | 'env' | 'typed' | 'isTerminal'>,
): Promise<void> {
  if (await atOwnTerminal(ports)) noteKey(ports.bus())
}

/** Notes that the block was seen: it is gone on every surface of this home. */
export function noteAwaySeen(bus: Bus): void {
  writePresence(bus, { pressed: bus.clock.now() })
}

/** What was not seen goes on until the person is away again, and then with that. */
function awayPeriod({ pressed, unseen }: Presence, now: number): Presence['unseen'] {
  const isAway = now - pressed >= AWAY_MS
  return isAway ? { from: unseen?.from ?? pressed, to: now } : unseen
}

function linesOf(bus: Bus, { from, to }: { from: number; to: number }): AwayLine[] {
  const sent: SentEvent[] = []
  let looked = 0
  for (const event of eventsFromEnd(bus.home)) {
    const at = Date.parse(event.at)
    looked += 1
    if (at < from || looked > MOST_EVENTS) break
    if (at <= to && isSent(event)) sent.push(event)
  }
  return [...endedTasks(bus, sent), ...pairsOf(sent), ...heldIn(bus, from, to)]
}

/** The tasks that ended, by how they did. `sent`: the newest first. */
function endedTasks({ home }: Bus, sent: SentEvent[]): AwayLine[] {
  const ids = new Set(
    sent.flatMap(({ kind, in_reply_to: id }) =>
      typeof id === 'string' && ['result', 'reply'].includes(String(kind)) ? [id] : [],
    ),
  )
  const ends = new Set(sent.map(({ id }) => id))
  const tasks = [...ids].flatMap((id) => readTask(home, id) ?? [])
  const ended = tasks.filter(
    ({ state, result }) => !isOpenTask(state) && ends.has(result?.id ?? ''),
  )
  return (['done', 'failed', 'declined'] as const).flatMap((kind) => {
    const these = ended.filter(({ state }) => state === kind).map(({ message }) => message)
    return lineOf(
      kind,
      these.map(({ to, thread }) => [to, thread]),
    )
  })
}

/** What sessions wrote to each other, the busiest two first. What they wrote to you is in your inbox. */
function pairsOf(sent: SentEvent[]): AwayLine[] {
  const pairs = new Map<string, SentEvent[]>()
  for (const event of sent) {
    const two = [event.from, event.to].sort()
    if (event.progress !== undefined || two.includes(HUMAN) || two.includes(PROGRAM)) continue
    const key = two.join(' ')
    pairs.set(key, [...(pairs.get(key) ?? []), event])
  }
  return [...pairs.values()]
    .sort((a, b) => b.length - a.length)
    .map((events) => ({
      kind: 'pair',
      count: events.length,
      names: events.slice(0, 1).flatMap(({ from, to }) => [from, to].sort().map(visibleLine)),
      opens: [...new Set(events.map(({ id, thread }) => visibleLine(String(thread ?? id))))],
    }))
}

/** What was held then, and still is. */
function heldIn(bus: Bus, from: number, to: number): AwayLine[] {
  const held = allHeld(bus).filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to)
  return lineOf(
    'held',
    held.map((one) => [one.to, one.chain]),
  )
}

function lineOf(kind: AwayLine['kind'], of: [name: string, opens: string][]): AwayLine[] {
  if (of.length === 0) return []
  const unique = (at: 0 | 1) => [...new Set(of.map((one) => visibleLine(one[at])))]
  return [{ kind, count: of.length, names: unique(0).sort(), opens: unique(1) }]
}

function readPresence({ home }: Pick<Bus, 'home'>): Presence | undefined {
  const value = unless(UNUSABLE, () => readJson(home.presence))
  const time = (of: unknown, key: string) => Date.parse(String(fieldOf(of, key)))
  const pressed = time(value, 'pressed')
  if (Number.isNaN(pressed)) return undefined
  const [from, to] = ['from', 'to'].map((key) => time(fieldOf(value, 'unseen'), key)) as [
    number,
    number,
  ]
  return { pressed, unseen: from < to ? { from, to } : undefined }
}

/** Where it cannot be written, the block stays: nothing says that it was seen. */
function writePresence({ home }: Pick<Bus, 'home'>, { pressed, unseen }: Presence): void {
  const text = JSON.stringify({
    pressed: isoTime(pressed),
    ...(unseen && { unseen: { from: isoTime(unseen.from), to: isoTime(unseen.to) } }),
  })
  unless(UNUSABLE, () => replaceFileSoon(home.presence, `${text}\n`))
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16)
}
