import type { ToolCall } from '../../message/call.ts'
import { wordList } from '../../system/wordList.ts'
import { isOwnInPowerShell } from '../shell/own.ts'
import type { Place } from '../shell/place.ts'
import { type Effect, effectOf, onlyAsks } from '../shell/reading.ts'
import { isReadingName } from './mcpName.ts'
import { isOwnTool } from './ownTools.ts'
import { AGENTS, isIdle, isStarter, onlyReads, SHELLS } from './table.ts'

/** Whether a call starts a subagent. */
export function isAgent({ name }: ToolCall): boolean {
  return AGENTS.has(name)
}

/** What a call does, as far as its name and text tell. */
export function effectOfTool({ name, input }: ToolCall, place: Place): Effect {
  if (isAgent({ name, input }) || onlyReads(name)) return 'reading'
  if (SHELLS.has(name)) {
    if (typeof input.command !== 'string') return 'changing'
    if (runsOn({ name, input }) && !onlyAsks(input.command)) return 'changing'
    if (name === 'PowerShell') return isOwnInPowerShell(input.command) ? 'own' : 'changing'
    return effectOf(input.command, place).effect
  }
  return isReadingName(name) ? 'reading' : 'changing'
}

/**
 * Whether a command goes on beside the turn: what it prints, or its end, then wakes the agent, past
 * every cap and hold.
 */
export function runsOn({ name, input }: ToolCall): boolean {
  return (
    name === 'Monitor' ||
    !(input.run_in_background === undefined || input.run_in_background === false)
  )
}

/**
 * Whether a call that has run counts as work, after which a message is no mere answer. Reading to
 * analyse does.
 */
export function isWork(call: ToolCall): boolean {
  if (isIdle(call.name) || isOwnTool(call.name)) return false
  if (!SHELLS.has(call.name)) return true
  const name = call.name === 'PowerShell' ? call.name : 'Bash'
  return effectOfTool({ name, input: { command: call.input.command } }, ANYWHERE) !== 'own'
}

/** A place where nothing is amiss: what a command is does not depend on where it ran. */
const ANYWHERE: Place = {
  isOwn: () => true,
  holdsOthers: () => false,
  holdsOptions: () => false,
  isPlain: () => true,
  isRoot: () => true,
  finds: () => false,
  isSet: () => false,
  cdIsPlain: true,
  home: undefined,
}

/**
 * Our verbs that only show something. Any other is judged by the command itself, by the session's
 * turn.
 */
const SHOWS = wordList('who status inbox show thread history search tasks stats')

/**
 * Whether a command of ours may do more than show something: each word after our name is looked at.
 */
export function saysSomething({ input }: ToolCall): boolean {
  const verbs = String(input.command).matchAll(/agent-chat['"]?\s+['"]?([a-z-]*)/g)
  return [...verbs].some(([, verb = '']) => !SHOWS.has(verb))
}

/** Whether a call may start something whose end the client tells as a prompt. */
export function startsTask(call: ToolCall): boolean {
  return isStarter(call.name) || (call.name === 'Bash' && runsOn(call))
}

/** The prompt that a call schedules for later, or undefined. */
export function schedules({ name, input }: ToolCall): string | undefined {
  const isSchedule = name === 'ScheduleWakeup' || name === 'CronCreate'
  return isSchedule && typeof input.prompt === 'string' ? input.prompt.trim() : undefined
}
