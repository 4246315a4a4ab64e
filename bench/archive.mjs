import { appendFileSync, linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Three sessions: few enough to be a normal day, more than the two that a command looks at. */
export const SESSIONS = ['backend', 'frontend', 'reviewer']

/** How long the first conversation of an archive is, and the others. Of those, one in twenty is about a task, which was done. */
export const LONG_THREAD = 50
const THREAD = 5
const TASK_EVERY = 20

const FIRST_AT = Date.UTC(2026, 0, 1)

/**
 * Writes `count` messages that were sent and read long ago, in the form that the program writes: a hundred thousand sends would take an
 * hour. Their indexes are left to the program, which makes them from the history.
 * @param {string} root
 * @param {number} count
 * @returns {string} the id of the message that began the conversation of fifty
 */
export function writeOldMessages(root, count) {
  let events = ''
  for (let index = 0; index < count; index += 1) {
    const message = oldMessage(index)
    const path = join(root, 'messages', `${message.id}.md`)
    writeFileSync(path, message.text, { mode: 0o600 })
    linkSync(path, join(root, 'inbox', message.to, 'read', `${message.id}.md`))
    events += message.events
    if (events.length < 1_000_000 && index < count - 1) continue
    appendFileSync(join(root, 'history.log'), events, { mode: 0o600 })
    events = ''
  }
  return oldMessage(0).id
}

/**
 * A message from one session to another: its file, and its lines of the history. Without `root` it begins a conversation.
 * @param {{ at: Date, micros: number, from: string, to: string, kind?: string, root?: string | undefined }} what `micros` from 0 to 999
 */
export function messageOf({ at, micros, from, to, kind = 'handover', root }) {
  const time = at.toISOString()
  const id = idOf(at, micros, from)
  const body = `GET /tasks?page=${at.getTime()} answers {"items": [...], "next": 2}.\n\nThe field \`next\` is new; it is missing on the last page.`
  const answers = root === undefined ? {} : { in_reply_to: root }
  const first = { id, from, to }
  const more = { kind, thread: root ?? id, ...answers, subject: 'API contract', chain: id, hops: 0 }
  const quoted = { ...first, timestamp: time, ...more, subject: JSON.stringify(more.subject) }
  const lines = Object.entries(quoted).map(([key, value]) => `${key}: ${value}\n`)
  const sent = { at: time, event: 'sent', ...first, ...more, bytes: body.length, preview: body }
  const read = { at: time, event: 'read', id, by: to }
  return {
    id,
    to,
    text: `---\n${lines.join('')}---\n${body}\n`,
    events: `${JSON.stringify(sent)}\n${JSON.stringify(read)}\n`,
  }
}

/** @param {number} index */
function oldMessage(index) {
  const rest = index - LONG_THREAD
  const thread = rest < 0 ? 0 : 1 + Math.floor(rest / THREAD)
  const place = rest < 0 ? index : rest % THREAD
  const task = thread > 0 && thread % TASK_EVERY === 0
  const pair = [SESSIONS[thread % 3] ?? '', SESSIONS[(thread + 1) % 3] ?? '']
  const [from = '', to = ''] = place % 2 === 0 ? pair : pair.toReversed()
  const kind = place === 0 ? (task ? 'task' : 'handover') : task && place === 3 ? 'result' : 'reply'
  const root =
    place === 0 ? undefined : idOf(timeOf(index - place), (index - place) % 1000, pair[0] ?? '')
  return messageOf({ at: timeOf(index), micros: index % 1000, from, to, kind, root })
}

/** @param {number} index */
function timeOf(index) {
  return new Date(FIRST_AT + index * 61_000)
}

/**
 * @param {Date} at
 * @param {number} micros
 * @param {string} from
 */
function idOf(at, micros, from) {
  const stamp = at.toISOString().slice(0, -1).replaceAll(/[-:]/g, '')
  return `${stamp}${String(micros).padStart(3, '0')}Z-from-${from}`
}
