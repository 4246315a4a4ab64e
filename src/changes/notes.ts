import { dirname } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { isoTime } from '../message/time.ts'
import { changeFile } from '../system/changeFile.ts'
import { making, unless } from '../system/errno.ts'
import { makeDirectory, namesIn, readPlainFile, removeFile } from '../system/files.ts'
import { jsonOf } from '../system/json.ts'
import { isProcessRef, type ProcessRef } from '../system/processes.ts'
import { hashOf } from './hash.ts'
import type { Hunk } from './lines.ts'
import { type Tree, treeOf } from './tree.ts'

/**
 * A change of a file by one call: what was there, what is there now, and the lines above and below,
 * by which it is found again. A line that is none, at an end of the file, is null.
 */
export type NotedHunk = Hunk & { before: string[]; above: string | null; below: string | null }

/** One call's changes of a file. `at`: ISO 8601; `done`: the call is known to have run. */
export type Edited = { call: string; at: string; hunks: NotedHunk[]; done?: true }

/**
 * What a session has changed in a file, in one tree. `file` is its path in the tree; `base` its text
 * before the first change, null where there was no file. `told`: what of its peers' changes it was
 * told, and with which calls, as digests. `read`: when it last read the file while a peer had changed
 * it in the same tree (ISO 8601).
 */
export type Note = {
  file: string
  tree: string
  agent: ProcessRef
  base: string | null
  edits: Edited[]
  told: string[]
  read?: string
}

/** Where a note is: of a session's process, about a file in a tree. */
export type Place = Tree & { file: string; agent: ProcessRef }

/** Where a session notes what it was told of its tree as a whole. */
export function placeOfTree(cwd: string, agent: ProcessRef): Place | undefined {
  const tree = treeOf(cwd)
  return tree && { ...tree, file: '.', agent }
}

/** A change counts for so long, in milliseconds. */
const LIFE_MS = 2 * 60 * 60 * 1000
const MOST_EDITS = 50
const MOST_TOLD = 200
/** No longer file is kept as it was; a note has its lines as well. In bytes. */
export const MAX_TEXT = 1024 * 1024
const MAX_NOTE = 8 * MAX_TEXT

/** The notes of live sessions about a file, that of `self` left out. Those of dead ones are removed. */
export function notesOfOthers(bus: Bus, { common, file, agent: self }: Place): Note[] {
  const folder = bus.home.changesOf(hashOf(common), hashOf(file))
  return namesIn(folder).flatMap((name) => {
    const note = name.startsWith(`${self.pid}-`) ? undefined : readNote(`${folder}/${name}`)
    if (!note) return []
    if (bus.processes.isAlive(note.agent)) return liveNote(bus, note) ?? []
    unless(['EACCES', 'EPERM', 'EROFS'], () => removeFile(`${folder}/${name}`))
    return []
  })
}

/** The notes of live sessions besides `self`, about every file of every repository. */
export function notesOfPeers(bus: Bus, self: ProcessRef): Note[] {
  const { home } = bus
  const folders = namesIn(home.changes).flatMap((repository) =>
    namesIn(home.changesIn(repository)).map((file) => home.changesOf(repository, file)),
  )
  return folders.flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      const isNote = name.endsWith('.json') && !name.startsWith(`${self.pid}-`)
      const note = isNote ? readNote(`${folder}/${name}`) : undefined
      const live = note && bus.processes.isAlive(note.agent) ? liveNote(bus, note) : undefined
      return live && live.edits.length > 0 ? live : []
    }),
  )
}

/** The session's own note; undefined where it has none, or one of a process that had its pid. */
export function ownNote(bus: Bus, place: Place): Note | undefined {
  const note = readNote(pathOf(bus, place))
  return note?.agent.started === place.agent.started ? note : undefined
}

/**
 * Changes the session's own note; `change` is given the changes that still count. Gives the note as
 * it is now.
 */
export function changeNote(bus: Bus, place: Place, change: (before: Note) => Note): Note {
  const path = pathOf(bus, place)
  const empty = {
    file: place.file,
    tree: place.tree,
    agent: place.agent,
    base: null,
    edits: [],
    told: [],
  }
  const work = () =>
    changeFile({ path, lock: `${path}.lock`, processes: bus.processes }, (replace) => {
      const before = ownNote(bus, place)
      const live = before && liveNote(bus, before)
      const next = change(live ?? { ...empty, ...(before && { told: before.told }) })
      const kept = {
        ...next,
        edits: next.edits.slice(-MOST_EDITS),
        told: [...new Set(next.told)].slice(-MOST_TOLD),
      }
      replace(`${JSON.stringify(kept)}\n`)
      return kept
    })
  return making(() => makeDirectory(dirname(path)), work)
}

/** Whether a change, by its time, still counts. */
function counts(bus: Bus, at: string): boolean {
  return bus.clock.now() - Date.parse(at) < LIFE_MS
}

/** A note with the changes that still count; undefined where there is none. */
function liveNote(bus: Bus, note: Note): Note | undefined {
  const edits = note.edits.filter(({ at }) => counts(bus, at))
  if (edits.length === 0)
    return note.read === undefined ? undefined : { ...note, base: null, edits }
  return { ...note, edits }
}

function pathOf({ home }: Bus, { common, file, tree, agent }: Place): string {
  const folder = home.changesOf(hashOf(common), hashOf(file))
  return `${folder}/${agent.pid}-${hashOf(tree)}.json`
}

function readNote(path: string): Note | undefined {
  const bytes = unless(['ENOTDIR'], () => readPlainFile(path, MAX_NOTE))
  const value = Buffer.isBuffer(bytes) ? jsonOf(bytes.toString('utf8')) : undefined
  return isNote(value) ? value : undefined
}

function isNote(value: unknown): value is Note {
  const { file, tree, agent, base, edits, told } = Object(value) as Record<string, unknown>
  return (
    typeof file === 'string' &&
    typeof tree === 'string' &&
    isProcessRef(agent) &&
    (base === null || typeof base === 'string') &&
    Array.isArray(edits) &&
    edits.every(isEdited) &&
    Array.isArray(told)
  )
}

function isEdited(value: unknown): value is Edited {
  const { call, at, hunks } = Object(value) as Record<string, unknown>
  return (
    typeof call === 'string' &&
    !Number.isNaN(Date.parse(String(at))) &&
    Array.isArray(hunks) &&
    hunks.every(isHunk)
  )
}

function isHunk(value: unknown): boolean {
  const { start, end, lines, before } = Object(value) as Record<string, unknown>
  return (
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    Array.isArray(lines) &&
    Array.isArray(before)
  )
}

/** The time of now, as notes have it. */
export function nowOf({ clock }: Pick<Bus, 'clock'>): string {
  return isoTime(clock.now())
}
