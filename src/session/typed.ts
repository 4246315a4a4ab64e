import { TELLING_MARKS } from '../agents/agents.ts'
import { argumentsOf, hasVariable } from '../system/commandLine.ts'
import type { Processes, ProcessInfo } from '../system/processes.ts'
import { wordList } from '../system/wordList.ts'
import { ancestors } from './agent.ts'

const SHELLS = wordList('sh bash dash ash zsh fish ksh mksh tcsh csh nu xonsh elvish pwsh')

/** Options with which a shell reads its commands from its terminal all the same. */
const INTERACTIVE = /^(-[il]+|--(login|interactive|norc|noprofile|posix|no-rcs)|-f|-NoLogo)$/
const WITH_FILE = /^--(rcfile|init-file)$/

/**
 * What is seen of a process: `args` as it was started, `marked` where an agent's program left its
 * marks.
 */
export type Seen = Pick<ProcessInfo, 'command' | 'group' | 'foreground'> & {
  args: string[] | undefined
  marked: boolean
}

/**
 * Whether a person typed the command that runs this process: it is in the foreground of a terminal,
 * as a job of a shell that reads its commands there, and no agent's program is known to be above.
 */
export function isTyped(processes: Pick<Processes, 'self' | 'find'>): boolean {
  const self = processes.find(processes.self().pid)
  if (!self) return false
  const all = [self, ...ancestors(processes, self.pid)]
  return isTypedBelow(
    all.map((info) => ({
      ...info,
      args: argumentsOf(info.pid),
      marked: hasVariable(info.pid, TELLING_MARKS),
    })),
  )
}

/** As `isTyped`, of a process and those above it, the nearest first. */
export function isTypedBelow([self, ...above]: Seen[]): boolean {
  if (!self || self.foreground <= 0 || self.group !== self.foreground) return false
  if ([self, ...above].some(({ marked }) => marked)) return false
  const start = above.findIndex(({ group }) => group !== self.group)
  const shell = start < 0 ? undefined : above[start]
  // A script of the person's own may stand between; any other program may be an agent.
  return shell !== undefined && above.slice(0, start).every(isShell) && readsTerminal(shell, self)
}

function isShell({ command }: Seen): boolean {
  return SHELLS.has(command.replace(/^-/, ''))
}

function readsTerminal(shell: Seen, { foreground }: Seen): boolean {
  if (!isShell(shell) || shell.foreground !== foreground || shell.args === undefined) return false
  const options = shell.args.slice(1)
  return options.every(
    (option, at) =>
      INTERACTIVE.test(option) || WITH_FILE.test(option) || WITH_FILE.test(options[at - 1] ?? ''),
  )
}
