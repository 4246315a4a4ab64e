import { resolve } from 'node:path'
import { visibleLine } from '../message/visible.ts'
import { type Sweep, sweepsIn } from '../trust/shell/sweeps.ts'
import { comparable } from './edit.ts'
import { hashOf } from './hash.ts'
import { linesOf } from './lines.ts'
import { type Asked, nameOf, textOf } from './meet.ts'
import { changeNote, type Note, notesOfPeers, ownNote, type Place } from './notes.ts'
import { sharedAt } from './peers.ts'
import { ago } from './refusal.ts'
import { inThisTree } from './theirs.ts'
import { realFile } from './tree.ts'

/** So many files are named. */
const MOST_FILES = 20

/** A change of a peer's that a command would take out of its tree. */
type Loss = { sweep: Sweep; note: Note; place: Place; who: string }

/**
 * What the agent is told instead of a command that takes changes of other sessions out of the tree
 * in which they are; undefined where there is none, and for a command that it was told of before.
 */
export function sweptBy(asked: Asked): string | undefined {
  const { command } = asked.call.input
  if (typeof command !== 'string' || asked.cwd === undefined) return undefined
  const losses = sweepsIn(command).flatMap((sweep) => lossesBy(asked, sweep))
  const key = hashOf(JSON.stringify([asked.call.name, command]))
  const isTold = ({ place }: Loss) => ownNote(asked.bus, place)?.told.includes(key)
  if (losses.length === 0 || losses.some(isTold)) return undefined
  for (const { place } of losses)
    changeNote(asked.bus, place, (note) => ({ ...note, told: [...note.told, key] }))
  return textFor(losses, asked.bus.clock.now())
}

function lossesBy(asked: Asked, sweep: Sweep): Loss[] {
  const { bus, cwd = '/', name, sessions, agent } = asked
  const found = new Map<string, Loss>()
  for (const directory of sweep.directories) {
    const from = realFile(resolve(cwd, directory))
    const paths = sweep.paths === 'all' ? undefined : sweep.paths
    const tops = paths?.map((path) => realFile(resolve(from, path)))
    for (const place of tops ?? [from]) {
      const shared = sharedAt(place, name, sessions, bus) ?? sharedAt(from, name, sessions, bus)
      if (!shared) continue
      for (const note of notesOfPeers(bus, shared, agent)) {
        const path = `${note.tree}/${note.file}`
        const isIn = tops ? tops.some((top) => isBelow(path, top)) : note.tree === shared.tree
        const own = { tree: note.tree, common: shared.common, file: note.file, agent }
        const who = nameOf(note, asked)
        if (isIn && isLost(note, sweep, asked))
          found.set(`${who} ${path}`, { sweep, note, place: own, who })
      }
    }
  }
  return [...found.values()]
}

function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(top === '/' ? top : `${top}/`)
}

/** Whether a change is in its file now, and this command would take it out. */
function isLost(note: Note, { what }: Sweep, { bus }: Asked): boolean {
  if (what === 'untracked' && note.base !== null) return false
  const text = textOf(`${note.tree}/${note.file}`)
  if (typeof text !== 'string') return false
  const lines = linesOf(comparable(note.file, text))
  const writing = { before: lines, after: lines }
  return inThisTree(note, writing, undefined, bus.clock.now()).length > 0
}

function textFor(losses: readonly Loss[], now: number): string {
  const [first] = losses
  if (!first) return ''
  const lines = losses.slice(0, MOST_FILES).map(({ note, who }) => {
    const last = Math.max(...note.edits.map(({ at }) => Date.parse(at)))
    return `  ${visibleLine(note.file)} (@${who}, ${ago(now - last)})`
  })
  const more = losses.length - lines.length
  return [
    `agent-chat: \`${visibleLine(first.sweep.text)}\` takes away what other sessions changed in ${visibleLine(first.note.tree)}. Nothing was run.`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
    `Name your own files instead, or ask: agent-chat ask @${first.who} "I want to undo changes in our tree: have you committed yours?"`,
    'Then run it. The same call again is let through.',
  ].join('\n')
}
