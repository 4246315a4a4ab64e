import { resolve } from 'node:path'
import { visibleLine } from '../message/visible.ts'
import type { Sweep } from '../trust/shell/gitSweeps.ts'
import { sweepsIn } from '../trust/shell/sweeps.ts'
import { comparable } from './edit.ts'
import { hashOf } from './hash.ts'
import { linesOf } from './lines.ts'
import { type Asked, sessionOf, textOf } from './meet.ts'
import { changeNote, type Note, notesOfPeers, ownNote, placeOfTree } from './notes.ts'
import { reachesOf, startOf } from './reach.ts'
import { ago } from './refusal.ts'
import { inThisTree } from './theirs.ts'
import { treeOf } from './tree.ts'
import { uncommittedIn } from './uncommitted.ts'

/** So many files are named. */
const MOST_FILES = 20
/** So many losses tell a command that was told of from another: a note keeps no more. */
const MOST_KEYS = 100

/** Changes of a peer's in a file that a command would take out of its tree. */
type Loss = { sweep: Sweep; note: Note; who: string }

/**
 * What the agent is told instead of a command that takes changes of other sessions out of the tree
 * in which they are; undefined where there is none, and where it was told of them before the same
 * command.
 */
export function sweptBy(asked: Asked): string | undefined {
  const { command } = asked.call.input
  if (typeof command !== 'string' || asked.cwd === undefined) return undefined
  const sweeps = sweepsIn(command)
  const notes = sweeps.length === 0 ? [] : notesOfPeers(asked.bus, asked.agent)
  const all = sweeps.flatMap((sweep) => lossesBy(asked, sweep, notes))
  // A file that two commands of one line would take is named once.
  const losses = [
    ...new Map(uncommitted(all, asked.env).map((loss) => [keyOf('', loss), loss])).values(),
  ]
  const place = placeOfTree(asked.cwd, asked.agent)
  const keys = losses.map((loss) => keyOf(command, loss)).sort()
  keys.splice(MOST_KEYS)
  const told = place && ownNote(asked.bus, place)?.told
  if (!place || keys.every((key) => told?.includes(key))) return undefined
  changeNote(asked.bus, place, (note) => ({ ...note, told: [...note.told, ...keys] }))
  return textFor(losses, asked.bus.clock.now())
}

function keyOf(command: string, { note: { agent, tree, file } }: Loss): string {
  return hashOf(command) + hashOf(JSON.stringify([agent, tree, file]))
}

function lossesBy(asked: Asked, sweep: Sweep, notes: readonly Note[]): Loss[] {
  const found = new Map<string, Loss>()
  for (const directory of sweep.directories) {
    const from = startOf(directory, asked.cwd ?? '/')
    const isIn = reachesFrom(sweep, from)
    for (const note of notes) {
      const path = `${note.tree}/${note.file}`
      const who = isIn(note, path) && isThere(note, asked) ? sessionOf(note, asked) : undefined
      if (who) found.set(`${who} ${path}`, { sweep, note, who })
    }
  }
  return [...found.values()]
}

/** Whether a file is one that a command reaches from a directory: by its paths, or in the tree there. */
function reachesFrom(sweep: Sweep, from: string): (note: Note, path: string) => boolean {
  const reaches = reachesOf(sweep, from)
  const whole = reaches === 'all' ? treeOf(from)?.tree : undefined
  const texts = sweep.patches?.map((patch) => textOf(resolve(from, patch)))
  const isNamed = (file: string) =>
    texts === undefined || texts.some((text) => typeof text !== 'string' || text.includes(file))
  return ({ tree, file }, path) =>
    isNamed(file) && (reaches === 'all' ? tree === whole : reaches.some(({ holds }) => holds(path)))
}

/** Whether a change of a note is in its file now; of a file that cannot be read, it is. */
function isThere(note: Note, { bus }: Asked): boolean {
  const text = textOf(`${note.tree}/${note.file}`)
  if (text === null) return true
  const lines = linesOf(comparable(note.file, text ?? ''))
  const writing = { before: lines, after: lines }
  return inThisTree(note, writing, undefined, bus.clock.now()).length > 0
}

/** Those that are not committed, in a way that the command takes away. */
function uncommitted(losses: Loss[], env: NodeJS.ProcessEnv): Loss[] {
  const trees = [...new Set(losses.map(({ note }) => note.tree))]
  return trees.flatMap((tree) => {
    const there = losses.filter(({ note }) => note.tree === tree)
    const kindsOf = uncommittedIn(tree, [...new Set(there.map(({ note }) => note.file))], env)
    return there.filter(({ note, sweep }) =>
      kindsOf(note.file).some((kind) => sweep.kinds.includes(kind)),
    )
  })
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
