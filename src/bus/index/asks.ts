import { faultPoint } from '../../system/fault.ts'
import { makeDirectory, namesIn, removeFile, replaceFileSoon } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import { withPidLock } from '../../system/pidlock.ts'
import { isProcessRef, type ProcessRef } from '../../system/processes.ts'
import type { Bus } from '../bus.ts'
import { nameNow } from '../names/names.ts'

/** A process that waits for an answer, and to which question, once that is sent. */
export type Ask = { waiter: ProcessRef; from: string; to: string; id: string | null }

/** The lock is held for a look at a few small files. In milliseconds. */
const LOCK_MS = 2000

/** Sessions that would wait for each other, from the one asked to the asker, and its question. */
export type Circle = { names: string[]; waiting: string | null }

/**
 * Begins to wait, unless that would close a circle of sessions that wait for each other: then
 * nothing is noted, and the circle is given. Of several that begin at once, one closes the circle.
 */
export function beginAsk(
  bus: Bus,
  from: string,
  to: string,
  id: string | null,
): Circle | undefined {
  const circle = alone(bus, () => {
    faultPoint('ask:locked')
    const found = circleIn(tidied(bus), from, to)
    if (!found) noteAsk(bus, { waiter: bus.processes.self(), from, to, id })
    return found
  })
  faultPoint('ask:noted')
  return circle
}

/** Says which question this process waits for, or ends its waiting. */
export function noteAsk(bus: Pick<Bus, 'home'>, ask: Ask): void {
  replaceFileSoon(bus.home.ask(ask.waiter.pid), `${JSON.stringify(ask)}\n`)
}

export function endAsk(bus: Pick<Bus, 'home' | 'processes'>): void {
  removeFile(bus.home.ask(bus.processes.self().pid))
}

/** The process that waits for the answer to this question, or undefined. */
export function waiterOf(
  bus: Pick<Bus, 'home' | 'processes'>,
  id: string,
  asker: string,
): ProcessRef | undefined {
  return liveAsks(bus).find((ask) => ask.id === id && ask.from === asker)?.waiter
}

/** Everyone who waits for an answer now. */
export function liveAsks(bus: Pick<Bus, 'home' | 'processes'>): Ask[] {
  return notedAsks(bus).flatMap(({ ask }) => ask ?? [])
}

/** The files of processes that have ended. */
export function staleAsks(bus: Pick<Bus, 'home' | 'processes'>): string[] {
  return notedAsks(bus).flatMap(({ ask, path }) => (ask === undefined ? [path] : []))
}

/** Removes what processes that have ended left of their waiting. */
export function tidyAsks(bus: Bus): void {
  alone(bus, () => void tidied(bus))
}

/** One step: a dead process's pid may be that of the next to begin, so tidying is part of it. */
function alone<T>(bus: Bus, work: () => T): T {
  makeDirectory(bus.home.asks)
  return withPidLock(bus.home.asksLock, bus.processes, LOCK_MS, work)
}

function tidied(bus: Bus): Ask[] {
  return notedAsks(bus).flatMap(({ ask, path }) => {
    if (ask === undefined) removeFile(path)
    return ask ?? []
  })
}

/** What is noted; without `ask` where the process that it names has ended, or it names none. */
function notedAsks({
  home,
  processes,
}: Pick<Bus, 'home' | 'processes'>): { path: string; ask: Ask | undefined }[] {
  const files = namesIn(home.asks).filter((file) => /^[1-9]\d*\.json$/.test(file))
  return files.flatMap((file): { path: string; ask: Ask | undefined }[] => {
    const path = home.ask(Number(file.slice(0, -5)))
    const ask = readJson(path)
    // Its process has said meanwhile that it no longer waits.
    if (ask === undefined) return []
    if (!isAsk(ask) || !processes.isAlive(ask.waiter)) return [{ path, ask: undefined }]
    return [{ path, ask: { ...ask, from: nameNow(home, ask.from), to: nameNow(home, ask.to) } }]
  })
}

function circleIn(asks: readonly Ask[], from: string, to: string): Circle | undefined {
  const names = pathBetween(asks, to, from)
  const last = names && asks.find((ask) => ask.from === names.at(-2) && ask.to === from)
  return names && { names, waiting: last?.id ?? null }
}

/** The sessions on a way along the asks from one session to another, both ends included. */
function pathBetween(asks: readonly Ask[], start: string, goal: string): string[] | undefined {
  const ways = [[start]]
  const seen = new Set([start])
  for (let way = ways.shift(); way; way = ways.shift()) {
    const last = way.at(-1)
    if (last === goal) return way
    for (const { from, to } of asks) {
      if (from !== last || seen.has(to)) continue
      seen.add(to)
      ways.push([...way, to])
    }
  }
  return undefined
}

function isAsk(value: unknown): value is Ask {
  if (typeof value !== 'object' || value === null) return false
  const { waiter, from, to } = value as Partial<Record<keyof Ask, unknown>>
  return typeof from === 'string' && typeof to === 'string' && isProcessRef(waiter)
}
