import type { Agent } from '../agents/agent.ts'
import { agentNameOfProcess } from '../agents/programs.ts'
import { argumentsOf, environmentOf } from '../system/commandLine.ts'
import type { Processes, ProcessInfo } from '../system/processes.ts'
import { ancestors } from './agent.ts'

/** What takes the guardrails away, or leads to a home where nobody is a session. */
const OPENS = ['AGENT_CHAT_GATE', 'AGENT_CHAT_CLAIMS', 'AGENT_CHAT_HOME']

/**
 * The environment of a hook as far as it counts, for another agent than Claude Code. Gemini CLI and
 * Qwen take what a project's `.env` says into their own environment, as a program of Bun's does, and
 * start themselves again with it: what opens counts as the uppermost process of the agent was started
 * with it. Where that is not seen, nothing is changed.
 */
export function agentsEnv(
  env: NodeJS.ProcessEnv,
  { name }: Pick<Agent, 'name'>,
  processes: Pick<Processes, 'self' | 'find'>,
  looks = { argumentsOf, environmentOf },
): NodeJS.ProcessEnv {
  const isIt = ({ command, pid }: ProcessInfo) =>
    agentNameOfProcess(command, () => looks.argumentsOf(pid)) === name
  const above = [...ancestors(processes, processes.self().pid)]
  const own = above.slice(above.findIndex(isIt))
  const end = own.findIndex((one) => !isIt(one))
  const first = own.at(end < 0 ? -1 : end - 1)
  const start = first && isIt(first) ? looks.environmentOf(first.pid) : undefined
  if (start === undefined) return env
  const counting = { ...env }
  for (const key of OPENS) {
    if (start[key] === undefined) delete counting[key]
    else counting[key] = start[key]
  }
  return counting
}
