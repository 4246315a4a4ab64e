import { unless } from '../system/errno.ts'
import { fieldOf, jsonOf, readJson } from '../system/json.ts'

/** Where a Claude Code reads its settings from, and what it was started with. */
export type ClientPlace = {
  env: NodeJS.ProcessEnv
  userHome: string
  cwd: string
  argv: readonly string[]
  /** Where the administrator's settings may be; by default where Claude Code looks for them. */
  managed?: readonly string[]
}

/** One source of settings. What a `project` says comes with a repository, and is nobody's choice. */
export type Settings = {
  whose: 'person' | 'project' | 'managed'
  path: string
  value: unknown
}

/** On Linux, and on macOS. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
]

/** The settings of a Claude Code, the strongest last: https://code.claude.com/docs/en/settings. */
export function settingsOf(place: ClientPlace): Settings[] {
  const sources = optionOf(place.argv, '--setting-sources')?.split(',')
  const all: Settings[] = [personSettings(place.env, place.userHome)]
  if (!sources || sources.includes('project') || sources.includes('local'))
    all.push(...projectSettings(place.cwd))
  const given = optionOf(place.argv, '--settings')
  if (given !== undefined)
    all.push({
      whose: 'person',
      path: '--settings',
      value: given.trimStart().startsWith('{') ? jsonOf(given) : settingsIn(given),
    })
  for (const path of place.managed ?? MANAGED)
    all.push({ whose: 'managed', path, value: settingsIn(path) })
  return all.filter(({ value }) => typeof value === 'object' && value !== null)
}

function personSettings(env: NodeJS.ProcessEnv, userHome: string): Settings {
  const path = `${configOf({ env, userHome })}/settings.json`
  return { whose: 'person', path, value: settingsIn(path) }
}

/** Where a Claude Code keeps what is its user's. */
export function configOf({ env, userHome }: Pick<ClientPlace, 'env' | 'userHome'>): string {
  return env.CLAUDE_CONFIG_DIR || `${env.HOME || userHome}/.claude`
}

/**
 * What a project's files say. Claude Code also takes `settings.local.json` of the folder that holds
 * the repository (2.1.329); which one that is, is not asked: each folder above may be it.
 */
export function projectSettings(cwd: string): Settings[] {
  const paths = [`${cwd}/.claude/settings.json`, `${cwd}/.claude/settings.local.json`]
  for (let end = cwd.lastIndexOf('/'); end > 0; end = cwd.lastIndexOf('/', end - 1))
    paths.push(`${cwd.slice(0, end)}/.claude/settings.local.json`)
  return paths.flatMap((path) => {
    const value = settingsIn(path)
    return value ? [{ whose: 'project' as const, path, value }] : []
  })
}

/** What a source of settings puts into the environment of hooks and commands. */
export function variablesOf({ value }: Settings): Record<string, string> {
  const env = fieldOf(value, 'env')
  if (typeof env !== 'object' || env === null) return {}
  return Object.fromEntries(Object.entries(env).map(([key, text]) => [key, String(text)]))
}

/** A file that this user may not read tells nothing. */
function settingsIn(path: string): unknown {
  return unless(['EACCES', 'EISDIR', 'ENOTDIR'], () => readJson(path))
}

/** The value of an option on a command line, in either form. */
function optionOf(argv: readonly string[], option: string): string | undefined {
  const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`))
  return argv[at] === option ? argv[at + 1] : argv[at]?.slice(option.length + 1)
}
