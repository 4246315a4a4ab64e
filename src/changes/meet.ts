import { readFileSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import type { Session, Sessions } from '../bus/names/registry.ts'
import { unless } from '../system/errno.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import { type Call, comparable, editsOf } from './edit.ts'
import { hashOf } from './hash.ts'
import { type Hunk, hunksOf, linesOf } from './lines.ts'
import {
  changeNote,
  type Edited,
  MAX_TEXT,
  type Note,
  notesOfOthers,
  nowOf,
  ownNote,
  type Place,
} from './notes.ts'
import { agentOf, sharedAt } from './peers.ts'
import { refusalText, type Told } from './refusal.ts'
import { inAnotherTree, inThisTree, type Theirs, type Writing } from './theirs.ts'
import { realFile } from './tree.ts'

/** A call that is about to run, and whose it is. `id`: the call's own; `cwd`: where it is made. */
export type Asked = {
  bus: Bus
  name: string
  agent: ProcessRef
  sessions: Sessions
  call: Call
  id: string
  cwd: string | undefined
  env: NodeJS.ProcessEnv
}

/**
 * `refusal`: what the agent is told instead of its write; undefined where nothing stands against it.
 * Then the change is noted, and `takeBack` takes the note away: the call was not let through.
 */
export type Meeting = { refusal: string | undefined; takeBack: () => void }

/** A file that a call is about to change: where, its text, and the changes of its lines. */
type Target = Writing & { place: Place; text: string | undefined; hunks: Hunk[] }

/** So many lines above and below tell a change from the like of it elsewhere. */
const AROUND = 3

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']

/**
 * Notes what a call is about to change, and looks whether it meets a change of a peer's that its own
 * tree does not have. It is noted first: of two that write at once, one sees the other.
 */
export function meetingOf(asked: Asked): Meeting {
  const targets = targetsOf(asked)
  for (const target of targets) noteEdit(asked, target)
  const takeBack = () => {
    for (const { place } of targets)
      changeNote(asked.bus, place, (note) => ({ ...note, edits: without(note.edits, asked.id) }))
  }
  const call = () => hashOf(JSON.stringify([asked.call.name, asked.call.input]))
  // The same change in other words is the same.
  const keysOf = (target: Target) => [call(), hashOf(JSON.stringify(wordsOf(target)))]
  const told = targets.flatMap((target) => toldOf(asked, target, keysOf))
  if (told.length === 0) return { refusal: undefined, takeBack }
  const changes = told.map(({ note, theirs }) => keyOf(note, theirs))
  for (const target of targets)
    changeNote(asked.bus, target.place, (note) => ({
      ...note,
      edits: without(note.edits, asked.id),
      told: [...note.told, ...keysOf(target), ...changes],
    }))
  return { refusal: refusalText(told, asked.bus.clock.now()), takeBack: () => {} }
}

function targetsOf({ call, cwd, name, sessions, bus, agent }: Asked): Target[] {
  return editsOf(call).flatMap(({ path, after }) => {
    if (cwd === undefined && !path.startsWith('/')) return []
    const real = realFile(resolve(cwd ?? '/', path))
    const shared = sharedAt(real, name, sessions, bus)
    const file = shared && relative(shared.tree, real)
    if (!file || /^\.\.?(\/|$)|^\.git\//.test(file)) return []
    const text = textOf(real)
    const now = text === null ? undefined : after(text)
    if (text === null || now === undefined || now.length > MAX_TEXT) return []
    const before = linesOf(comparable(file, text ?? ''))
    const lines = linesOf(comparable(file, now))
    const hunks = hunksOf(before, lines)
    const place = { tree: shared.tree, common: shared.common, file, agent }
    return hunks.length === 0 ? [] : { place, text, before, after: lines, hunks }
  })
}

/** A file's text; undefined where there is none, null where it is not one that can be compared. */
export function textOf(path: string): string | undefined | null {
  const is = unless(UNREADABLE, () => statSync(path, { throwIfNoEntry: false }) ?? null)
  if (is === null) return undefined
  if (!is?.isFile() || is.size > MAX_TEXT) return null
  const text = unless(UNREADABLE, () => readFileSync(path, 'utf8'))
  return text === undefined || text.includes('\0') ? null : text
}

function noteEdit({ bus, id }: Asked, { place, text, before, hunks }: Target): void {
  const edited: Edited = {
    call: id,
    at: nowOf(bus),
    hunks: hunks.map((hunk) => ({
      ...hunk,
      before: before.slice(hunk.start, hunk.end),
      above: before[hunk.start - 1] ?? null,
      below: before[hunk.end] ?? null,
    })),
  }
  changeNote(bus, place, (note) => ({
    ...note,
    base: note.edits.length === 0 ? (text ?? null) : note.base,
    edits: [...without(note.edits, id), edited],
  }))
}

function without(edits: Edited[], id: string): Edited[] {
  return edits.filter(({ call }) => call !== id)
}

/** What the call meets and its session was not told of. What its tree has already, it knows. */
function toldOf(asked: Asked, target: Target, keysOf: (target: Target) => string[]): Told[] {
  const { bus } = asked
  const { place } = target
  const notes = notesOfOthers(bus, place)
  const own = notes.length === 0 ? undefined : ownNote(bus, place)
  if (!own || keysOf(target).some((key) => own.told.includes(key))) return []
  const now = bus.clock.now()
  const all = notes.flatMap((note) => {
    const there = note.tree === place.tree
    const theirs = there
      ? inThisTree(note, target, own.read, now)
      : inAnotherTree(note, target, now)
    const who = sessionOf(note, asked)
    return who ? theirs.map((one) => ({ note, theirs: one, who, there })) : []
  })
  const fresh = all.filter(({ note, theirs }) => !own.told.includes(keyOf(note, theirs)))
  const known = fresh.filter(({ theirs }) => theirs.known)
  if (known.length > 0)
    changeNote(bus, place, (note) => ({
      ...note,
      told: [...note.told, ...known.map(({ note: their, theirs }) => keyOf(their, theirs))],
    }))
  return fresh.filter(({ theirs }) => theirs.met && !theirs.known)
}

function wordsOf({ hunks, before }: Target): unknown {
  return hunks.map(({ start, end, lines }) => [
    before.slice(Math.max(0, start - AROUND), end + AROUND),
    lines,
  ])
}

/** The name of the session whose note it is; undefined for one that has left. */
export function sessionOf(
  { agent }: Note,
  { sessions, bus }: Pick<Asked, 'sessions' | 'bus'>,
): string | undefined {
  const isIts = (one: Session) => sameProcess(agentOf(bus, one), agent)
  return Object.values(sessions).find(isIts)?.name
}

function keyOf({ agent }: Note, { hunk, from, first }: Theirs): string {
  const { start, end, lines } = hunk
  return hashOf(JSON.stringify([agent, first + start, from.slice(start, end), lines]))
}
