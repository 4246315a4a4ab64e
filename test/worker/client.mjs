#!/usr/bin/env node
// @ts-nocheck: it takes whatever comes.
// A stand-in for Claude Code in the tests of workers: it speaks the lines of `claude -p` with stream-json in and out, and does what the words of the prompt say:
//   SAY x · COUNT (how often SAY stands in the conversation) · SLOW (words, then nothing more) · LATER (after 1.5 s) · TOOL (a program that never ends) · MAY (asks whether it may touch a file) · STALL · UNHOOKED · REFUSE · OVERLOAD · EXIT · WRITE x
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { RUNTIME } from '../../scripts/runtime.mjs'

const args = process.argv.slice(2)
if (args.includes('--version')) {
  console.log(process.env.STAND_IN_VERSION ?? '2.1.329 (Claude Code)')
  process.exit(0)
}
if (args[0] === 'auth') {
  console.log(process.env.STAND_IN_AUTH ?? '{"loggedIn": true}')
  process.exit(0)
}
const value = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)
const conversation = value('--resume') ?? value('--session-id')
const folder = process.env.STAND_IN_DIR
mkdirSync(folder, { recursive: true })
const record = join(folder, `${conversation}.log`)
appendFileSync(join(folder, 'starts'), `${process.pid} ${args.join('\u0001')}\n`)
const tell = (line) =>
  process.stdout.write(`${JSON.stringify({ ...line, session_id: conversation })}\n`)
const result = (fields) => {
  tool = undefined
  const used = {
    model_usage_since_last_result: { m: { costUSD: 0.001 } },
    usage: { input_tokens: 10, output_tokens: 5 },
  }
  tell({
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 1,
    result: '',
    ...used,
    ...fields,
  })
}
const api = (status) =>
  result({
    is_error: true,
    terminal_reason: 'api_error',
    api_error_status: status,
    result: `API Error: ${status}`,
  })
let tool
let allowed

if (args.includes('--resume') && !existsSync(record)) {
  result({
    subtype: 'error_during_execution',
    is_error: true,
    errors: [`No conversation found with session ID: ${conversation}`],
  })
  process.exit(1)
}

// A client that runs no hooks is one whose settings say so.
if (!existsSync(join(folder, 'unhooked')))
  hook('session-start', { source: args.includes('--resume') ? 'resume' : 'startup' })

function words(text) {
  tell({
    type: 'stream_event',
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  })
}

function call(name, input) {
  tell({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 'toolu_1', name, input }] },
  })
}

/** A hook of the plugin is told, as the client tells it. */
function hook(word, more) {
  const payload = { session_id: conversation, cwd: process.cwd(), ...more }
  const path = join(value('--plugin-dir'), 'dist', 'hook.js')
  spawnSync(RUNTIME, [path, word], {
    input: JSON.stringify(payload),
    env: { ...process.env, CLAUDE_PID: String(process.pid) },
  })
}

function prompted(text) {
  // It tells whose turn it is.
  if (!text.includes('UNHOOKED'))
    hook('user-prompt-submit', { prompt: text, prompt_id: randomUUID() })
  appendFileSync(record, `${text}\n`)
  appendFileSync(join(folder, 'prompts'), `${JSON.stringify({ conversation, text })}\n`)
  tell({
    type: 'system',
    subtype: 'init',
    claude_code_version: '2.1.329',
    model: 'stand-in',
    tools: value('--tools').split(','),
  })
  tell({ type: 'system', subtype: 'status', status: 'requesting' })
  const say = (said) => {
    words(said)
    result({ result: said })
  }
  if (text.includes('STALL')) return
  if (text.includes('EXIT')) process.exit(3)
  if (text.includes('REFUSE'))
    return tell({
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      max_retries: 10,
      error: 'authentication_failed',
      error_status: 401,
    })
  if (text.includes('OVERLOAD')) return api(529)
  if (text.includes('You were interrupted')) return say('finished after the interruption')
  if (text.includes('SLOW')) return words('partial')
  if (text.includes('LATER'))
    return setTimeout(() => say(/SAY (.+)/.exec(text)?.[1] ?? 'later'), 1500)
  if (text.includes('COUNT'))
    return say(String(readFileSync(record, 'utf8').split('SAY').length - 1))
  if (text.includes('TOOL')) {
    call('Bash', { command: 'never ends' })
    // Like the client's own shell, in a session of its own.
    tool = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
      detached: true,
      stdio: 'ignore',
    })
    return
  }
  if (text.includes('MAY')) {
    allowed = (response) => say(response.behavior)
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'touch may' } }
    return tell({ type: 'control_request', request_id: 'may', request })
  }
  const path = /WRITE (\S+)/.exec(text)?.[1]
  if (path) {
    call('Write', { file_path: path, content: 'x' })
    tell({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: false }] },
    })
  }
  say(/SAY (.+)/.exec(text)?.[1] ?? 'ok')
}

for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    tool?.kill('SIGKILL')
    process.exit(143)
  })

createInterface({ input: process.stdin })
  .on('line', (text) => {
    const line = JSON.parse(text)
    if (line.type === 'user') prompted(line.message.content)
    if (line.type === 'control_response') allowed?.(line.response.response)
    if (line.type === 'control_request') {
      tool?.kill('SIGKILL')
      result({
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
      })
    }
  })
  .on('close', () => {
    if (!tool) process.exit(0)
  })
