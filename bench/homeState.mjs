import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runOnce } from './process.mjs'

/** Whose word the turn is in which an agent is, or `idle` between two turns. @typedef {'human' | 'doorbell' | 'idle'} Turn */

/**
 * Puts a session into a turn as its hooks would: in one that a doorbell began, what it sends and does is judged as its own word, not its user's.
 * @param {string} root
 * @param {string} name
 * @param {Turn} began
 */
export function beIn(root, name, began) {
  const at = new Date().toISOString()
  const { agent } = JSON.parse(readFileSync(join(root, 'sessions.json'), 'utf8'))[name]
  const cause = began === 'idle' ? 'human' : began
  const turn = { id: 'turn-1', began: cause, at, opened: null, chain: null, work: 0, asked: [] }
  const known = {
    since: at,
    session_id: null,
    agent,
    native: true,
    vim: false,
    gate: 'enforce',
    turn,
  }
  const state = { activity: began === 'idle' ? 'idle' : 'busy', ...known }
  writeFileSync(join(root, 'state', `${name}.json`), JSON.stringify(state), { mode: 0o600 })
}

/**
 * Gives what makes this process the agent of a session, as it is for the hooks that an agent starts itself. Nothing else that is run from here may see it
 * so: it would be that session's.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 * @param {string} name
 * @returns {() => void}
 */
export function agentHere({ root, env }, script, name) {
  const own = join(root, 'own')
  runOnce([script, 'join', name], {
    env: { ...env, AGENT_CHAT_HOME: own, CLAUDE_PID: String(process.pid) },
  })
  const { agent } = JSON.parse(readFileSync(join(own, 'sessions.json'), 'utf8'))[name]
  rmSync(own, { recursive: true })
  const path = join(root, 'sessions.json')
  return () => {
    const sessions = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...sessions, [name]: { ...sessions[name], agent } }), {
      mode: 0o600,
    })
  }
}

/**
 * Keeps what is known of a session, and of who is registered, as it is now; gives what puts it back.
 * @param {string} root
 * @param {string} name
 */
export function keeper(root, name) {
  const files = [
    'sessions.json',
    'names.json',
    `state/${name}.json`,
    `state/${name}.rings.json`,
    `gate/${name}.json`,
  ]
  const kept = files.map((file) => ({ path: join(root, file), text: textOf(join(root, file)) }))
  return () => {
    for (const { path, text } of kept) {
      if (text === undefined) rmSync(path, { force: true })
      else if (textOf(path) !== text) writeFileSync(path, text, { mode: 0o600 })
    }
  }
}

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
