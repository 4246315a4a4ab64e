import { existsSync } from 'node:fs'
import { CodedError } from '../../errors.ts'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN, quote } from '../../message/name.ts'
import { apart, isShortId, LEAST, standsFor } from '../../message/shortId.ts'
import { namesIn } from '../../system/files.ts'
import { eventsFromEnd, isSent } from '../history.ts'
import type { Home } from '../home.ts'
import { readMessageFile } from './inbox.ts'
import { unreadIds } from './unread.ts'

/**
 * So many of the newest messages are looked at before the whole archive is listed. A short id is
 * mostly that of one of the last few, and hardly any two of 500 have the same.
 */
const RECENT = 500
const LAST_FEW = 40

/**
 * The one id that `part` stands for: an id, short or long, or at least four signs that only one id
 * has. Looks in the inbox of `name`, at what they have `read` and among the newest messages first,
 * so that an answer costs the same however old the archive is. The human may answer whatever they
 * saw, and is no model that hurries: for them it is the whole archive. Throws `MESSAGE_UNKNOWN` or
 * `ID_AMBIGUOUS`.
 */
export function resolveId(home: Home, part: string, name?: string, read: string[] = []): string {
  const wanted = part.endsWith('.md') ? part.slice(0, -3) : part
  if (idOfFile(`${wanted}.md`) === undefined) throw unknown(part)
  if (
    existsSync(home.message(wanted)) ||
    (name !== undefined && existsSync(home.unread(name, wanted)))
  )
    return wanted
  const own = name === undefined ? [] : [...unreadIds(home, name), ...read]
  const isShort = isShortId(wanted)
  for (const count of isShort && name === HUMAN ? [] : isShort ? [LAST_FEW, RECENT] : [RECENT]) {
    const id = only([...new Set([...own, ...recentIds(home, count)])], wanted, part)
    if (id !== undefined) return id
  }
  const id = only([...new Set([...own, ...listIds(home)])], wanted, part)
  if (id === undefined) throw unknown(part)
  return id
}

/** From the archive, else the inbox of `name`. Throws `MESSAGE_UNKNOWN`, `MESSAGE_UNREADABLE`. */
export function readArchived(home: Home, id: string, name?: string): Message {
  const paths = [
    home.message(id),
    ...(name === undefined ? [] : [home.unread(name, id), home.read(name, id)]),
  ]
  for (const path of paths) {
    const result = readMessageFile(path, `${id}.md`, home)
    if (result === undefined) continue
    if (typeof result !== 'string') return result
    throw new CodedError('MESSAGE_UNREADABLE', `${path} cannot be read as a message: ${result}`, {
      hint: `look at it with: cat ${path}`,
    })
  }
  throw unknown(id)
}

/** Lines about anything else are not even parsed. */
function recentIds(home: Home, count: number): string[] {
  const ids: string[] = []
  for (const event of eventsFromEnd(home, '"event":"sent"')) {
    if (!isSent(event)) continue
    ids.push(event.id)
    if (ids.length === count) break
  }
  return ids
}

function listIds(home: Home): string[] {
  return namesIn(home.messages)
    .map(idOfFile)
    .filter((id) => id !== undefined)
}

function only(ids: string[], wanted: string, part: string): string | undefined {
  const found = ids.filter((id) => standsFor(wanted, id))
  if (found.length < 2) return found[0]
  const told = apart(found).slice(0, 3).join(', ')
  throw new CodedError('ID_AMBIGUOUS', `${quote(part)} matches ${found.length} messages`, {
    hint: `name one of them, for example: ${told}${found.length > 3 ? ', …' : ''}`,
  })
}

function unknown(part: string): CodedError {
  return new CodedError('MESSAGE_UNKNOWN', `no message has the id ${quote(part)}`, {
    hint: `${part.length < LEAST ? `give at least ${LEAST} characters of the id; ` : ''}see the ids with: agent-chat history`,
  })
}
