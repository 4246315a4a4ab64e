import { join } from 'node:path'
import { unless } from '../system/errno.ts'
import { fieldOf, readJson } from '../system/json.ts'

/** Where a Claude Code reads its settings from, and what it was started with. */
export type ClientPlace = {
  env: NodeJS.ProcessEnv
  userHome: string
  cwd: string
  argv: readonly string[]
  /** Where the administrator's settings may be; by default where Claude Code looks for them. */
  managed?: readonly string[]
}

/** On Linux, and on macOS. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
]

/** Flags under which Claude Code loads no plugin's code. */
const FLAGS = ['--bare', '--safe-mode']

/**
 * What keeps a Claude Code from loading any mod, by its flags and settings: why, and what to do.
 * Undefined where they allow it. Claude Code 2.1.329 names its rule for administrators
 * `allowManagedModsOnly`, an option of one of its own plugins.
 */
export function modsOff(place: ClientPlace): [why: string, hint: string] | undefined {
  const flag = FLAGS.find((one) => place.argv.includes(one))
  if (flag !== undefined)
    return [
      `it was started with ${flag}`,
      `start it without ${flag}; that stops the guardrails too`,
    ]
  const rule = (place.managed ?? MANAGED).map((path) => managedRule(settingsIn(path))).find(Boolean)
  if (rule !== undefined)
    return [
      `an administrator forbids it (${rule})`,
      'nothing else is missing; ask them to allow it',
    ]
  const user = place.env.CLAUDE_CONFIG_DIR || join(place.userHome, '.claude')
  const files = [
    join(user, 'settings.json'),
    join(place.cwd, '.claude', 'settings.json'),
    join(place.cwd, '.claude', 'settings.local.json'),
  ]
  const file = files.find((path) => fieldOf(settingsIn(path), 'disableAllHooks') === true)
  if (file === undefined) return undefined
  return [
    `disableAllHooks is set in ${file}`,
    'it stops the guardrails too; remove it from that file',
  ]
}

function managedRule(settings: unknown): string | undefined {
  const options = fieldOf(
    fieldOf(fieldOf(settings, 'pluginConfigs'), 'cc-plugin-sec-default@builtin'),
    'options',
  )
  const isSet = (value: unknown) => value !== undefined && value !== false && value !== null
  if (isSet(fieldOf(options, 'allowManagedModsOnly'))) return 'allowManagedModsOnly'
  return ['allowManagedHooksOnly', 'disableAllHooks'].find(
    (name) => fieldOf(settings, name) === true,
  )
}

/** A file that this user may not read tells nothing. */
function settingsIn(path: string): unknown {
  return unless(['EACCES', 'EISDIR', 'ENOTDIR'], () => readJson(path))
}
