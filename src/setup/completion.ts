import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { readPlainFile } from '../system/files.ts'
import { ownPid } from '../system/user.ts'
import type { Check } from './check.ts'

/** The shells that agent-chat can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A file of ours, of this version or another, holds this. */
const MARK = 'Made by: agent-chat setup --completion'

/** A file of ours is a tenth of it. */
const MOST_BYTES = 10_000

/** Where a shell looks, what stands there, and what to say where it may not look yet. */
type Place = { path: string; text: string; hint?: string }

/** The package with which bash looks into the user's directory. */
const BASH_COMPLETION = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/share/bash-completion/bash_completion',
  '/usr/local/etc/profile.d/bash_completion.sh',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
  '/etc/bash_completion',
]

/** The user's own shell, as `$SHELL` names it, if it is one of those. */
export function ownShell(env: NodeJS.ProcessEnv): Shell | undefined {
  return SHELLS.find((shell) => shell === basename(env.SHELL ?? ''))
}

export function hasCompletion(shell: Shell, env: NodeJS.ProcessEnv, userHome: string): boolean {
  return existsSync(placeOf(shell, env, userHome).path)
}

/**
 * Puts a file where the shell looks for the completion of agent-chat. It asks the program for the
 * script when Tab is first pressed, so it never gets old. No file of a shell's start is edited: the
 * hint has the line for it, where one is needed. A file that is not ours stays as it is.
 */
export function installCompletion(shell: Shell, env: NodeJS.ProcessEnv, userHome: string): Check {
  const { path, text, hint } = placeOf(shell, env, userHome)
  const now = readPlainFile(path, MOST_BYTES)?.toString()
  if (now !== undefined && !now.includes(MARK)) {
    const detail = `${path} is not a file of agent-chat; setup left it unchanged`
    const hint = 'move it away and run this again'
    return { name: 'completion', status: 'warning', detail, hint }
  }
  if (now !== text) {
    mkdirSync(dirname(path), { recursive: true })
    const fresh = `${path}.${ownPid()}.new`
    writeFileSync(fresh, text)
    renameSync(fresh, path)
  }
  const detail = `${now === text ? `${path} is there` : `made ${path}`}, for ${shell}`
  const status = hint === undefined ? 'ok' : 'warning'
  return { name: 'completion', status, detail, ...(hint === undefined ? {} : { hint }) }
}

function placeOf(shell: Shell, env: NodeJS.ProcessEnv, userHome: string): Place {
  if (shell === 'fish') {
    const config = directory(env.XDG_CONFIG_HOME, join(userHome, '.config'))
    const text = `# ${MARK}\ncommand -q agent-chat; and agent-chat completion fish | source\n`
    return { path: join(config, 'fish/completions/agent-chat.fish'), text }
  }
  const data = directory(env.XDG_DATA_HOME, join(userHome, '.local', 'share'))
  return shell === 'zsh'
    ? zshPlace(join(data, 'zsh', 'site-functions'), env, userHome)
    : bashPlace(data, env)
}

function bashPlace(data: string, env: NodeJS.ProcessEnv): Place {
  const own = directory(env.BASH_COMPLETION_USER_DIR?.split(':')[0], join(data, 'bash-completion'))
  const load = 'eval "$(agent-chat completion bash)"'
  const looks = BASH_COMPLETION.some((path) => existsSync(path))
  return {
    path: join(own, 'completions', 'agent-chat'),
    text: `# ${MARK}\ncommand -v agent-chat >/dev/null && ${load}\n`,
    ...(looks
      ? {}
      : { hint: `bash-completion is not installed here; without it: echo '${load}' >> ~/.bashrc` }),
  }
}

function zshPlace(functions: string, env: NodeJS.ProcessEnv, userHome: string): Place {
  const start = join(directory(env.ZDOTDIR, userHome), '.zshrc')
  const line = `fpath=(${JSON.stringify(functions)} $fpath); autoload -Uz compinit && compinit`
  return {
    path: join(functions, '_agent-chat'),
    text: `#compdef agent-chat\n# ${MARK}\n(( $+commands[agent-chat] )) && eval "$(agent-chat completion zsh)"\n`,
    ...(startOf(start).includes(functions)
      ? {}
      : { hint: `to make zsh look there, add this line to ${start}: ${line}` }),
  }
}

/** As XDG has it, a variable that names no absolute path counts as unset. */
export function directory(named: string | undefined, otherwise: string): string {
  return named !== undefined && isAbsolute(named) ? named : otherwise
}

/** A file of the shell's start, which may be a link to where its owner keeps it. */
function startOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES')) return ''
    throw error
  }
}
