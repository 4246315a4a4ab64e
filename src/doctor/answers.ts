import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { readSessions } from '../bus/names/registry.ts'
import { settingsOf } from '../session/clientSettings.ts'
import type { Check } from '../setup/check.ts'
import { pluginsOf } from '../setup/programs.ts'
import { fieldOf, readJson } from '../system/json.ts'
import { userHome } from '../system/user.ts'
import { pathsIn } from './mods.ts'

/**
 * The files whose `PermissionRequest` hooks may answer a dialog in the user's place: settings of the
 * user, of an administrator and of the sessions' projects, and the hooks of other plugins. Such an
 * answer counts as none, so every later change of that turn is refused.
 */
export function checkAnswers(
  env: NodeJS.ProcessEnv,
  { home }: Pick<Bus, 'home'>,
  managed?: readonly string[],
): Check[] {
  const own = env.HOME ?? userHome()
  const folders = Object.values(readSessions(home)).flatMap(({ cwd }) => cwd ?? [])
  const places = ['', ...new Set(folders)].map((cwd) => ({
    ...{ env, userHome: own, cwd, argv: [] },
    ...(managed ? { managed } : {}),
  }))
  const settings = places
    .flatMap(settingsOf)
    .flatMap(({ path, value }) => (answers(value) ? path : []))
  const plugins = Object.entries(pluginsOf(env, own))
    .filter(([name]) => !/^agent-chat(-room)?@/.test(name))
    .flatMap(([, installs]) => pathsIn(installs))
    .flatMap((root) => [
      join(root, 'hooks', 'hooks.json'),
      join(root, '.claude-plugin', 'plugin.json'),
    ])
    .filter((path) => existsSync(path) && answers(readJson(path)))
  const files = [...new Set([...settings, ...plugins])]
  if (files.length === 0) return []
  return [
    {
      name: 'answers',
      status: 'warning',
      detail: `hooks for PermissionRequest can answer in your place, which counts as no yes: ${files.join(', ')}`,
      hint: 'take the hook away, or answer the dialogs of a message’s turn yourself',
    },
  ]
}

/** Whether settings, or the hooks of a plugin, have a hook for permission dialogs. */
function answers(value: unknown): boolean {
  const hooks = fieldOf(fieldOf(value, 'hooks'), 'PermissionRequest')
  return Array.isArray(hooks) && hooks.length > 0
}
