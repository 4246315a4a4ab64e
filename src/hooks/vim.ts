import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where Claude Code keeps settings, the strongest last; see
 * https://code.claude.com/docs/en/settings.
 */
const FILES = ['.claude/settings.json', '.claude/settings.local.json']

/**
 * Whether the user's or the project's settings make the input box vim's: then a key may be a
 * command, and a ring must wait for INSERT.
 */
export function usesVim(env: NodeJS.ProcessEnv, cwd: string | undefined): boolean {
  const user = env.CLAUDE_CONFIG_DIR
    ? [join(env.CLAUDE_CONFIG_DIR, 'settings.json')]
    : env.HOME
      ? [join(env.HOME, FILES[0] ?? '')]
      : []
  const project = cwd === undefined ? [] : FILES.map((file) => join(cwd, file))
  const global = env.HOME ? [join(env.CLAUDE_CONFIG_DIR ?? env.HOME, '.claude.json')] : []
  const modes = [...global, ...user, ...project]
    .map(editorMode)
    .filter((mode) => mode !== undefined)
  return modes.at(-1) === 'vim'
}

function editorMode(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null && 'editorMode' in value
      ? value.editorMode
      : undefined
  } catch {
    return undefined
  }
}
