import { existsSync } from 'node:fs'
import { eventsFromEnd, isSent, type SentEvent } from '../../bus/history.ts'
import type { Home } from '../../bus/home.ts'
import { readSessions } from '../../bus/names/registry.ts'
import { machineNames, remoteNames } from '../../chat/remote/recipient.ts'
import { idOfFile } from '../../message/id.ts'
import { HUMAN, NAME_PATTERN } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { verbs } from '../../message/verbs.ts'
import { visibleLine } from '../../message/visible.ts'
import { workerNames } from '../../session/workers.ts'
import { namesIn } from '../../system/files.ts'

/** What is known only when Tab is pressed. */
export const WORD_KINDS = [
  'names',
  'sessions',
  'workers',
  'machines',
  'ids',
  'tasks',
  'verbs',
] as const
export type WordKind = (typeof WORD_KINDS)[number]

/** As many as one looks through, and how far back, so that the history's length costs nothing. */
const MOST_IDS = 50
const MOST_EVENTS = 2000

/**
 * The words of a kind: sessions in the order of their names, the newest messages first, each with a
 * tab and what it is about. None holds a sign that a shell could take for more than a letter.
 */
export function knownWords(home: Home, kind: WordKind): string[] {
  if (kind === 'verbs') return verbs().flatMap((verb) => ('hidden' in verb ? [] : [verb.word]))
  if (kind === 'workers') {
    const defined = namesIn(home.agents).flatMap((file) => /^([a-z].*)\.md$/.exec(file)?.[1] ?? [])
    return [...new Set([...defined, ...workerNames(home)])]
      .filter((name) => NAME_PATTERN.test(name))
      .sort()
  }
  if (kind === 'machines') return machineNames({ home })
  if (kind === 'ids' || kind === 'tasks') return messages(home, kind)
  const more = kind === 'names' ? [HUMAN, ...remoteNames({ home })] : []
  return [...Object.keys(readSessions(home)).sort(), ...more]
}

function messages(home: Home, kind: 'ids' | 'tasks'): string[] {
  const found: string[] = []
  let looked = 0
  for (const event of eventsFromEnd(home)) {
    looked += 1
    if (looked > MOST_EVENTS || found.length === MOST_IDS) break
    if (!isSent(event) || idOfFile(`${event.id}.md`) === undefined) continue
    if (kind === 'tasks' && (event.kind !== 'task' || !existsSync(home.openTask(event.id))))
      continue
    found.push(`${shortId(event.id)}\t${about(event)}`)
  }
  return found
}

function about({ from, to, kind, subject, preview }: SentEvent): string {
  return visibleLine(`@${from} → @${to} ${kind}: ${subject ?? preview}`).slice(0, 80)
}
