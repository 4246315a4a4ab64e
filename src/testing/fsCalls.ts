import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'

type Call = (...args: unknown[]) => unknown

/**
 * Has calls of `node:fs` go through `instead` until the running test is over; it gets the real call
 * and its arguments. On Bun, whose modules keep the calls that they have imported, the test is skipped.
 */
export function interceptFs(
  names: (keyof typeof fs)[],
  instead: (name: string, real: () => unknown, args: unknown[]) => unknown,
): void {
  if (process.versions.bun !== undefined)
    getCurrentTest()?.context.skip('nothing can take the place of a call of fs here')
  const calls = fs as unknown as Record<string, Call>
  for (const name of names) {
    const real = calls[name] as Call
    calls[name] = (...args) => instead(name, () => real(...args), args)
    onTestFinished(() => {
      calls[name] = real
      syncBuiltinESMExports()
    })
  }
  syncBuiltinESMExports()
}

/** The calls of these names from now on, each with its first argument. */
export function countFs(...names: (keyof typeof fs)[]): { name: string; path: unknown }[] {
  const seen: { name: string; path: unknown }[] = []
  interceptFs(names, (name, real, [path]) => {
    seen.push({ name, path })
    return real()
  })
  return seen
}

/** As if the disk were full: what writes text throws `ENOSPC`, after the file was made. */
export function fillDisk(): void {
  interceptFs(['writeSync', 'writeFileSync'], (name, _, [path]) => {
    if (name === 'writeFileSync') fs.closeSync(fs.openSync(String(path), 'w'))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
}
