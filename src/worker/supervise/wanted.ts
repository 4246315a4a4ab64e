import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { isoTime } from '../../message/time.ts'
import { changeFile } from '../../system/changeFile.ts'
import { makeDirectory } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'

/**
 * What the human wants of a worker, since when (ISO 8601), and the directory in which they said so:
 * a definition may be that repository's.
 */
export type Wish = { want: 'up' | 'down'; at: string; cwd: string }
export type Wanted = Record<string, Wish>

/** What is wanted of each worker. Kept, so that the next supervisor goes on with it. */
export function readWanted(home: Pick<Home, 'wanted'>): Wanted {
  const value = readJson(home.wanted)
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value as Record<string, Partial<Wish> | null>)
  return Object.fromEntries(
    entries.flatMap(([name, wish]) => {
      const { want, at = '', cwd = '/' } = wish ?? {}
      return want === 'up' || want === 'down' ? [[name, { want, at, cwd }]] : []
    }),
  )
}

/** Notes a wish for these workers. The supervisor sees the file change. */
export function wish(bus: Bus, names: string[], want: Wish['want'], cwd: string): void {
  const { home, processes, clock } = bus
  makeDirectory(home.workers)
  const at = isoTime(clock.now())
  changeFile({ path: home.wanted, lock: home.wantedLock, processes }, (replace) => {
    const wishes = names.map((name) => [name, { want, at, cwd }])
    replace(`${JSON.stringify({ ...readWanted(home), ...Object.fromEntries(wishes) })}\n`)
  })
}
