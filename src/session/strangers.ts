import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { unless } from '../system/errno.ts'
import { namesIn } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'
import { type ClientPlace, configOf } from './clientSettings.ts'

/**
 * Where the hooks mark a Claude Code that is no session, in the directory of the plugin's data: a
 * folder for each process.
 */
export function strangersIn(data: string): string {
  return `${data}/strangers`
}

/** The file of that mark which is of this very start of a process. */
export function markIn(strangers: string, { pid, started }: ProcessRef): string {
  return `${strangers}/${pid}/${started}`
}

/**
 * Whether a hook has marked this Claude Code as a stranger: then its hooks have run, however short
 * ago it has joined. Its data are where Claude Code 2.1.329 puts those of plugins.
 */
export function isMarkedStranger(client: ProcessRef, place: Omit<ClientPlace, 'cwd'>): boolean {
  const plugins = place.env.CLAUDE_CODE_PLUGIN_CACHE_DIR || `${configOf(place)}/plugins`
  const all = `${plugins}/data`
  const names = isAbsolute(all) ? (unless(['EACCES', 'ENOTDIR'], () => namesIn(all)) ?? []) : []
  return names.some(
    (name) =>
      name.startsWith('agent-chat-') && existsSync(markIn(strangersIn(`${all}/${name}`), client)),
  )
}
