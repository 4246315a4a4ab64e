import { relative, resolve } from 'node:path'
import { editsOf } from './edit.ts'
import { hashOf } from './hash.ts'
import type { Asked } from './meet.ts'
import { changeNote, notesOfOthers, nowOf, ownNote, type Place, placeOfTree } from './notes.ts'
import { sharedAt } from './peers.ts'
import { realFile } from './tree.ts'

/** A write that was let through has run; one that failed is no change. */
export function noteRan(asked: Asked, failed: boolean): void {
  for (const { path } of editsOf(asked.call)) {
    const place = placeOf(asked, path)
    if (!place || !ownNote(asked.bus, place)?.edits.some(({ call }) => call === asked.id)) continue
    changeNote(asked.bus, place, (note) => ({
      ...note,
      edits: note.edits.flatMap((edit) => {
        if (edit.call !== asked.id) return edit
        return failed ? [] : { ...edit, done: true as const }
      }),
    }))
  }
}

/** The session has read a file: it knows what its peers have changed there, in the same tree. */
export function noteRead(asked: Asked): void {
  const path = asked.call.input.file_path
  const place = typeof path === 'string' ? placeOf(asked, path) : undefined
  if (!place || !notesOfOthers(asked.bus, place).some(({ tree }) => tree === place.tree)) return
  changeNote(asked.bus, place, (note) => ({ ...note, read: nowOf(asked.bus) }))
}

/** A command has run: what it would take away later is told of anew. */
export function noteSwept({ bus, call: { input }, cwd, agent }: Asked): void {
  const key = hashOf(String(input.command))
  const place = cwd === undefined ? undefined : placeOfTree(cwd, agent)
  if (!place || !ownNote(bus, place)?.told.some((one) => one.startsWith(key))) return
  changeNote(bus, place, (note) => ({
    ...note,
    told: note.told.filter((one) => !one.startsWith(key)),
  }))
}

function placeOf({ cwd, name, sessions, bus, agent }: Asked, path: string): Place | undefined {
  if (cwd === undefined && !path.startsWith('/')) return undefined
  const real = realFile(resolve(cwd ?? '/', path))
  const shared = sharedAt(real, name, sessions, bus)
  return (
    shared && {
      ...{ tree: shared.tree, common: shared.common },
      ...{ file: relative(shared.tree, real), agent },
    }
  )
}
