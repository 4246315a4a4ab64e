import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureHome, ensureInbox, homeAt } from '../../src/bus/home.ts'
import { HOOKS } from '../../src/hooks/main.ts'
import type { HookPorts } from '../../src/hooks/ports.ts'
import type { Reply } from '../../src/hooks/reply.ts'
import { runHook } from '../../src/hooks/run.ts'
import { AFTER_TOOL, BEFORE_TOOL } from '../../src/hooks/tools.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'

/** Whose word a session's turn is. */
export type TurnOf = 'you' | 'message'

/** A session of a replay, as its client's hooks see it. `pid`: a live process that stands for it. */
export type Member = { name: string; pid: number; tree: string; turn: TurnOf }

/** What our hook said to a call, in how many milliseconds: `pass`, or its decision and reason. */
export type Said = { decision: string; reason: string; ms: number }

/** A session that calls tools: our own hooks, in this process, by the payloads of Claude Code. */
export type Session = {
  before: (tool: string, input: object, call: string) => Promise<Said>
  after: (tool: string, input: object, call: string, failed?: boolean) => Promise<void>
}

const ALL = { ...HOOKS, ...BEFORE_TOOL, ...AFTER_TOOL }
const RING = 'New message from @backend. Check inbox.'

/** Makes a home with these sessions in it, each in its turn, and gives them. `env`: more variables. */
export async function openSessions(
  root: string,
  members: Member[],
  env: Record<string, string>,
): Promise<Session[]> {
  const home = homeAt(root)
  ensureHome(home)
  const processes = systemProcesses()
  const rows = members.map(({ name, pid, tree }) => {
    ensureInbox(home, name)
    const info = processes.find(pid)
    const agent = info && { pid: info.pid, started: info.started }
    return [name, { name, agent, native: true, doorbell: 'auto', cwd: tree, pane: null }]
  })
  writeFileSync(home.sessions, JSON.stringify(Object.fromEntries(rows)))
  const bus = { home, clock: systemClock(), processes }
  return Promise.all(members.map((member) => openSession(bus, member, env)))
}

async function openSession(
  bus: ReturnType<HookPorts['bus']>,
  { name, pid, tree, turn }: Member,
  more: Record<string, string>,
): Promise<Session> {
  const env = { AGENT_CHAT_NAME: name, CLAUDE_PID: String(pid), CLAUDE_PROJECT_DIR: tree, ...more }
  const ports = { env, bus: () => bus, self: { node: process.execPath, script: '/none' } }
  const transcript = join(bus.home.root, `${name}.jsonl`)
  const common = { session_id: name, transcript_path: transcript, cwd: tree }
  const hook = async (word: string, payload: object): Promise<Reply> =>
    runHook(ALL, word, () => JSON.stringify({ ...common, ...payload }), ports)
  await hook('session-start', { source: 'startup' })
  const prompt = turn === 'you' ? 'please go on' : wrapped(RING)
  await hook('user-prompt-submit', { prompt, prompt_id: `${name}-1` })
  appendFileSync(transcript, recorded(prompt, `${name}-1`, turn))
  const payloadOf = (tool: string, input: object, call: string) => ({
    prompt_id: `${name}-1`,
    ...{ tool_name: tool, tool_input: input, tool_use_id: call },
  })
  return {
    before: async (tool, input, call) => {
      const start = performance.now()
      const { stdout } = await hook('pre-tool-use', payloadOf(tool, input, call))
      const ms = performance.now() - start
      const said = stdout ? JSON.parse(stdout).hookSpecificOutput : undefined
      const decision = said?.permissionDecision ?? 'pass'
      // The client opens its dialog, and the person says yes.
      if (decision === 'ask') await hook('permission-request', { tool_name: tool })
      return { decision, reason: said?.permissionDecisionReason ?? '', ms }
    },
    after: async (tool, input, call, failed = false) => {
      appendFileSync(transcript, pressed(call))
      const event = failed ? 'PostToolUseFailure' : 'PostToolUse'
      await hook('post-tool-use', { ...payloadOf(tool, input, call), hook_event_name: event })
    },
  }
}

/** How Claude Code wraps what a hook has said. */
function wrapped(ring: string): string {
  return `<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command "FileChanged": ${ring}\n</system-reminder>`
}

/** How its record tells the result of a call that the user let run. */
function pressed(call: string): string {
  const content = [{ type: 'tool_result', tool_use_id: call, content: 'ok' }]
  const permissionDecision = { decision: 'accept', source: 'user_temporary', grantScope: 'once' }
  const message = { role: 'user', content }
  return `${JSON.stringify({ type: 'user', message, permissionDecision, version: '2.1.329' })}\n`
}

/** A prompt's line in Claude Code's record. */
function recorded(prompt: string, promptId: string, turn: TurnOf): string {
  const turnOrigin = turn === 'you' ? 'human' : 'task_notification'
  const message = { role: 'user', content: prompt }
  return `${JSON.stringify({ promptId, type: 'user', message, turnOrigin, version: '2.1.329' })}\n`
}
