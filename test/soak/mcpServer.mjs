import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const MAIN = join(import.meta.dirname, '../../dist/main.js')
export const PAGE = join(import.meta.dirname, '../../docs/evidence/mcp.md')

/** A user's home with a home of messages in it, which has two sessions. @typedef {{ root: string, home: string }} Place */

/** @returns {Place} */
export function makePlace() {
  const root = mkdtempSync(join(tmpdir(), 'agent-chat-mcp-'))
  const home = join(root, 'home')
  mkdirSync(home)
  const sessions = ['alice', 'bob'].map((name) => [
    name,
    { name, pane: null, joined_at: new Date().toISOString() },
  ])
  writeFileSync(join(home, 'sessions.json'), JSON.stringify(Object.fromEntries(sessions)))
  return { root, home }
}

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'soak', version: '1' },
}

/** The server of a session, as a host starts it. @param {Place} place @param {string} name */
export function startServer({ root, home }, name) {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    AGENT_CHAT_HOME: home,
    AGENT_CHAT_NAME: name,
    AGENT_CHAT_NOTIFY: 'off',
  }
  const child = spawn(process.execPath, [MAIN, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line)
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  let id = 0
  /** @param {string} method @param {object} [params] */
  const ask = (method, params = {}) =>
    new Promise((/** @type {(answer: any) => void} */ resolve) => {
      id += 1
      waiting.set(id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  return {
    hello: () => ask('initialize', HELLO),
    ask,
    /** Gives the data of the answer. @param {string} tool @param {object} [given] */
    call: async (tool, given = {}) => {
      const _meta = { 'claudecode/toolUseId': `toolu_${name}_${id}` }
      return (await ask('tools/call', { name: tool, arguments: given, _meta })).result
        .structuredContent
    },
    memory: () => privateMb(child.pid ?? 0),
    end: () => {
      child.stdin.end()
      return new Promise((resolve) => child.on('close', resolve))
    },
  }
}

/** What a process alone holds, in MB. Linux alone tells. @param {number} pid */
function privateMb(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kb = (/** @type {string} */ key) =>
    Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return (kb('Private_Clean') + kb('Private_Dirty')) / 1024
}

/** The value below which a share of them lies. @param {number[]} all */
export const middle = (all, part = 0.5) =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length * part)] ?? 0
