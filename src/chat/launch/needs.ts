import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { agentOf, howToInstall } from '../../agents/agents.ts'
import { CLAUDE } from '../../agents/claude.ts'
import { CodedError } from '../../errors.ts'
import { isOneProgram, programOf } from '../../launcher/commandLine.ts'
import { visibleLine } from '../../message/visible.ts'
import { findProgram, isExecutable, tmuxHint } from '../../system/programs.ts'
import { runQuietly } from '../../system/run.ts'
import { shellQuoted } from '../../system/shellQuoted.ts'

/**
 * Looks for what a start needs: its directory, and the agent's program: `claude`, or the one that the user's command line begins with, where that is
 * no more than a program. Throws `FILE_UNREADABLE` where the directory is gone, `PROGRAM_MISSING`
 * where the agent's own `PATH` has no such program, or there is none at the path, seen from `cwd`. `line` is the name with what else was typed and still
 * counts.
 */
export function requireAgent(
  line: string,
  command: string | null,
  env: NodeJS.ProcessEnv,
  cwd: string,
): void {
  if (!existsSync(cwd))
    throw new CodedError('FILE_UNREADABLE', `the directory ${visibleLine(cwd)} is gone`, {
      hint: `go to another one, then: agent-chat start ${line}`,
    })
  const program = command === null ? CLAUDE.programs[0] : programOf(command, env.HOME)
  if (program === undefined) return
  const isPath = program.includes('/')
  if (isPath ? isExecutable(resolve(cwd, program)) : findProgram(program, env) !== undefined) return
  const install =
    command === null
      ? `${howToInstall(CLAUDE)}; or start another agent: `
      : 'install it, or give its path: '
  throw new CodedError(
    'PROGRAM_MISSING',
    `${program} ${isPath ? 'is missing, or not a program' : 'is not installed, or not on PATH'}`,
    {
      hint: `${isPath ? 'give the path of a program: ' : install}agent-chat start ${line} --cmd "<command>"`,
    },
  )
}

/**
 * The command line that the user asked for, and the agent that it starts, if they say; null for
 * Claude Code. Throws `USAGE` for a command line with nothing in it.
 */
export function agentCommand(
  name: string,
  { agent, cmd }: { agent?: string; cmd?: string },
  env: NodeJS.ProcessEnv,
): { command: string | null; agent?: string } {
  const known = agentOf(agent)
  const command = cmd ?? (known ? undefined : env.AGENT_CHAT_CMD || undefined)
  if (command !== undefined && command.trim() === '')
    throw new CodedError('USAGE', `${cmd === undefined ? 'AGENT_CHAT_CMD' : '--cmd'} is empty`, {
      hint: `name a program: agent-chat start ${name} --cmd "<command>"; or leave it out for Claude Code`,
    })
  const program = known === undefined || known === CLAUDE ? undefined : known.programs[0]
  return { command: command ?? program ?? null, ...(known ? { agent: known.name } : {}) }
}

/** How long a shell may take to read a command line. In milliseconds. */
const READ_MS = 2000

/**
 * Whether no arguments can stand behind the user's command line. Only a shell knows; it is asked to
 * read, and runs nothing.
 */
export async function isClosed(
  command: string | null,
  agentArgs: string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  if (command === null || agentArgs.length === 0 || isOneProgram(command)) return false
  const { code } = await runQuietly(['sh', '-n', '-c', `${command} "$@"`], env, READ_MS)
  return code !== undefined && code !== 0
}

/**
 * A tmux session of its own needs tmux; an agent in this terminal does not. Throws
 * `PROGRAM_MISSING`.
 */
export function requireTmux(name: string, env: NodeJS.ProcessEnv): void {
  if (findProgram('tmux', env) !== undefined) return
  throw new CodedError('PROGRAM_MISSING', 'tmux is not installed, or not on PATH', {
    hint: `${tmuxHint(env)}; or run the agent in this terminal: agent-chat start ${name} --no-tmux`,
  })
}

/**
 * What to type to see an agent end in this terminal; without `command` where it is the user's own
 * choice that nothing tells any more.
 */
export function hereLine(name: string, command: string | null): string {
  const quoted = command === null ? '' : ` --cmd ${shellQuoted(command)}`
  return `agent-chat start ${name} --no-tmux${quoted}`
}
