import { isAbsolute, join } from 'node:path'
import { type Entry, wholeText, withEntry, withoutEntry } from './jsonEntry.ts'

/** The programs whose configuration can be told of our tools. */
export const MCP_HOSTS = ['claude', 'codex', 'gemini', 'opencode'] as const
export type McpHost = (typeof MCP_HOSTS)[number]

/** What is run: Node and the program's file. */
export type Server = { node: string; script: string }

/**
 * Where a host looks, and the text there with our server and without it; undefined where there is
 * no file, and where it cannot be done.
 */
type HostConfig = {
  path: string
  add: (text: string | undefined) => string | undefined
  remove: (text: string) => string | undefined
}

const NAME = 'agent-chat'

export function hostConfig(
  host: McpHost,
  { node, script }: Server,
  env: NodeJS.ProcessEnv,
  home: string,
): HostConfig {
  const args = [script, 'mcp']
  const at = (variable: string, folder: string) => {
    const named = env[variable]
    return named !== undefined && isAbsolute(named) ? named : join(home, folder)
  }
  if (host === 'codex') return codex(join(at('CODEX_HOME', '.codex'), 'config.toml'), node, args)
  if (host === 'opencode') {
    const path = join(at('XDG_CONFIG_HOME', '.config'), 'opencode', 'opencode.json')
    return json(path, 'mcp', { type: 'local', command: [node, ...args], enabled: true })
  }
  if (host === 'gemini')
    return json(join(home, '.gemini', 'settings.json'), 'mcpServers', { command: node, args })
  const own = env.CLAUDE_CONFIG_DIR
  const path = join(own !== undefined && isAbsolute(own) ? own : home, '.claude.json')
  return json(path, 'mcpServers', { type: 'stdio', command: node, args })
}

function json(path: string, outer: string, value: unknown): HostConfig {
  const entry: Entry = { path: [outer, NAME], value }
  return {
    path,
    add: (text) => (text === undefined ? wholeText(entry) : withEntry(text, entry)),
    remove: (text) => withoutEntry(text, entry),
  }
}

/** A block at the end, between two lines of ours; the first says whether it began a line. */
function codex(path: string, node: string, args: string[]): HostConfig {
  const begin = '# agent-chat setup --mcp codex: begin'
  const end = '# agent-chat setup --mcp codex: end\n'
  const own = 'AGENT_CHAT_NAME", "AGENT_CHAT_HOME", "TMUX", "TMUX_PANE'
  const block = `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(node)}\nargs = ${JSON.stringify(args)}\nenv_vars = ["${own}"]\ntool_timeout_sec = 3660\n`
  return {
    path,
    add: (text) => {
      if (text === undefined) return `${begin}\n${block}${end}`
      if (/^\s*\[\s*mcp_servers\s*\.\s*["']?agent-chat["']?\s*\]/m.test(text)) return text
      const open = !text.endsWith('\n')
      return `${text}${open ? `\n${begin}, after a line` : begin}\n${block}${end}`
    },
    remove: (text) => {
      const from = text.indexOf(begin)
      const to = text.indexOf(end, from)
      if (from < 0 || to < 0) return undefined
      const open = text.startsWith(`${begin}, after a line`, from)
      return text.slice(0, open ? from - 1 : from) + text.slice(to + end.length)
    },
  }
}
