import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { changeFile } from '../../system/changeFile.ts'
import { makeDirectory } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'

/** The human's yes to a file of a repository: to this very text of it. */
export type Trusted = { name: string; hash: string; at: string }

/**
 * The files that the human has said yes to, by their paths. Kept in the home: a repository cannot
 * allow itself.
 */
export function readTrusted(home: Pick<Home, 'trusted'>): Record<string, Trusted> {
  const value = readJson(home.trusted)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([, one]) => isTrusted(one)))
}

/** Keeps the yes to a file, or with `null` takes it back. */
export function changeTrusted({ home, processes }: Bus, path: string, yes: Trusted | null): void {
  makeDirectory(home.workers)
  changeFile({ path: home.trusted, lock: home.trustedLock, processes }, (replace) => {
    const { [path]: _, ...others } = readTrusted(home)
    replace(`${JSON.stringify(yes === null ? others : { ...others, [path]: yes })}\n`)
  })
}

function isTrusted(value: unknown): value is Trusted {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['name', 'hash', 'at'].every((key) => typeof Reflect.get(value, key) === 'string')
  )
}
