import { agentEnv } from '../../launcher/plan.ts'

/** What a client is started with: its definition's part, and whose conversation it goes on with. */
export type ClientRequest = {
  /** The path of Claude Code. */
  program: string
  name: string
  /** What runs this program, its script, and the folder of our plugin. */
  self: { node: string; script: string; root: string }
  cwd: string
  home: string
  tools: string[]
  /** Words for the system prompt. */
  prompt: string
  model?: string | undefined
  maxTurns?: number | undefined
  conversation: string
  /** Whether that conversation has been begun before. */
  resume: boolean
}

/** What describes the terminal or the session that a worker was started from. */
const FOREIGN = [
  'TMUX',
  'TMUX_PANE',
  'AGENT_CHAT_DOORBELL',
  'AGENT_CHAT_PROMPT',
  'AGENT_CHAT_FAULT',
]

/** A stream that is silent for so long is cut by the client, which then asks again. */
const STREAM_SILENCE_MS = 120_000

/** The variables by which a worker's client, and all that it starts, is known. */
export function markOf({
  name,
  home,
}: Pick<ClientRequest, 'name' | 'home'>): Record<string, string> {
  return { AGENT_CHAT_WORKER: name, AGENT_CHAT_HOME: home }
}

export function clientArgv(request: ClientRequest): [string, ...string[]] {
  const { program, self, tools, prompt, model, maxTurns, conversation, resume } = request
  return [
    program,
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--permission-prompt-tool', 'stdio'],
    ...['--permission-mode', 'default', '--plugin-dir', self.root],
    // The settings of the folder could switch our hooks off, or allow what a peer asks for.
    ...['--setting-sources', 'user'],
    // Other tools do not exist then, for subagents neither; those of MCP servers are not meant. No
    // rule allows one beforehand: the worker's process decides about each call that is asked about.
    ...['--tools', tools.join(',')],
    ...serversOf(tools, self),
    ...['--append-system-prompt', prompt],
    ...(model === undefined ? [] : ['--model', model]),
    ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
    ...[resume ? '--resume' : '--session-id', conversation],
  ]
}

/** Our own server, where a definition names it or one of its tools; the person's, for all others. */
function serversOf(tools: string[], self: ClientRequest['self']): string[] {
  const isOwn = (tool: string) => /^mcp__agent-chat(__|$)/.test(tool)
  const server = { command: self.node, args: [self.script, 'mcp'] }
  const config = JSON.stringify({ mcpServers: { 'agent-chat': server } })
  return [
    ...(tools.some(isOwn) ? ['--mcp-config', config] : []),
    ...(tools.some((tool) => tool.startsWith('mcp__') && !isOwn(tool))
      ? []
      : ['--strict-mcp-config']),
  ]
}

export function clientEnv(request: ClientRequest, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { name, self } = request
  const own = Object.entries(agentEnv(env, name, self.root)).filter(
    ([key]) => !FOREIGN.includes(key),
  )
  return {
    CLAUDE_ENABLE_BYTE_WATCHDOG: '1',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(STREAM_SILENCE_MS),
    ...Object.fromEntries(own),
    ...markOf(request),
  }
}
