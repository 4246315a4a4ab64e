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

/** A number of seconds, from 0, with decimals. */
export function parseSeconds(text: string): number {
  if (/^\d{1,7}(\.\d{1,3})?$/.test(text)) return Number(text)
  throw invalidArgument('is not a number of seconds')
}

const AGE_UNITS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * An age as `90s`, `30m`, `12h`, `2d` or `4w`, in milliseconds: a whole number from 1 and a unit.
 */
export function parseAge(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smhdw])$/.exec(text) ?? []
  const size = AGE_UNITS[unit]
  if (size !== undefined) return Number(count) * size
  throw invalidArgument('is not an age: a number and s, m, h, d or w, for example 2d')
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
