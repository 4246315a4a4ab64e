import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ToolCall } from '../../message/call.ts'
import { look } from './look.ts'

/** The only skill of ours that a model may load by itself. */
const OWN = 'agent-chat:agent-chat'

/**
 * A key of a head that runs something, or one that YAML may read as such: in escapes, behind `?`,
 * or as an alias.
 */
const MAY_RUN = /\b(hooks|mcpServers)["']?\s*:|\\([xuU]|\r?\n)|^\s*\?|\*[^\s*]+\s+:/m

/** More files than anybody has there, also by a link that leads to itself. */
const MOST_FILES = 5000

/** Stands for the files beyond that: any of them may run something. */
const ANYTHING = { path: 'agent-chat', head: 'hooks:' }

/** Where the host looks for what a person or a repository has added to it. */
export type Additions = {
  cwd: string | undefined
  root: string | undefined
  env: NodeJS.ProcessEnv
}

/**
 * Whether a call loads our own skill, which runs nothing. Another of that name would run what its
 * author wrote before any tool call is seen: where one may be, or another plugin has our name, the
 * call is not ours.
 */
export function isOwnSkill({ name, input }: ToolCall, where: Additions): boolean {
  if (name !== 'Skill' || input.skill !== OWN) return false
  const added = configurations(where).flatMap((folder) => [
    ...textsIn(join(folder, 'skills')),
    ...textsIn(join(folder, 'commands')),
  ])
  return !added.some(({ path, head }) => /agent-chat/i.test(path + head)) && isOnePlugin(where.env)
}

/**
 * Whether subagents of this call can do nothing before a tool call of theirs: definitions may bring
 * hooks and servers.
 */
export function isPlainAgent({ input }: ToolCall, where: Additions): boolean {
  if (input.isolation !== undefined && input.isolation !== null) return false
  const definitions = configurations(where).flatMap((folder) => textsIn(join(folder, 'agents')))
  return !definitions.some(({ head }) => MAY_RUN.test(head))
}

/**
 * Every `.claude` from where the call is made and the session was started up to the top, and the
 * person's own.
 */
function configurations({ cwd, root, env }: Additions): string[] {
  const folders = new Set<string>()
  for (const from of [cwd, root]) {
    for (let at = from; at?.startsWith('/'); at = at === '/' ? undefined : dirname(at))
      folders.add(join(at, '.claude'))
  }
  if (env.HOME) folders.add(join(env.HOME, '.claude'))
  if (env.CLAUDE_CONFIG_DIR) folders.add(env.CLAUDE_CONFIG_DIR)
  return [...folders]
}

/**
 * The markdown files below a folder, with the heads that say what they are called. Links are
 * followed, as the host does.
 */
function textsIn(folder: string): { path: string; head: string }[] {
  const names = ['']
  for (const name of names) {
    const inner = look(() => readdirSync(join(folder, name))) ?? []
    names.push(...inner.map((one) => join(name, one)))
    if (names.length > MOST_FILES) return [ANYTHING]
  }
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ path: name, head: headOf(join(folder, name)) }))
}

/** What is before the line `---` that ends it; all of a file that has none. */
function headOf(path: string): string {
  const text = look(() => readFileSync(path, 'utf8')) ?? ''
  const end = text.slice(3).search(/\n---\s*(\n|$)/)
  return end < 0 ? text : text.slice(0, end + 3)
}

/** Whether no two plugins of the name `agent-chat` are installed. */
function isOnePlugin({ HOME = '/', CLAUDE_CONFIG_DIR }: NodeJS.ProcessEnv): boolean {
  const file = join(CLAUDE_CONFIG_DIR ?? join(HOME, '.claude'), 'plugins/installed_plugins.json')
  const text = look(() => readFileSync(file, 'utf8')) ?? ''
  return new Set(text.match(/"agent-chat@[^"]*"/g)).size <= 1
}
