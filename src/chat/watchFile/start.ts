import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { nameMeant, readSessions } from '../../bus/names/registry.ts'
import { CodedError, isCoded } from '../../errors.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN, PROGRAM, parseName, parseRecipient, quote } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import {
  type FileWatch,
  fileWatches,
  forgetFileWatch,
  isWatched,
  readFileWatch,
  watchKey,
  writeFileWatch,
} from '../../session/fileWatches.ts'
import { logLine } from '../../system/log.ts'
import { spawnSelf } from '../../system/spawn.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import { createWaker } from '../../system/waker.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { post } from '../post.ts'
import { requireRecipient } from '../recipient.ts'
import { noteLineage } from './lineage.ts'
import { type FileWatchPorts, watchFile } from './loop.ts'
import type { Note } from './note.ts'
import { PACE } from './pace.ts'

export type WatchFileOptions = { path: string; notify: string; from?: string; foreground?: boolean }

/**
 * How long the background process may take to begin, and how often that is looked at. In
 * milliseconds.
 */
const BEGIN_MS = 10_000
const LOOK_MS = 20

/**
 * Starts to watch a file, in the background or here; gives back once it is watched, or here once
 * that is over. `already`: somebody does. Throws `FILE_UNREADABLE` for what is no file that can be
 * read, and as `send` for the recipient and the sender.
 */
export async function startWatch(
  options: WatchFileOptions,
  ports: Ports,
): Promise<{ watch: FileWatch; already: boolean }> {
  const notify = parseRecipient(options.notify)
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  const { name } = await whoSpeaks(ports, options.from, sessions)
  requireRecipient(sessions, notify, ports.bus().home)
  const path = resolve(ports.cwd, options.path)
  requireFile(path)
  // What stands in a file is not the human's word, and must not come in their name.
  const from = name === HUMAN ? PROGRAM : name
  const since = isoTime(bus.clock.now())
  const before = readFileWatch(bus.home, watchKey({ path, notify }))
  if (before && isWatched(bus, before)) return { watch: before, already: true }
  const watch: FileWatch = { path, notify, from, since, watcher: null, last: before?.last ?? null }
  writeFileWatch(bus.home, watch)
  if (!options.foreground) return { watch: await startInBackground(watch, ports), already: false }
  ports.notice(`watching ${path} for @${notify}; Ctrl-C ends it`)
  await runHere(watch, ports, ports.notice)
  forgetFileWatch(bus.home, watch)
  return { watch, already: false }
}

/** The background process: watches the file that its key names until nobody wants that any more. */
export async function runWatcher(key: string, ports: Ports): Promise<void> {
  const { home } = ports.bus()
  const watch = /^[0-9a-f]{16}$/.test(key) ? readFileWatch(home, key) : undefined
  if (watch === undefined) throw unknown(key)
  // A home that was removed is not to come back as a directory of logs.
  const log = (text: string) => {
    if (existsSync(home.root))
      logLine(logPath(ports), `${watch.path} for @${watch.notify}: ${text}`)
  }
  try {
    log(`ends: ${await runHere(watch, ports, log)}`)
  } catch (error) {
    log(`fails: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    throw error
  }
}

/** Every watched file. */
export function listWatches(ports: Pick<Ports, 'bus'>): FileWatch[] {
  return fileWatches(ports.bus().home)
}

/** A watched file as data. */
export function watchJson(watch: FileWatch, ports: Pick<Ports, 'bus'>): Record<string, unknown> {
  return { ...watch, alive: isWatched(ports.bus(), watch) }
}

/**
 * Forgets the watches of a file, for everyone who is told or for one, and ends their processes.
 * Throws `WATCH_UNKNOWN`.
 */
export async function removeWatches(
  path: string,
  notify: string | undefined,
  ports: Pick<Ports, 'bus' | 'cwd'>,
): Promise<FileWatch[]> {
  const { home, processes } = ports.bus()
  const name = notify === undefined ? undefined : parseName(notify)
  const wanted = resolve(ports.cwd, path)
  const found = fileWatches(home).filter(
    (watch) => watch.path === wanted && (name === undefined || watch.notify === name),
  )
  if (found.length === 0) throw unknown(wanted)
  for (const watch of found) {
    forgetFileWatch(home, watch)
    if (watch.watcher) processes.signal(watch.watcher, 'SIGTERM')
  }
  return found
}

/**
 * Who starts a watch wants to know of every change from then on, so it waits until the file has
 * been looked at.
 */
async function startInBackground(watch: FileWatch, ports: Ports): Promise<FileWatch> {
  const bus = ports.bus()
  const key = watchKey(watch)
  const pid = spawnSelf(['watch-file', '--watcher', key], ports)
  const left = timeLeft(BEGIN_MS)
  while (pid !== undefined && left() > 0) {
    const now = readFileWatch(bus.home, key)
    if (now && isWatched(bus, now)) return now
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  forgetFileWatch(bus.home, watch)
  throw new CodedError('FAULT', 'the process that watches the file did not start', {
    hint: `look at its log: tail ${logPath(ports)}`,
  })
}

async function runHere(
  watch: FileWatch,
  ports: Ports,
  log: (text: string) => void,
): Promise<string> {
  // What is only needed later is loaded now: an update may replace this program's files while it
  // runs.
  const [{ watchOneFile }] = await Promise.all([
    import('../../system/events.ts'),
    import('../../doorbell/human.ts'),
  ])
  const waker = createWaker()
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const send: FileWatchPorts['send'] = (now, note) => sendNote(now, note, ports, log)
  return watchFile(watch, {
    bus: ports.bus(),
    waker,
    watchOneFile,
    send,
    log,
    stopped: () => stopped,
    pace: PACE,
  })
}

/**
 * What cannot be sent now, because the recipient has left or the disk is full, is told with the
 * next note.
 */
async function sendNote(
  watch: FileWatch,
  { subject, body }: Note,
  ports: Ports,
  log: (text: string) => void,
): Promise<Message | undefined> {
  const bus = ports.bus()
  try {
    const sessions = readSessions(bus.home)
    const to = nameMeant(bus.home, sessions, watch.notify)
    const from = nameMeant(bus.home, sessions, watch.from)
    requireRecipient(sessions, to, bus.home)
    const { message } = await post(
      { from, to, kind: 'note', subject, body, lineage: noteLineage(bus, watch) },
      ports,
    )
    log(`sent ${message.id}: ${subject}`)
    return message
  } catch (error) {
    if (!isCoded(error)) throw error
    log(`could not send a note: ${error.message}`)
    return undefined
  }
}

/** What can be watched at all; what becomes of it later is told. */
function requireFile(path: string): void {
  const why = troubleWith(path)
  if (why === undefined) return
  throw new CodedError('FILE_UNREADABLE', `cannot watch ${quote(path)}: ${why}`, {
    hint: 'check the path',
  })
}

function troubleWith(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return 'it is not there'
    if (!stat.isFile()) return stat.isDirectory() ? 'it is a directory' : 'it is not a plain file'
    accessSync(path, constants.R_OK)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

function unknown(what: string): CodedError {
  return new CodedError('WATCH_UNKNOWN', `${quote(what)} is not watched`, {
    hint: 'list the watched files with: agent-chat watch-file --list',
  })
}

function logPath({ bus }: Pick<Ports, 'bus'>): string {
  return bus().home.watcherLog('watch-file')
}
