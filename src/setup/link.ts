import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { isMac } from '../system/machine.ts'
import { userHome } from '../system/user.ts'
import type { Check } from './check.ts'

/**
 * Links `agent-chat` into `directory`, for shells to find. A link of ours that leads elsewhere, for
 * example to an older version, is renewed; a file, or a link that is not ours, is left as it is and
 * named. Safe to run again.
 */
export function linkCommand(root: string, directory: string): Check {
  const target = join(root, 'bin', 'agent-chat')
  const path = join(directory, 'agent-chat')
  const now = lookAt(path)
  if (now === 'something else') {
    const detail = `${path} is not a link of agent-chat; setup left it unchanged`
    const hint = `move it away and run this again, or use ${target} itself`
    return { name: 'link', status: 'warning', detail, hint }
  }
  if (now !== undefined && sameFile(now, target))
    return { name: 'link', status: 'ok', detail: `${path} -> ${target}` }
  mkdirSync(directory, { recursive: true })
  const fresh = `${path}.new`
  // A setup that was killed may have left it.
  if (lookAt(fresh) !== 'something else') rmSync(fresh, { force: true })
  symlinkSync(target, fresh)
  renameSync(fresh, path)
  const detail = `${path} -> ${target}${now === undefined ? '' : ` (was ${now})`}`
  return { name: 'link', status: 'ok', detail: `made ${detail}` }
}

/** Where setup links `agent-chat`. */
export function linkDirectory(): string {
  return join(userHome(), '.local', 'bin')
}

/** Whether shells look into a directory for programs. */
export function isOnPath(directory: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? '')
    .split(delimiter)
    .some((place) => place !== '' && resolve(place) === resolve(directory))
}

/** What to type so that a shell looks into `~/.local/bin` from the next terminal on. */
export function pathLine(shell: string): string {
  if (shell === 'fish') return 'fish_add_path ~/.local/bin'
  const bash = isMac() ? '~/.bash_profile' : '~/.bashrc'
  const file = shell === 'zsh' ? '~/.zshrc' : shell === 'bash' ? bash : '~/.profile'
  return `echo 'export PATH="$HOME/.local/bin:$PATH"' >> ${file}`
}

/** Where a link of ours leads, `something else` for what is not ours, or undefined for nothing. */
function lookAt(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isSymbolicLink()) return 'something else'
  const target = resolve(dirname(path), readlinkSync(path))
  return isOurs(target) ? target : 'something else'
}

/** Ours is `<root>/bin/agent-chat` where `<root>` is this plugin, or is gone. */
function isOurs(target: string): boolean {
  if (basename(target) !== 'agent-chat' || basename(dirname(target)) !== 'bin') return false
  const root = dirname(dirname(target))
  if (lstatSync(root, { throwIfNoEntry: false }) === undefined) return true
  try {
    return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))?.name === 'agent-chat'
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR') || error instanceof SyntaxError) return false
    throw error
  }
}

function sameFile(one: string, other: string): boolean {
  try {
    return one === other || realpathSync(one) === realpathSync(other)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}
