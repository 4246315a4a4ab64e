import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../setup/check.ts'
import { pluginsOf, roomPlugin } from '../setup/programs.ts'
import { unless } from '../system/errno.ts'
import { fieldOf } from '../system/json.ts'
import { userHome } from '../system/user.ts'

/**
 * The plugins of Claude Code that bring a mod: code inside the client, which can answer permission
 * checks before anybody is asked. Worth knowing, and no fault.
 */
export function checkMods(env: NodeJS.ProcessEnv): Check[] {
  const home = env.HOME ?? userHome()
  const own = roomPlugin(env, home)
  const names = Object.entries(pluginsOf(env, home))
    .filter(([name, installs]) => name !== own && pathsIn(installs).some(hasMod))
    .map(([name]) => name)
  if (names.length === 0) return []
  return [
    {
      name: 'mods',
      status: 'warning',
      detail: `these plugins run code inside Claude Code, and can allow tool calls that agent-chat asks about: ${names.join(', ')}`,
      hint: 'keep only those whose authors you trust; see docs/security.md',
    },
  ]
}

/** The folders of a plugin's installations. */
export function pathsIn(installs: unknown): string[] {
  const all = Array.isArray(installs) ? installs : [installs]
  return all
    .map((one) => fieldOf(one, 'installPath'))
    .filter((path): path is string => typeof path === 'string')
}

/** Whether the hooks of a plugin, in their own file or in its manifest, name modules. */
function hasMod(root: string): boolean {
  const files = ['hooks/hooks.json', '.claude-plugin/plugin.json'].map((file) => join(root, file))
  return files.filter(existsSync).some((file) => {
    const text = unless(['EACCES', 'EISDIR'], () => readFileSync(file, 'utf8')) ?? ''
    return /"modules"\s*:\s*\[\s*[^\s\]]/.test(text)
  })
}
