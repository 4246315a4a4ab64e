import { statSync } from 'node:fs'
import type { Home } from '../bus/home.ts'
import { isoTime } from '../message/time.ts'
import { readReads } from './reads.ts'

/**
 * When a session last did something that left a trace (ISO 8601): its hooks told of it, it read a
 * message, or it sent one. Undefined where none is left. A session that only thinks leaves none.
 */
export function lastSeen(
  home: Pick<Home, 'state' | 'gate' | 'reads' | 'names'>,
  name: string,
): string | undefined {
  const traces = [changedAt(home.state(name)), changedAt(home.gate(name)), readAt(home, name)]
  const times = traces.filter((time) => time !== undefined && !Number.isNaN(time)) as number[]
  return times.length === 0 ? undefined : isoTime(Math.max(...times))
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

/** The file's own time will not do: it also changes when somebody else has its messages counted. */
function readAt(home: Pick<Home, 'reads' | 'names'>, name: string): number | undefined {
  const last = readReads(home, name).at(-1)
  return last && Date.parse(last.at)
}
