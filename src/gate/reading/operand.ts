/**
 * What a program is given for a word. `value`: all of it, where that is known. `start`: how it
 * begins, and how every word begins that a shell makes of it; empty where that is unknown. `many`:
 * it may be any number of words. `toDevices`: what is known of it leads to where devices are.
 */
export type Operand = {
  value: string | undefined
  start: string
  many: boolean
  number: boolean
  toDevices?: boolean
}

/** A beginning that is unknown, but for not being `-`. */
export const NO_OPTION = '\u0000'

export const UNKNOWN: Operand = { value: undefined, start: '', many: false, number: false }
