import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { messageOf, SESSIONS, writeOldMessages } from './archive.mjs'
import { beIn, keeper } from './homeState.mjs'
import { startAgent } from './process.mjs'

/**
 * A home to measure in: where it is, how to run a command in it, the id of its long conversation, the processes of its agents, and how to put back
 * what a command did.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, longThread: string, pidOf: (name: string) => number, addUnread: (name: string) => string, markUnread: (name: string, id: string) => void, unsend: () => void, reopen: (task: string) => void, beIn: (name: string, turn: import('./homeState.mjs').Turn) => void, forgetTurn: (name: string) => void, keeper: (name: string) => () => void, pause: () => void, unpause: () => void, close: () => void }} Home
 */

/**
 * Makes a home with three sessions, registered by the program itself, and `count` messages that were sent and read long ago.
 * @param {string} root a directory that does not exist yet
 * @param {number} count
 * @param {{ script: string, env: NodeJS.ProcessEnv }} program
 * @returns {Promise<Home>}
 */
export async function makeHome(root, count, program) {
  const env = { ...program.env, AGENT_CHAT_HOME: root }
  /** @type {Record<string, import('node:child_process').ChildProcess>} */
  const agents = {}
  for (const name of SESSIONS) agents[name] = await startAgent(program.script, name, env)
  const paused = join(root, 'paused')
  return {
    root,
    env,
    longThread: writeOldMessages(root, count),
    pidOf: (name) => agents[name]?.pid ?? 0,
    addUnread: (name) => addUnread(root, name),
    markUnread: (name, id) => markUnread(root, name, id),
    unsend: () => unsend(root),
    // What ends a task strikes it off the open ones.
    reopen: (task) => writeFileSync(join(root, 'tasks', 'open', task), '', { mode: 0o600 }),
    beIn: (name, turn) => beIn(root, name, turn),
    forgetTurn: (name) => rmSync(join(root, 'state', `${name}.json`)),
    keeper: (name) => keeper(root, name),
    pause: () => writeFileSync(paused, '', { mode: 0o600 }),
    unpause: () => rmSync(paused, { force: true }),
    close: () => {
      for (const agent of Object.values(agents)) agent.kill()
    },
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

/**
 * The id and the recipient of the message that was sent last, as the end of the history says.
 * @param {string} root
 */
export function lastSent(root) {
  const fd = openSync(join(root, 'history.log'), 'r')
  try {
    const { size } = fstatSync(fd)
    const end = Buffer.alloc(Math.min(size, 16_384))
    readSync(fd, end, 0, end.length, size - end.length)
    const lines = end.toString('utf8').trimEnd().split('\n')
    const line = lines.findLast((one) => one.includes('"event":"sent"'))
    if (line === undefined) throw new Error(`nothing was sent: ${lines.at(-1)}`)
    const { id, to } = JSON.parse(line)
    return { id: String(id), to: String(to) }
  } finally {
    closeSync(fd)
  }
}

let nextMicro = 0

/**
 * @param {string} root
 * @param {string} name
 */
function addUnread(root, name) {
  nextMicro = (nextMicro + 1) % 1000
  const { id, text } = messageOf({ at: new Date(), micros: nextMicro, from: 'backend', to: name })
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
function markUnread(root, name, id) {
  mkdirSync(join(root, 'inbox', name, 'read'), { recursive: true })
  renameSync(join(root, 'inbox', name, 'read', `${id}.md`), join(root, 'inbox', name, `${id}.md`))
}

/**
 * Takes back a message that a command has just sent, and what stands of it in indexes, marks and counts. The history keeps its lines.
 * @param {string} root
 */
function unsend(root) {
  const { id, to } = lastSent(root)
  const path = join(root, 'messages', `${id}.md`)
  const text = readFileSync(path, 'utf8')
  const [, thread = ''] = /^thread: (\S+)$/m.exec(text) ?? []
  const [, from = ''] = /^from: (\S+)$/m.exec(text) ?? []
  const [, decision] = /^escalation: "?(\d+)"?$/m.exec(text) ?? []
  if (thread !== id) dropLine(join(root, 'threads', thread), id)
  if (/^kind: task$/m.test(text)) dropLine(join(root, 'tasks', 'all'), id)
  rmSync(join(root, 'tasks', 'open', id), { force: true })
  rmSync(join(root, 'held', to, `${id}.json`), { force: true })
  if (decision !== undefined) rmSync(join(root, 'escalations', decision))
  rmSync(join(root, 'inbox', to, `${id}.md`))
  rmSync(path)
  forgetSends(root, from)
}

/**
 * @param {string} path
 * @param {string} line
 */
function dropLine(path, line) {
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, lines.filter((one) => one !== line).join('\n'))
}
