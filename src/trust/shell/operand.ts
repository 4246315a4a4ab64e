/**
 * What a program is given for a word. `value`: all of it, where that is known. `start`: how it
 * begins, and how every word begins that a shell makes of it; empty where that is unknown. `many`:
 * it may be any number of words, also none. `shape`: the value, with `?` for each part that is
 * unknown, and `^` or `*` for a pattern. `plain`: whatever it is, a shell that splits it makes one
 * word of it, or none. `gone`: it may be an empty text. `toDevices`: what is known of it leads to
 * where devices are. `globbed`: the unknown at its beginning is a pattern, so that it begins as a
 * file's name does.
 */
export type Operand = {
  value: string | undefined
  start: string
  many: boolean
  number: boolean
  shape?: string
  plain?: boolean
  gone?: boolean
  toDevices?: boolean
  globbed?: boolean
}

/** A beginning that is unknown, but for not being `-`. */
export const NO_OPTION = '\u0000'

export const UNKNOWN: Operand = { value: undefined, start: '', many: false, number: false }
