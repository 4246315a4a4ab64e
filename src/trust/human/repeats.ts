import type { Bus } from '../../bus/bus.ts'
import { ensureHome } from '../../bus/home.ts'
import { changeFile } from '../../system/changeFile.ts'
import { digestOf } from '../../system/digest.ts'
import { readJson } from '../../system/json.ts'

/** Something that a command starts: `what` it is, and all that says what it does. */
export type Repeat = { what: string; definition: unknown }

type Noted = Record<string, string>

/** Notes what you started at a place of yours. */
export function noteRepeats(bus: Bus, repeats: Repeat[]): void {
  if (repeats.length === 0 || areRepeats(bus, repeats)) return
  const { home, processes } = bus
  const news = Object.fromEntries(repeats.map((one) => [one.what, hashOf(one)]))
  ensureHome(home)
  changeFile({ path: home.repeats, lock: home.repeatsLock, processes }, (replace) =>
    replace(`${JSON.stringify({ ...noted(readJson(home.repeats)), ...news })}\n`),
  )
}

/** Whether you started all of this before, and none of it has changed since. Nothing was never started. */
export function areRepeats({ home }: Bus, repeats: Repeat[]): boolean {
  const before = noted(readJson(home.repeats))
  const isSame = (one: Repeat) =>
    Object.hasOwn(before, one.what) && before[one.what] === hashOf(one)
  return repeats.length > 0 && repeats.every(isSame)
}

function noted(value: unknown): Noted {
  return typeof value === 'object' && value !== null ? (value as Noted) : {}
}

function hashOf({ definition }: Repeat): string {
  return digestOf(Buffer.from(JSON.stringify(definition)))
}
