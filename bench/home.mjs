import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAgent } from './process.mjs'

/**
 * A home to measure in: where it is, how to run a command in it, and how to have an unread message there.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, addUnread: (name: string) => string, markRead: (name: string, id: string) => void, forgetSends: (name: string) => void, close: () => void }} Home
 */

/** Three sessions: few enough to be a normal day, more than the two that a command looks at. */
const SESSIONS = ['backend', 'frontend', 'reviewer']

/**
 * Makes a home with three sessions, registered by the program itself, and `count` messages that were sent and read long ago. Those are
 * written directly, in the form that the program writes: a hundred thousand sends would take an hour.
 * @param {string} root a directory that does not exist yet
 * @param {number} count
 * @param {{ script: string, env: NodeJS.ProcessEnv }} program
 * @returns {Promise<Home>}
 */
export async function makeHome(root, count, program) {
  const env = { ...program.env, AGENT_CHAT_HOME: root }
  const agents = []
  for (const name of SESSIONS) agents.push(await startAgent(program.script, name, env))
  writeOldMessages(root, count)
  return {
    root,
    env,
    addUnread: (name) => addUnread(root, name),
    markRead: (name, id) => markRead(root, name, id),
    forgetSends: (name) => forgetSends(root, name),
    close: () => {
      for (const agent of agents) agent.kill()
    },
  }
}

/**
 * @param {string} root
 * @param {number} count
 */
function writeOldMessages(root, count) {
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
}

/** @param {number} index */
function oldMessage(index) {
  const from = SESSIONS[index % 3] ?? ''
  const to = SESSIONS[(index + 1) % 3] ?? ''
  const at = new Date(Date.UTC(2026, 0, 1) + index * 61_000)
  return { to, ...messageOf(at, index % 1000, from, to) }
}

/**
 * @param {Date} at
 * @param {number} micros 0 to 999
 * @param {string} from
 * @param {string} to
 */
function messageOf(at, micros, from, to) {
  const time = at.toISOString()
  const stamp = time.slice(0, -1).replaceAll(/[-:]/g, '')
  const id = `${stamp}${String(micros).padStart(3, '0')}Z-from-${from}`
  const body = `GET /tasks?page=${at.getTime()} answers {"items": [...], "next": 2}.\n\nThe field \`next\` is new; it is missing on the last page.`
  const header = {
    id,
    from,
    to,
    timestamp: time,
    kind: 'handover',
    thread: id,
    subject: 'API contract',
    chain: id,
    hops: 0,
  }
  const { timestamp: _, ...event } = header
  const quoted = { ...header, subject: JSON.stringify(header.subject) }
  const lines = Object.entries(quoted).map(([key, value]) => `${key}: ${value}\n`)
  const sent = { at: time, event: 'sent', ...event, bytes: body.length, preview: body }
  const read = { at: time, event: 'read', id, by: to }
  return {
    id,
    text: `---\n${lines.join('')}---\n${body}\n`,
    events: `${JSON.stringify(sent)}\n${JSON.stringify(read)}\n`,
  }
}

/**
 * Lets a session send on: more than 20 messages in ten minutes would be kept back, and a benchmark sends more.
 * @param {string} root
 * @param {string} name
 */
export function forgetSends(root, name) {
  rmSync(join(root, 'gate', `${name}.json`), { force: true })
}

let nextMicro = 0

/**
 * @param {string} root
 * @param {string} name
 */
function addUnread(root, name) {
  nextMicro = (nextMicro + 1) % 1000
  const { id, text } = messageOf(new Date(), nextMicro, 'backend', name)
  const path = join(root, 'messages', `${id}.md`)
  writeFileSync(path, text, { mode: 0o600 })
  linkSync(path, join(root, 'inbox', name, `${id}.md`))
  return id
}

/**
 * @param {string} root
 * @param {string} name
 * @param {string} id
 */
function markRead(root, name, id) {
  mkdirSync(join(root, 'inbox', name, 'read'), { recursive: true })
  renameSync(join(root, 'inbox', name, `${id}.md`), join(root, 'inbox', name, 'read', `${id}.md`))
}
