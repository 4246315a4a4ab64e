import { closeSync, openSync, renameSync } from 'node:fs'
import { isErrno } from '../system/errno.ts'
import { faultPoint } from '../system/fault.ts'
import { makeDirectory, namesIn, removeFile, writeAll } from '../system/files.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { ownPid } from '../system/user.ts'
import type { Bus } from './bus.ts'
import { corpusHead, corpusNow, type Extent, scanCorpus } from './searchCorpus.ts'
import { messagePlaces } from './searchPlaces.ts'

/** How the keeping ended: the corpus as it is now, where all was written, or why not (an errno). */
export type Kept = { corpus?: Pick<Extent, 'size' | 'generation'>; unkept?: string }

/** Takes records into the corpus, behind those that it has. */
export type Keeper = { keep: (record: Buffer) => void; end: () => Kept }

/** Written at once, in bytes. What a killed search has written so far is not lost. */
const BATCH = 1024 * 1024

/** Why a search may go on without keeping what it has read: the next one reads it again. */
const TOLERATED = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG']

/**
 * A keeper for a corpus that was read as `extent`, with `renew` to be made anew from its records of messages that are there. Nothing is kept, and
 * nothing missed, where another process is writing or has written since: what that one has is as good. With nothing to do, nothing is touched.
 */
export function corpusKeeper(bus: Bus, extent: Extent | undefined, what: { renew: boolean; add: boolean }): Keeper {
  if (!what.renew && !what.add) return { keep: () => {}, end: () => (extent ? { corpus: extent } : {}) }
  let trouble: string | undefined
  const attempt = <T>(step: () => T): T | undefined => {
    try {
      return step()
    } catch (error) {
      if (!isErrno(error, ...TOLERATED)) throw error
      trouble ??= error.code
      return undefined
    }
  }
  const kept = (corpus: Kept['corpus']): Kept =>
    trouble === undefined ? (corpus ? { corpus } : {}) : { unkept: trouble }
  const release = attempt(() => lockUnchanged(bus, extent))
  if (!release) return { keep: () => {}, end: () => kept(undefined) }
  const fd = attempt(() => openCorpus(bus, what.renew || extent === undefined))
  const batch = batched((bytes) => {
    // What a full disk has cut is found, and mended, by the next search.
    if (fd !== undefined && trouble === undefined) attempt(() => writeAll(fd, bytes))
  })
  const end = () => {
    batch.flush()
    if (fd !== undefined) closeSync(fd)
    const corpus = corpusNow(bus.home)
    release()
    return kept(corpus)
  }
  return { keep: batch.add, end }
}

/** The lock of whoever writes, or undefined where another has it or has written since `extent` was read. */
function lockUnchanged(bus: Bus, extent: Extent | undefined): (() => void) | undefined {
  makeDirectory(bus.home.search)
  const lock = tryPidLock(bus.home.searchLock, bus.processes)
  if (typeof lock !== 'function') return undefined
  const now = corpusNow(bus.home)
  if (now?.size === extent?.size && now?.generation === extent?.generation) return lock
  lock()
  return undefined
}

/** The corpus, to append to. A new one takes the place of the old by a rename, and has another generation. */
function openCorpus({ home, clock }: Bus, renew: boolean): number {
  if (!renew) return openSync(home.corpus, 'a', 0o600)
  // Only the lock's holder makes these: what is there was left by a search that was killed.
  for (const file of namesIn(home.search)) if (file.endsWith('.tmp')) removeFile(`${home.search}/${file}`)
  const temporary = `${home.corpus}.${ownPid()}.tmp`
  const fd = openSync(temporary, 'ax', 0o600)
  try {
    writeAll(fd, Buffer.from(corpusHead(String(clock.micros()))))
    const batch = batched((bytes) => writeAll(fd, bytes))
    const { archived, elsewhere } = messagePlaces(home)
    scanCorpus(home, [], (record) => {
      const file = record.file()
      if (archived.delete(file) || elsewhere.delete(file)) batch.add(Buffer.from(record.bytes()))
    })
    batch.flush()
    faultPoint('search:renewed')
    renameSync(temporary, home.corpus)
    return fd
  } catch (error) {
    closeSync(fd)
    removeFile(temporary)
    throw error
  }
}

function batched(write: (bytes: Buffer) => void): { add: (bytes: Buffer) => void; flush: () => void } {
  let batch: Buffer[] = []
  let length = 0
  const flush = () => {
    write(Buffer.concat(batch))
    batch = []
    length = 0
  }
  const add = (bytes: Buffer) => {
    batch.push(bytes)
    length += bytes.length
    if (length >= BATCH) flush()
  }
  return { add, flush }
}
