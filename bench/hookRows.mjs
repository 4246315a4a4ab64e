import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgetSends } from './home.mjs'
import { agentHere } from './homeState.mjs'

/**
 * A conversation as Claude Code names it to its hooks, with its record, which says that its user typed the prompts.
 * @param {string} directory
 */
function conversationIn(directory) {
  const transcript_path = join(directory, 'record.jsonl')
  const lines = ['turn-1', 'turn-2'].map((promptId) =>
    JSON.stringify({
      ...{ type: 'user', promptId, turnOrigin: 'human', version: '2.1.329' },
      message: { role: 'user', content: 'Go on, please.' },
    }),
  )
  writeFileSync(transcript_path, `${lines.join('\n')}\n`)
  const session_id = '0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9'
  return { session_id, transcript_path, cwd: process.cwd() }
}

/** The session whose hooks are measured. Nothing is unread for it. */
const NAME = 'backend'

/**
 * Every hook, as Claude Code runs it: in the session of an agent, and in a Claude Code that is no session of ours, where a hook only finds that out.
 * @param {import('./home.mjs').Home} home
 * @param {{ script: string, hook: string }} program
 * @returns {import('./rows.mjs').Row[]}
 */
export function hookRows(home, { script, hook }) {
  const stranger = { ...home.env, CLAUDE_PID: String(process.pid) }
  const session = { ...stranger, AGENT_CHAT_NAME: NAME }
  const after = home.keeper(NAME)
  const beAgent = agentHere(home, script, NAME)
  const conversation = conversationIn(home.root)
  return [...hooksOf(home), ...editsOf(home)].flatMap(
    ({ name, word, payload, turn, says, asked, beside }) => {
      const row = { argv: [hook, word], input: JSON.stringify({ ...conversation, ...payload }) }
      const said = says === undefined ? { silent: true } : { expect: says }
      const before = () => {
        beAgent()
        home.beIn(NAME, turn ?? 'idle')
        if (!asked) forgetSends(home.root, NAME)
        if (beside) workIn(home.root, beside)
      }
      return [
        { ...row, ...said, name: `hook ${name}`, env: session, before, after },
        ...(name === word
          ? [{ ...row, silent: true, name: `hook ${name}, no participant`, env: stranger }]
          : []),
      ]
    },
  )
}

/**
 * The hooks in what happens most: a prompt of the user's, a command that changes something, a turn's end. `turn`: the one that the agent is in; a hook
 * that `says` nothing is silent; `asked`, it has asked its user for a decision; `beside`: where another session works as well.
 * @typedef {{ name: string, word: string, payload: Record<string, unknown>, turn?: 'human' | 'doorbell', says?: string, asked?: boolean, beside?: string }} Hook
 */

/**
 * @param {import('./home.mjs').Home} home
 * @returns {Hook[]}
 */
function hooksOf(home) {
  const bash = { tool_name: 'Bash', tool_use_id: 'call-1', prompt_id: 'turn-1' }
  const tests = { ...bash, tool_input: { command: 'npm test' } }
  const rung = join(home.root, 'bells', NAME, 'ring')
  return [
    {
      name: 'user-prompt-submit',
      word: 'user-prompt-submit',
      payload: { prompt: 'Go on, please.', prompt_id: 'turn-2' },
    },
    {
      name: 'user-prompt-submit, a decision open',
      word: 'user-prompt-submit',
      payload: { prompt: 'Go on, please.', prompt_id: 'turn-2' },
      asked: true,
    },
    { name: 'pre-tool-use', word: 'pre-tool-use', payload: tests, turn: 'human' },
    {
      name: 'pre-tool-use, rung',
      word: 'pre-tool-use',
      payload: { ...bash, tool_input: { command: 'git status' } },
      turn: 'doorbell',
    },
    { name: 'post-tool-use', word: 'post-tool-use', payload: tests, turn: 'human' },
    { name: 'post-tool-use, rung', word: 'post-tool-use', payload: tests, turn: 'doorbell' },
    { name: 'stop', word: 'stop', payload: {}, turn: 'human' },
    { name: 'stop-ring', word: 'stop-ring', payload: {} },
    {
      name: 'notification',
      word: 'notification',
      payload: { notification_type: 'idle_prompt' },
      turn: 'human',
    },
    {
      name: 'permission-request',
      word: 'permission-request',
      payload: { tool_name: 'Bash' },
      turn: 'human',
    },
    { name: 'session-end', word: 'session-end', payload: { reason: 'exit' } },
    { name: 'cwd-changed', word: 'cwd-changed', payload: {}, says: 'watchPaths' },
    { name: 'bell', word: 'bell', payload: { file_path: rung, event: 'change' } },
    { name: 'joined', word: 'joined', payload: { file_path: rung, event: 'change' } },
  ]
}

/**
 * An edit in a repository where no other session works, and in one where one does.
 * @param {import('./home.mjs').Home} home
 * @returns {Hook[]}
 */
function editsOf(home) {
  return ['alone', 'beside a peer'].flatMap((how) => {
    const cwd = `${home.root}-${how.replaceAll(' ', '-')}`
    const file_path = join(cwd, 'a.txt')
    mkdirSync(join(cwd, '.git'), { recursive: true })
    writeFileSync(file_path, Array.from({ length: 200 }, (_, at) => `line ${at}\n`).join(''))
    const tool_input = { file_path, old_string: 'line 100\n', new_string: 'line one hundred\n' }
    const payload = {
      cwd,
      tool_name: 'Edit',
      tool_use_id: 'call-1',
      prompt_id: 'turn-1',
      tool_input,
    }
    const beside = how === 'alone' ? {} : { beside: cwd }
    return ['pre-tool-use', 'post-tool-use'].map((word) => ({
      ...{ name: `${word}, edit ${how}`, word, payload, turn: /** @type {const} */ ('human') },
      ...beside,
    }))
  })
}

/** Has another session work in a directory, with nothing noted there yet. @param {string} root @param {string} cwd */
function workIn(root, cwd) {
  const path = join(root, 'sessions.json')
  const sessions = JSON.parse(readFileSync(path, 'utf8'))
  sessions.frontend.cwd = cwd
  writeFileSync(path, JSON.stringify(sessions), { mode: 0o600 })
  rmSync(join(root, 'changes'), { recursive: true, force: true })
}
