import { type ClientPlace, settingsOf } from '../session/clientSettings.ts'
import { hooksOff } from '../session/hooksOff.ts'
import { fieldOf } from '../system/json.ts'

/**
 * What keeps a Claude Code from loading any mod, by its flags and settings: why, and what to do.
 * Undefined where they allow it. Claude Code 2.1.329 names its rule for administrators
 * `allowManagedModsOnly`, an option of one of its own plugins.
 */
export function modsOff(place: ClientPlace): [why: string, hint: string] | undefined {
  const settings = settingsOf(place)
  const rule = settings.find(({ whose, value }) => whose === 'managed' && forbidsMods(value))
  if (rule)
    return [
      `an administrator forbids it (allowManagedModsOnly in ${rule.path})`,
      'nothing else is missing; ask them to allow it',
    ]
  const off = hooksOff(place, settings)
  return off === undefined ? undefined : [off, 'it stops the guardrails too; take it away']
}

function forbidsMods(settings: unknown): boolean {
  const plugin = fieldOf(fieldOf(settings, 'pluginConfigs'), 'cc-plugin-sec-default@builtin')
  const value = fieldOf(fieldOf(plugin, 'options'), 'allowManagedModsOnly')
  return value !== undefined && value !== false && value !== null
}
