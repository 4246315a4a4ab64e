import type { Agent, AgentScreen } from './agent.ts'
import { CLAUDE } from './claude.ts'
import { CODEX } from './codex.ts'
import { COPILOT } from './copilot.ts'
import { GEMINI } from './gemini.ts'
import { KILO } from './kilo.ts'
import { OPENCODE } from './opencode.ts'
import { PI } from './pi.ts'
import { agentNameOfProgram } from './programs.ts'
import { QWEN } from './qwen.ts'

/** Every agent that agent-chat knows. The first is the one that is started where none is named. */
export const AGENTS: readonly [Agent, ...Agent[]] = [
  CLAUDE,
  CODEX,
  OPENCODE,
  GEMINI,
  COPILOT,
  PI,
  QWEN,
  KILO,
]

/** The agent of this name, or undefined. */
export function agentOf(name: string | null | undefined): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name)
}

/** The agent whose program this is, by its name or its path; undefined for any other program. */
export function agentOfProgram(program: string | undefined): Agent | undefined {
  return agentOf(agentNameOfProgram(program))
}

/** How the screen of this agent is read. One that is not known is read as the first agent. */
export function screenOf(name: string | undefined): AgentScreen {
  return (agentOf(name) ?? AGENTS[0]).screen ?? {}
}

/** What to type to install an agent that is missing. */
export function howToInstall({ title, install }: Agent): string {
  return `install ${title} with: ${install.join(' ')}`
}

/** What marks a process as a part of any agent. */
export const ALL_MARKS: readonly string[] = AGENTS.flatMap(({ marks }) => marks)

/** Variables that agents leave in whatever they start: a command that has one was not typed. */
export const TELLING_MARKS: string[] = AGENTS.flatMap(({ telling }) => telling)

/** Variables that agents leave which agent-chat does not know; the first is meant for all of them. */
export const OTHERS_MARKS: string[] =
  'AI_AGENT CURSOR_AGENT CLINE_ACTIVE GOOSE_TERMINAL AUGMENT_AGENT CRUSH AMP_CURRENT_THREAD_ID'.split(
    ' ',
  )
