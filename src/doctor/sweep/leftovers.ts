import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { staleAsks, tidyAsks } from '../../bus/index/asks.ts'
import { inboxNames } from '../../bus/mail/inboxes.ts'
import { markedNames } from '../../bus/mail/marks.ts'
import { peers } from '../../bus/remote/peers.ts'
import { entriesIn, lookAt } from '../../system/files.ts'
import { holderOf, tryPidLock } from '../../system/pidlock.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'
import type { State } from './states.ts'

/** A temporary file's name has its writer's pid: `<name>.<pid>.tmp`; `.stale` at a take-over. */
const TEMPORARY = /^(.+?)(?:\.(\d{1,10}))?\.(?:tmp|stale)$/

/** Directories of indexes are made under a name like a temporary file's. */
const TEMPORARY_INDEXES = /^(?:threads|tasks)\.\d{1,10}\.tmp$/

/** Removes temporary files, locks and notes of waiting whose process is gone. */
export async function sweepLeftovers(sweep: Sweep): Promise<void> {
  const { home } = sweep.bus
  const inboxes = inboxNames(home).map((name) => home.inbox(name))
  const marks = markedNames(home).map((name) => home.heldBy(name))
  const flat = [
    ...[home.root, home.messages, home.pids, home.states, home.gates, home.asks],
    ...[home.escalations, home.watched, home.words, home.workers, home.rooms],
  ]
  const hosts = peers(home).flatMap(({ host }) => [home.peer(host), home.out(host)])
  for (const directory of [...flat, ...inboxes, ...marks, home.remote, ...hosts]) {
    for (const entry of entriesIn(directory)) {
      const making =
        directory === home.root && entry.isDirectory() && TEMPORARY_INDEXES.test(entry.name)
      if (entry.isFile() || making) await sweepTemporary(sweep, directory, entry.name)
    }
  }
  if (lookAt(home.search))
    await note(sweep, 'old-search', { paths: [home.search] }, () =>
      rmSync(home.search, { recursive: true }),
    )
  for (const { name } of entriesIn(home.workers)) {
    const path = join(home.workers, name)
    if (name.endsWith('.run') && !isYoung(sweep, path))
      await note(sweep, 'stale-handover', { paths: [path] }, () => rmSync(path))
  }
  for (const path of pidLocks(sweep)) await sweepPidLock(sweep, path)
  for (const path of staleAsks(sweep.bus))
    await note(sweep, 'stale-ask', { paths: [path] }, () => tidyAsks(sweep.bus))
}

async function sweepTemporary(sweep: Sweep, directory: string, file: string): Promise<void> {
  const path = join(directory, file)
  const claim = directory === sweep.bus.home.messages && /^\..+\.md\.claim$/.test(file)
  const match = claim ? ['', '', ''] : TEMPORARY.exec(file)
  if (!match) return
  const [, base = '', pid] = match
  const atWork = pid ? sweep.bus.processes.find(Number(pid)) !== undefined : isYoung(sweep, path)
  if (!atWork)
    await note(sweep, stateOf(sweep, directory, base), { paths: [path] }, () =>
      rmSync(path, { recursive: true }),
    )
}

function stateOf(sweep: Sweep, directory: string, base: string): State {
  const { home } = sweep.bus
  if (directory !== home.messages || base === '') return 'leftover'
  return lookAt(home.message(base.slice(1))) === undefined ? 'unpublished' : 'published-twice'
}

function pidLocks(sweep: Sweep): string[] {
  const { home } = sweep.bus
  const among = (directory: string, end: string) =>
    entriesIn(directory)
      .filter((entry) => entry.isFile() && entry.name.endsWith(end))
      .map((entry) => join(directory, entry.name))
  const readers = inboxNames(home).map((name) => home.readerLock(name))
  return [
    ...[...readers, home.asksLock, home.pruneLock].filter((path) => lookAt(path)),
    ...peers(home).flatMap(({ host }) => among(home.peer(host), '.lock')),
    ...among(home.pids, '.ring'),
    ...among(home.states, '.lock'),
    ...among(home.gates, '.lock'),
    ...among(home.escalations, '.lock'),
    ...[...among(home.workers, '.lock'), ...among(home.workers, '.pid')],
  ]
}

async function sweepPidLock(sweep: Sweep, path: string): Promise<void> {
  const holder = holderOf(path)
  if (holder ? sweep.bus.processes.isAlive(holder) : isYoung(sweep, path)) return
  // Taking it over and letting it go removes it without a moment in which two could hold it.
  await note(sweep, 'stale-lock', { paths: [path] }, () => {
    const lock = tryPidLock(path, sweep.bus.processes)
    if (typeof lock === 'function') lock()
  })
}

function isYoung(sweep: Sweep, path: string): boolean {
  const stat = lookAt(path)
  return stat === undefined || sweep.bus.clock.now() - stat.mtimeMs < GRACE_MS
}
