import { wordList } from '../../system/wordList.ts'

// Every tool that Claude Code is known to have, by what a call of it does. A name is from
// `sdk-tools.d.ts` of 2.1.329, from the definitions of tools in that program, or (`before`) from
// older versions, whose names the client still knows. MCP tools are judged by their own names.
// Other agents' tools are in `src/agents/`, by the words of this table.

/** Tools that only read. WebFetch and WebSearch: see docs/guardrails.md. */
const READS =
  'Read Glob Grep WebFetch WebSearch ListMcpResourcesTool ReadMcpResourceTool ReadMcpResourceDirTool GetTask GetGoal ' +
  // before
  'LS NotebookRead TaskOutput AgentOutput AgentOutputTool BashOutput BashOutputTool'

/** Talk, plans and lists of the agent's own, and what only loads more tools. No work. */
const TALKS =
  'TodoWrite TaskCreate TaskGet TaskList TaskUpdate EnterPlanMode ExitPlanMode ToolSearch WaitForMcpServers ' +
  'ListAgents CronList ReportFindings StructuredOutput SubagentHandback SendUserMessage WrapUp ' +
  // before
  'TodoRead ListPeers Brief'

/** Talk that a message's turn marks with its sender: the hook has to see it. */
const MARKED = 'AskUserQuestion'

/** Tools that run commands. */
export const SHELLS = wordList('Bash Monitor PowerShell')

/** Tools that write files by themselves. */
export const EDITS = wordList('Edit Write NotebookEdit MultiEdit')

/** Tools that start subagents, each of whose own calls is judged. */
export const AGENTS = wordList('Agent Task')

/** Tools that change something, but are no work: they speak to others, or put something off. */
const SPEAKERS = 'SendMessage Skill SlashCommand'
const LATER = 'TaskStop KillShell ScheduleWakeup CronCreate CronDelete'

/**
 * All others: each changes something, goes on by itself, brings text of others, or says something
 * outside. LSP: its servers build what they look at.
 */
const OTHERS =
  'Workflow EnterWorktree ExitWorktree REPL AppifactRepl LSP Artifact Projects ClaudeDesign DesignSync ' +
  'RemoteTrigger PushNotification SendFeedback SendFile SendUserFile SendToProject SendToProjectContext ' +
  'PublishPlugin ShareOnboardingGuide ShowOnboardingRolePicker OfferChromeSetup ListConnectors SuggestConnectors ' +
  'SuggestPluginInstall SuggestSkills SearchMcpRegistry ProposeSkills ProposeGoal SetGoal PauseGoal ' +
  'RefreshMcpTools McpTaskResumePolling ReadNotifications FetchInboxMessage ReadWidgetContext ObserverReport ' +
  'ListProjectAgents Poll Yield EndConversation SubscribePR ' +
  // before
  'Eval Frame FrameRead TeamCreate TeamDelete SuggestBackgroundPR AutofixPr'

const PASSING = wordList(`${READS} ${TALKS} ${MARKED}`)
const IDLE = wordList(`${TALKS} ${MARKED} ${SPEAKERS} ${LATER}`)
const STARTERS = wordList(`Agent Task Workflow ${SPEAKERS}`)

/** Whether a tool changes nothing, whatever it is given. */
export function onlyReads(tool: string): boolean {
  return PASSING.has(tool)
}

/** Whether a tool is talk, or leaves to others or to later what it does. */
export function isIdle(tool: string): boolean {
  return IDLE.has(tool)
}

/** Whether a tool may start a subagent, or set one going again. */
export function isStarter(tool: string): boolean {
  return STARTERS.has(tool)
}

/** Whether a tool has its place in this table, or says by its name what it does. */
export function isListed(tool: string): boolean {
  const others = [wordList(OTHERS), SHELLS, EDITS, STARTERS, IDLE, PASSING]
  return others.some((list) => list.has(tool)) || tool.startsWith('mcp__')
}

/**
 * The calls that the hook is to see, as Claude Code's matcher: all but those of a few tools. It is
 * unanchored there, and a tool that nobody has listed fits.
 */
export const JUDGED = `^(?!(${`${READS} ${TALKS}`.replaceAll(' ', '|')})$)`
