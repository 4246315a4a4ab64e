import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import type { ProcessRef } from '../system/processes.ts'
import { type Run, type RunOptions, runCli, runHookProcess } from './cli.ts'
import { tempBus } from './home.ts'
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
  /** Runs a command of its own. */
  chat(...args: string[]): Promise<Run>
  /** A turn begins with the human's words. */
  human(text?: string): Promise<Run>
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
  return { bus, agents }
}

/** A process that stands for a Claude Code: its hooks carry its pid. */
export function startAgent(bus: Bus): { ref: ProcessRef; end: () => Promise<void> } {
  const child = spawn('sleep', ['150'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const info = bus.processes.find(child.pid ?? 0)
  if (!info) throw new Error('sleep did not start')
  const ref = { pid: info.pid, started: info.started }
  const end = async () => {
    child.kill('SIGKILL')
    await until('the agent to end', () => !bus.processes.isAlive(ref))
  }
  return { ref, end }
}

/** How Claude Code wraps what the hook of an event has said. */
export function wrapped(ring: string, event = 'FileChanged'): string {
  return `<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command "${event}": ${ring}\n</system-reminder>`
}

function agentOn(bus: Bus, name: string, own: Record<string, string>): TestAgent {
  const { ref, end } = startAgent(bus)
  let turn = 0
  let call = 0
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
  const hook: TestAgent['hook'] = (word, payload = {}, env) =>
    runHookProcess(word, payload, options(env))
  const chat = (...args: string[]) => runCli(args, options())
  const prompt = (text: string) => {
    turn += 1
    return hook('user-prompt-submit', { prompt: text, prompt_id: `${name}-${turn}` })
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
    prompt_id: `${name}-${turn}`,
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
    human: (text = 'please go on') => prompt(text),
    rung,
    may,
    did,
  }
}
