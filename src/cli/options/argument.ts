import type { Lines } from '../../chat/show.ts'

/**
 * What an argument's parser throws: commander knows it by its code, and `failureOf()` puts the
 * value before `message`. Not its own class, because commands come in files of their own, and each
 * would bring a second commander along.
 */
export function invalidArgument(message: string): Error {
  return Object.assign(new Error(message), { code: 'commander.invalidArgument', exitCode: 1 })
}

/** A number of things to show, from 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw invalidArgument('is not a whole number from 1')
}

/** The number of an event, from 0. */
export function parsePlace(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidArgument('is not the number of an event')
}

/** A port of this machine; 0 has the system choose one. */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw invalidArgument('is not a port, from 0 to 65535')
}

/** The units of a duration, the largest first, in milliseconds. */
const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }

const DURATION = new RegExp(
  `^${Object.keys(UNITS)
    .map((unit) => `(?:(\\d{1,6})${unit})?`)
    .join('')}$`,
)

/**
 * A duration as `90s`, `30m`, `1h30m`, `2d` or `4w`, in milliseconds: whole numbers with a unit, the
 * largest first. Zero is refused.
 */
export function parseDuration(text: string): number {
  const counts = DURATION.exec(text)?.slice(1) ?? []
  const ms = Object.values(UNITS).reduce((sum, size, at) => sum + Number(counts[at] ?? 0) * size, 0)
  if (ms > 0) return ms
  throw invalidArgument('is not a duration, for example 90s, 30m, 1h30m or 2d')
}

/** How long a command waits: a duration, or a number of seconds above zero. In seconds. */
export function parseWait(text: string): number {
  const seconds = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Number(text) : parseDuration(text) / 1000
  if (seconds > 0) return seconds
  throw invalidArgument('is not a duration, for example 90s, 30m, 1h30m or 2d')
}

/** A range of lines: `41-80`, `41-` to the end, `-40` from the beginning, `41` alone. */
export function parseLines(text: string): Lines {
  const [, first = '', dash = '', last = ''] = /^(\d{0,7})(-?)(\d{0,7})$/.exec(text) ?? []
  const from = first === '' ? 1 : Number(first)
  const to = dash === '' ? from : last === '' ? undefined : Number(last)
  if (first + last !== '' && from >= 1 && (to === undefined || to >= from))
    return { from, ...(to === undefined ? {} : { to }) }
  throw invalidArgument('is not a range of lines, for example 41-80, 41- or -40')
}
