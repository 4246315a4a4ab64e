import { readFileSync } from 'node:fs'
import { isErrno } from '../system/errno.ts'
import { replaceFileSoon } from '../system/files.ts'
import type { Home } from './home.ts'
import type { Extent } from './searchCorpus.ts'
import type { Stamps } from './searchPlaces.ts'

/**
 * What makes listing needless, as whoever has listed may say; it stays true whatever others write. While a directory has its stamp, all of its
 * messages are in the archive, and while the archive has its own, they are all in the corpus of this size and generation.
 */
export type Seen = { stamps: Record<string, string>; corpus: Pick<Extent, 'size' | 'generation'> }

/** What was last seen; nothing where that cannot be read. */
export function readSeen(home: Pick<Home, 'searchSeen'>): Seen | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(home.searchSeen, 'utf8'))
    return isSeen(value) ? value : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The directories that have not changed since. */
export function unchanged(seen: Seen | undefined, stamps: Stamps): Set<string> {
  const same = [...stamps].filter(([directory, stamp]) => stamp !== undefined && seen?.stamps[directory] === stamp)
  return new Set(same.map(([directory]) => directory))
}

/** Says so. Where it cannot be written, the directories are listed the next time. */
export function noteSeen(home: Pick<Home, 'searchSeen'>, stamps: Stamps, corpus: Seen['corpus']): void {
  const settled = Object.fromEntries([...stamps].filter(([, stamp]) => stamp !== undefined))
  try {
    replaceFileSoon(home.searchSeen, `${JSON.stringify({ stamps: settled, corpus })}\n`)
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM')) throw error
  }
}

function isSeen(value: unknown): value is Seen {
  if (typeof value !== 'object' || value === null) return false
  const { stamps, corpus } = value as Partial<Record<keyof Seen, unknown>>
  return typeof stamps === 'object' && stamps !== null && typeof corpus === 'object' && corpus !== null
}
