import { setTimeout as delay } from 'node:timers/promises'
import { LONGEST_MS, tellSlow } from '../../../src/testing/until.ts'

const EVERY_MS = 40

/**
 * The first value of `look` that is neither `undefined` nor `false`, asked for again and again.
 * Throws after `timeoutMs` and then says `what` was waited for, with whatever `state` tells of the
 * moment.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  options: { timeoutMs?: number; state?: () => Promise<string> | string } = {},
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? LONGEST_MS
  const began = performance.now()
  for (;;) {
    const value = await look()
    const ms = performance.now() - began
    if (value !== undefined && value !== false) {
      tellSlow(what, ms)
      return value
    }
    if (ms >= timeoutMs) break
    await delay(EVERY_MS)
  }
  const state = options.state ? `\n${await options.state()}` : ''
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}${state}`)
}
