import { type Effect, effectOf } from './reading.ts'

/** A call of one of Claude Code's tools. */
export type ToolCall = { name: string; input: Record<string, unknown> }

/** Tools that change files or run commands; the hook fires for these, for what schedules prompts, and for MCP tools. */
const SHELLS = new Set(['Bash', 'Monitor', 'PowerShell'])

/** MCP tools whose last word says that they only read. */
const READING_MCP = /^mcp__.*__(get|list|read|search|fetch|find|query|describe|show|view|status)([_-]|$)/i

/** Tools that are no work: talk, plans, lists, and what only loads more tools. */
const IDLE = new Set(
  'AskUserQuestion EnterPlanMode ExitPlanMode ListAgents SendMessage Skill TodoWrite TaskCreate TaskGet TaskList TaskUpdate ToolSearch ScheduleWakeup CronCreate CronDelete CronList'.split(
    ' ',
  ),
)

/** What a call does, as far as its name and text tell. */
export function effectOfTool({ name, input }: ToolCall): Effect {
  if (SHELLS.has(name)) return typeof input.command === 'string' ? effectOf(input.command) : 'changing'
  if (name.startsWith('mcp__')) return READING_MCP.test(name) ? 'reading' : 'changing'
  return schedules({ name, input }) === undefined ? 'changing' : 'reading'
}

/** Whether a call that has run counts as work, after which a message is no mere answer. Reading to analyse does. */
export function isWork({ name, input }: ToolCall): boolean {
  if (IDLE.has(name)) return false
  return !(SHELLS.has(name) && typeof input.command === 'string' && effectOf(input.command) === 'own')
}

/** The prompt that a call schedules for later, or undefined. */
export function schedules({ name, input }: ToolCall): string | undefined {
  const isSchedule = name === 'ScheduleWakeup' || name === 'CronCreate'
  return isSchedule && typeof input.prompt === 'string' ? input.prompt.trim() : undefined
}
