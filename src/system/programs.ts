import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { userId } from './user.ts'

/** A way to install programs on this system: the command before the package's name. */
type Installer = { name: string; argv: [string, ...string[]] }

/** The path of a program, or undefined where `PATH` has none. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const places = (env.PATH ?? '').split(delimiter).filter((place) => place !== '')
  return places.map((place) => join(place, name)).find(isExecutable)
}

/** The system's package manager, or undefined: Homebrew on a Mac, else the distribution's. */
export function findInstaller(env: NodeJS.ProcessEnv): Installer | undefined {
  const root = userId() === 0 ? [] : ['sudo']
  const known: [string, string[]][] = [
    ['apt-get', [...root, 'apt-get', 'install', '-y']],
    ['dnf', [...root, 'dnf', 'install', '-y']],
    ['pacman', [...root, 'pacman', '-S', '--noconfirm']],
    ['brew', ['brew', 'install']],
  ]
  const ordered = process.platform === 'darwin' ? known.toReversed() : known
  const found = ordered.find(([name]) => findProgram(name, env) !== undefined)
  const [first, ...rest] = found?.[1] ?? []
  return found && first !== undefined ? { name: found[0], argv: [first, ...rest] } : undefined
}

/** What to type to install tmux, which is missing here. */
export function tmuxHint(env: NodeJS.ProcessEnv): string {
  const installer = findInstaller(env)
  return installer
    ? `install it with: ${installer.argv.join(' ')} tmux`
    : 'install tmux 3.0 or newer with the package manager of your system'
}

/** Whether there is a program at a path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
