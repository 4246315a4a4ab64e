import { isMac } from './machine.ts'
import { findProgram } from './programs.ts'
import { spawnDetached } from './spawn.ts'

const TITLE = 'agent-chat'

/** AppleScript that takes the text as an argument: quotes in the script could end its string. */
const SCRIPT = [
  'on run argv',
  `display notification (item 1 of argv) with title "${TITLE}"`,
  'end run',
]

/** Whether there is a desktop here that can show a notification. */
export function canNotify(env: NodeJS.ProcessEnv): boolean {
  return notifyArgv('', env) !== undefined
}

/** Has the desktop show a line, and does not wait for it. Gives whether the program started. */
export function notify(text: string, env: NodeJS.ProcessEnv): boolean {
  const argv = notifyArgv(text, env)
  return argv !== undefined && spawnDetached(argv, env, '/') !== undefined
}

/** The command for a notification: `osascript` on a Mac, `notify-send` where there is a display. */
export function notifyArgv(
  text: string,
  env: NodeJS.ProcessEnv,
  mac = isMac(),
): [string, ...string[]] | undefined {
  if (!mac && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined
  const program = findProgram(mac ? 'osascript' : 'notify-send', env)
  if (program === undefined) return undefined
  return mac ? [program, ...SCRIPT.flatMap((line) => ['-e', line]), text] : [program, TITLE, text]
}

/** Has the desktop open a file with its own program. Gives whether there is one to ask. */
export function openPath(path: string, env: NodeJS.ProcessEnv): boolean {
  const mac = isMac()
  if (!mac && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false
  const program = findProgram(mac ? 'open' : 'xdg-open', env)
  return program !== undefined && spawnDetached([program, path], env, '/') !== undefined
}
