#!/usr/bin/env node
// Stands in for Claude Code where what matters is how it is started and how it ends: it keeps a conversation under its own configuration
// folder, runs the hooks of a session's start and of its end, and notes its arguments in `$AC_STARTS`. `/exit` ends it by choice. A ring
// has it read its inbox, into a file in `$AC_TOLD`.
import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { AC_STARTS: starts = '', AC_BIN: program = '', AC_TOLD: told = '' } = process.env
const { CLAUDE_CONFIG_DIR, HOME = '' } = process.env
const args = process.argv.slice(2)
const config = CLAUDE_CONFIG_DIR ?? join(HOME, '.claude')
if (args[0] === 'agents') {
  const list = join(config, 'background.json')
  process.stdout.write(existsSync(list) ? readFileSync(list) : '[]')
  process.exit(0)
}
const resumed = args.includes('--resume') ? args[args.indexOf('--resume') + 1] : undefined
const session_id = resumed ?? randomUUID()
const projects = join(config, 'projects', 'work')
mkdirSync(projects, { recursive: true })
const transcript_path = join(projects, `${session_id}.jsonl`)
if (!args.includes('--unprompted')) {
  const types = args.includes('--unanswered') ? ['user'] : ['user', 'assistant', 'user']
  appendFileSync(transcript_path, types.map((type) => `${JSON.stringify({ type })}\n`).join(''))
}
if (resumed && !readFileSync(transcript_path, 'utf8').includes('"assistant"')) process.exit(1)
const start = { args, session_id, cwd: process.cwd(), config: CLAUDE_CONFIG_DIR ?? null }
appendFileSync(starts, `${JSON.stringify(start)}\n`)

const env = { ...process.env, CLAUDE_PID: String(process.pid), CLAUDECODE: '1' }

/** @param {object} fields */
function payload(fields) {
  return JSON.stringify({ session_id, transcript_path, cwd: process.cwd(), ...fields })
}

/**
 * @param {string} word
 * @param {object} fields
 */
function hook(word, fields) {
  spawnSync(program, ['--hook', word], { input: payload(fields), env })
}

/** The model is told of what is unread. */
function rung() {
  execFile(program, ['inbox'], { env }, (_, text) =>
    writeFileSync(join(told, `${session_id}-${randomUUID()}`), text),
  )
}

const start_event = { hook_event_name: 'SessionStart', source: resumed ? 'resume' : 'startup' }
hook('session-start', start_event)
if (told)
  execFile(program, ['--hook', 'start-ring'], { env }, (error) => {
    if (error?.code === 2) rung()
  }).stdin?.end(payload(start_event))
process.stdin.on('data', (bytes) => {
  // Where the hook is late, the watcher types.
  if (told && bytes.toString().includes('Check inbox')) rung()
  if (!bytes.toString().includes('/exit')) return
  hook('session-end', { hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' })
  process.exit(0)
})
process.stdout.write('❯ ')
