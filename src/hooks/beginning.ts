import type { Bus } from '../bus/bus.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { readOwnHeader } from '../message/header.ts'
import { senderOfId } from '../message/id.ts'
import { visibleLine } from '../message/visible.ts'
import { readPlainFile } from '../system/files.ts'

/** More of a message than this is not looked at, and more than this of it is not shown. */
const MAX_BYTES = 256 * 1024
const MAX_SIGNS = 60

/**
 * One line for the human as a message begins a turn: who, what about, and what that means.
 * `senders`: as `@a, @b`.
 */
export function beginning(bus: Bus, name: string, senders: string, isOwn: boolean): string {
  const names = senders.split(', ').map((sender) => sender.slice(1))
  const ids = unreadIds(bus.home, name).filter((id) => names.includes(senderOfId(id) ?? ''))
  const [id, ...more] = ids
  const about = id === undefined || more.length > 0 ? '' : aboutOf(bus.home.unread(name, id))
  const count = ids.length > 1 ? `${ids.length} messages` : 'message'
  const who = isOwn ? `your ${count}` : `${count} from ${senders}`
  // The host's dialog for an edit shows no reason.
  const then = isOwn
    ? 'this turn is yours'
    : 'changes will ask you first; a yes to an edit covers edits inside the project'
  return `agent-chat: ${[who, ...(about === '' ? [] : [`"${about}"`]), then].join(' · ')}`
}

/** What a message is about: its subject, or how it begins. */
function aboutOf(path: string): string {
  const bytes = readPlainFile(path, MAX_BYTES)
  const header = Buffer.isBuffer(bytes) ? readOwnHeader(bytes.toString('utf8')) : undefined
  const { subject } = header?.data ?? {}
  const text = typeof subject === 'string' ? subject : (header?.content.trim().split('\n')[0] ?? '')
  const line = visibleLine(text.slice(0, 4 * MAX_SIGNS)).trim()
  return line.length <= MAX_SIGNS ? line : `${line.slice(0, MAX_SIGNS - 1)}…`
}
