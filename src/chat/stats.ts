import { isSent, parseEvent, type SentEvent } from '../bus/history.ts'
import type { Home } from '../bus/home.ts'
import { namerOf } from '../bus/names/names.ts'
import { parseId } from '../message/id.ts'
import { namesIn } from '../system/files.ts'
import { linesFromEnd } from '../system/lines.ts'

/** So many messages, and the bytes of their bodies. */
export type Tally = { messages: number; bytes: number }

/**
 * What was sent, in all, by and to each session, between each two, and in each hour or day of the
 * user's time zone from the first to `until`.
 */
export type Stats = {
  total: Tally
  /** The time of the first message that counts (milliseconds since 1970); undefined without one. */
  first: number | undefined
  until: number
  sessions: { name: string; sent: Tally; received: Tally }[]
  pairs: ({ from: string; to: string } & Tally)[]
  unit: 'hour' | 'day'
  buckets: ({ start: number } & Tally)[]
}

type StatsHome = Pick<Home, 'history' | 'names' | 'root'>

/** A token of a model is about four bytes of English text or code: a rule of thumb, not a count. */
const BYTES_PER_TOKEN = 4

/** Up to this long, hours are told; from then on, days. In milliseconds. */
const HOURS_MS = 48 * 3_600_000

/** The clocks of processes that append events agree to less than this. In milliseconds. */
const SLACK_MS = 60_000

export function tokensOf({ bytes }: Pick<Tally, 'bytes'>): number {
  return Math.round(bytes / BYTES_PER_TOKEN)
}

/**
 * Counts what the history tells of messages, back to `since` (milliseconds since 1970), and reads
 * no further than that.
 */
export function statsOf(home: StatsHome, since: number | undefined, now: number): Stats {
  const total = { messages: 0, bytes: 0 }
  const sessions = new Map<string, { name: string; sent: Tally; received: Tally }>()
  const pairs = new Map<string, { from: string; to: string } & Tally>()
  const times: { at: number; bytes: number }[] = []
  for (const { event, at } of sentSince(home, since ?? Number.NEGATIVE_INFINITY)) {
    const { from, to } = event
    const bytes = typeof event.bytes === 'number' ? event.bytes : 0
    add(total, bytes)
    add(entry(sessions, from, () => newSession(from)).sent, bytes)
    add(entry(sessions, to, () => newSession(to)).received, bytes)
    add(
      entry(pairs, `${from} ${to}`, () => ({ from, to, messages: 0, bytes: 0 })),
      bytes,
    )
    times.push({ at, bytes })
  }
  const first = times.reduce<number | undefined>(
    (least, { at }) => Math.min(least ?? at, at),
    undefined,
  )
  const until = times.reduce((most, { at }) => Math.max(most, at), now)
  return {
    total,
    first,
    until,
    sessions: [...sessions.values()].sort(
      (a, b) => b.received.bytes - a.received.bytes || order(a.name, b.name),
    ),
    pairs: [...pairs.values()].sort(
      (a, b) => b.bytes - a.bytes || order(a.from + a.to, b.from + b.to),
    ),
    ...overTime(times, first ?? until, until),
  }
}

/** Times as ISO 8601; every tally with its estimated tokens. */
export function statsJson({
  total,
  first,
  until,
  sessions,
  pairs,
  unit,
  buckets,
}: Stats): Record<string, unknown> {
  return {
    from: first === undefined ? null : new Date(first).toISOString(),
    until: new Date(until).toISOString(),
    ...withTokens(total),
    sessions: sessions.map(({ name, sent, received }) => ({
      name,
      sent: withTokens(sent),
      received: withTokens(received),
    })),
    pairs: pairs.map(withTokens),
    unit,
    over_time: buckets.map(({ start, ...tally }) => ({
      start: new Date(start).toISOString(),
      ...withTokens(tally),
    })),
  }
}

function withTokens<T extends Tally>(tally: T): T & { tokens: number } {
  return { ...tally, tokens: tokensOf(tally) }
}

/** The messages of the history, of what `prune` has kept of older ones too, each once. */
function* sentSince(home: StatsHome, since: number): Generator<{ event: SentEvent; at: number }> {
  const seen = new Set<string>()
  const named = namerOf(home)
  for (const path of historiesSince(home, since)) {
    for (const line of linesFromEnd(path)) {
      // What is plainly of another kind is not parsed: most lines are.
      const event = line.includes('"sent"') ? parseEvent(line) : undefined
      if (!event) continue
      const recorded = Date.parse(event.at)
      if (recorded < since - SLACK_MS) break
      if (!isSent(event) || seen.has(event.id)) continue
      seen.add(event.id)
      const micros = parseId(event.id)?.micros
      const at = micros === undefined ? recorded : Math.floor(micros / 1000)
      if (at >= since) yield { event: named(event), at }
    }
  }
}

/**
 * A history that was put aside tells of nothing after the time in its name,
 * `history-20261121T033912Z.log`.
 */
function historiesSince(home: StatsHome, since: number): string[] {
  const aside = namesIn(home.root).filter((file) => {
    const [, date = '', hour = '', minute = '', second = ''] =
      /^history-(\d{8})T(\d\d)(\d\d)(\d\d)Z\.log$/.exec(file) ?? []
    const day = date.replace(/(....)(..)(..)/, '$1-$2-$3')
    return Date.parse(`${day}T${hour}:${minute}:${second}Z`) + SLACK_MS >= since
  })
  return [home.history, ...aside.map((file) => `${home.root}/${file}`)]
}

function overTime(
  times: { at: number; bytes: number }[],
  from: number,
  until: number,
): Pick<Stats, 'unit' | 'buckets'> {
  const unit = until - from <= HOURS_MS ? 'hour' : 'day'
  const buckets: Stats['buckets'] = []
  for (let start = startOf(unit, from); start <= until; start = startOf(unit, start, 1))
    buckets.push({ start, messages: 0, bytes: 0 })
  const sorted = times.sort((a, b) => a.at - b.at)
  let index = 0
  for (const { at, bytes } of sorted) {
    while ((buckets[index + 1]?.start ?? Number.POSITIVE_INFINITY) <= at) index += 1
    const bucket = buckets[index]
    if (bucket) add(bucket, bytes)
  }
  return { unit, buckets }
}

/**
 * The hour or day that a time is in, or one that is `later` by so many; where the clocks change, a
 * day has 23 or 25 hours.
 */
function startOf(unit: 'hour' | 'day', time: number, later = 0): number {
  if (unit === 'hour') return Math.floor(time / 3_600_000) * 3_600_000 + later * 3_600_000
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime()
}

function add(tally: Tally, bytes: number): void {
  tally.messages += 1
  tally.bytes += bytes
}

function newSession(name: string): { name: string; sent: Tally; received: Tally } {
  return { name, sent: { messages: 0, bytes: 0 }, received: { messages: 0, bytes: 0 } }
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function order(a: string, b: string): number {
  return a < b ? -1 : 1
}
