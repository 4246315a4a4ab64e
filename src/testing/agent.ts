import { type ChildProcess, spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../bus/bus.ts'
import type { ProcessRef } from '../system/processes.ts'
import { shellQuoted } from '../system/shellQuoted.ts'
import { cleanEnv, DIST, type Run, type RunOptions, runCli, runHookProcess } from './cli.ts'
import { tempBus, tempDirectory } from './home.ts'
import { isOwners } from './human.ts'
import { until } from './until.ts'

/**
 * An agent with hooks, as far as the bus can see one: a process, and what its hooks and its
 * commands say.
 */
export type TestAgent = {
  name: string
  ref: ProcessRef
  end(): Promise<void>
  /** Runs one of its hooks. */
  hook(word: string, payload?: unknown, env?: Record<string, string>): Promise<Run>
  /** Runs a command of its own; one that its turn may allow, as a child of its process. */
  chat(...args: string[]): Promise<Run>
  /** Runs any command in a directory, as a child of its process. */
  below(cwd: string, ...args: string[]): Promise<Run>
  /** Runs one in a directory. */
  chatIn(cwd: string, ...args: string[]): Promise<Run>
  /** A turn begins with the human's words, or with those of another `origin`. */
  human(text?: string, origin?: string): Promise<Run>
  /** A turn begins with the native doorbell's ring, and the agent reads its inbox. */
  rung(from?: string): Promise<Run>
  /** A tool is about to run: what the hook answers, `pass` for nothing. */
  may(
    tool: string,
    input?: Record<string, unknown>,
    more?: Record<string, unknown>,
  ): Promise<string>
  /** A tool has run. */
  did(tool: string, input?: Record<string, unknown>, more?: Record<string, unknown>): Promise<Run>
}

/** A bus with these sessions registered, each one with an agent of its own that has started. */
export async function agentsOn(...names: string[]): Promise<{ bus: Bus; agents: TestAgent[] }> {
  return agentsWith({}, ...names)
}

/** As `agentsOn`, each agent started with these variables. */
export async function agentsWith(
  env: Record<string, string>,
  ...names: string[]
): Promise<{ bus: Bus; agents: TestAgent[] }> {
  const bus = tempBus(names)
  return { bus, agents: await agentsIn(bus, env, ...names) }
}

/** The agents of `agentsWith`, in a home that is there. */
export async function agentsIn(
  bus: Bus,
  env: Record<string, string>,
  ...names: string[]
): Promise<TestAgent[]> {
  const agents = names.map((name) => agentOn(bus, name, env))
  const sessions = agents.map(({ name, ref }) => [
    name,
    { name, agent: ref, native: true, doorbell: 'auto' },
  ])
  writeFileSync(bus.home.sessions, JSON.stringify(Object.fromEntries(sessions)))
  await Promise.all(
    agents.map((agent) =>
      agent.hook('session-start', { source: 'startup', session_id: agent.name }),
    ),
  )
  return agents
}

/** A process that stands for a Claude Code, started with these: its hooks carry its pid. */
export function startAgent(
  bus: Bus,
  own: Record<string, string> = {},
): {
  ref: ProcessRef
  end: () => Promise<void>
  below: (args: string[], options: RunOptions) => Promise<Run>
} {
  // Its hooks have no other HOME than it has, and that is not the user's.
  const env = { ...process.env, HOME: join(bus.home.root, 'no-user-home'), ...own }
  // A shell that waits, under a name that is none's.
  const program = join(tempDirectory(), 'sleep')
  symlinkSync('/bin/sh', program)
  const waits = 'while IFS= read -r line; do eval "$line" & done'
  const child = spawn(program, ['-c', waits], { stdio: ['pipe', 'ignore', 'ignore'], env })
  child.stdin?.on('error', () => {})
  onTestFinished(() => void child.kill('SIGKILL'))
  const info = bus.processes.find(child.pid ?? 0)
  if (!info) throw new Error('sleep did not start')
  const ref = { pid: info.pid, started: info.started }
  const end = async () => {
    child.kill('SIGKILL')
    await until('the agent to end', () => !bus.processes.isAlive(ref))
  }
  return { ref, end, below: (args, options) => runBelow(child, args, options) }
}

/** Runs the program as a child of an agent, which is told to. */
async function runBelow(agent: ChildProcess, args: string[], options: RunOptions): Promise<Run> {
  const at = tempDirectory()
  const given = Object.entries(cleanEnv(options)).map(([name, value]) => `${name}=${value}`)
  const words = ['env', '-i', ...given, RUNTIME, join(DIST, 'main.js'), ...args].map(shellQuoted)
  const line = `${words.join(' ')} </dev/null >${at}/out 2>${at}/err; echo $? >${at}/new; mv ${at}/new ${at}/code`
  agent.stdin?.write(`cd ${shellQuoted(options.cwd ?? '/')}; ${line}\n`)
  await until(`${args.join(' ')}, below an agent`, () => existsSync(`${at}/code`))
  const [code, stdout = '', stderr = ''] = ['code', 'out', 'err'].map((file) =>
    readFileSync(`${at}/${file}`, 'utf8'),
  )
  return { code: Number(code), signal: null, stdout, stderr }
}

/** What a turn of the human's lets an agent do, beside what is theirs alone without it. */
const IN_TURN = /^(pause|rename)\b/

/** How Claude Code wraps what the hook of an event has said. */
export function wrapped(ring: string, event = 'FileChanged'): string {
  return `<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command "${event}": ${ring}\n</system-reminder>`
}

/** What Claude Code writes into its record of a prompt, in a line. */
export function recorded(prompt: string, promptId: string, turnOrigin?: string): string {
  const told = prompt.startsWith('<task-notification>') ? 'task_notification' : 'human'
  const message = { role: 'user', content: prompt }
  const entry = { promptId, type: 'user', message, turnOrigin: turnOrigin ?? told }
  return `${JSON.stringify({ ...entry, version: '2.1.329' })}\n`
}

/** How the record of Claude Code 2.1.329 says that a person pressed Yes. */
const PRESSED = { decision: 'accept', source: 'user_temporary', grantScope: 'once' }

/** Writes into its record what the client does when a call has run: its result, and who let it. */
export function noteResult(
  transcript: string,
  { tool_use_id, agent_id }: { tool_use_id?: string; agent_id?: string },
  permissionDecision: unknown = PRESSED,
  version = '2.1.329',
): void {
  const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id, content: 'ok' }] }
  const entry = { type: 'user', message, permissionDecision, version }
  // A subagent's record is beside that of its session.
  const folder = transcript.replace(/\.jsonl$/, '/subagents')
  const path = agent_id === undefined ? transcript : `${folder}/agent-${agent_id}.jsonl`
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, `${JSON.stringify(entry)}\n`)
}

function agentOn(bus: Bus, name: string, own: Record<string, string>): TestAgent {
  const { ref, end, below } = startAgent(bus, { AGENT_CHAT_HOME: bus.home.root, ...own })
  const transcript_path = `${tempDirectory()}/record.jsonl`
  let turn = 0
  let call = 0
  let last = `${name}-0`
  const options = (env: Record<string, string> = {}): RunOptions => ({
    home: bus.home.root,
    env: {
      AGENT_CHAT_NAME: name,
      CLAUDE_PID: String(ref.pid),
      CLAUDE_PROJECT_DIR: '/',
      ...own,
      ...env,
    },
  })
  const hook: TestAgent['hook'] = async (word, payload = {}, env) => {
    const { permissionDecision, version, ...given } = { transcript_path, ...Object(payload) }
    if (word === 'post-tool-use' && given.transcript_path === transcript_path)
      noteResult(transcript_path, given, permissionDecision, version)
    const ran = await runHookProcess(word, given, options(env))
    // The client writes it once the hook has run.
    const { prompt, prompt_id: id } = given
    if (word === 'user-prompt-submit') last = id
    if (word === 'user-prompt-submit' && given.transcript_path === transcript_path && id)
      appendFileSync(transcript_path, recorded(String(prompt), id, given.origin))
    return ran
  }
  const chatIn: TestAgent['chatIn'] = (cwd, ...args) => runCli(args, { ...options(), cwd })
  const chat = (...args: string[]) => {
    const inTurn = isOwners(args) || IN_TURN.test(args.join(' '))
    return (inTurn ? below : runCli)(args, options())
  }
  const prompt = (text: string, origin?: string) => {
    turn += 1
    return hook('user-prompt-submit', { prompt: text, prompt_id: `${name}-${turn}`, origin })
  }
  const rung = async (from = 'backend') => {
    await prompt(wrapped(`New message from @${from}. Check inbox.`))
    return chat('inbox')
  }
  const payload = (
    tool: string,
    input: Record<string, unknown>,
    more: Record<string, unknown>,
  ) => ({
    prompt_id: last,
    tool_name: tool,
    tool_input: input,
    tool_use_id: `${name}-call-${call}`,
    cwd: '/',
    ...more,
  })
  const may: TestAgent['may'] = async (tool, input = {}, more = {}) => {
    call += 1
    const { stdout } = await hook('pre-tool-use', payload(tool, input, more))
    const said = stdout === '' ? 'pass' : JSON.parse(stdout).hookSpecificOutput?.permissionDecision
    // The host opens a dialog, and tells of it.
    if (said === 'ask') await hook('permission-request', { tool_name: tool, ...more })
    return said ?? stdout
  }
  const did: TestAgent['did'] = (tool, input = {}, more = {}) =>
    hook('post-tool-use', payload(tool, input, more))
  return {
    name,
    ref,
    end,
    hook,
    chat,
    chatIn,
    below: (cwd, ...args) => below(args, { ...options(), cwd }),
    human: (text = 'please go on', origin) => prompt(text, origin),
    rung,
    may,
    did,
  }
}
