import { CodedError } from '../../errors.ts'
import { programOf } from '../../launcher/plan.ts'
import { findProgram, installHint } from '../../system/programs.ts'

/**
 * The agent's program: `claude`, or the one that the user's command line begins with, where that is no more than a program. Throws `PROGRAM_MISSING`
 * where the agent's own `PATH` has none. `line` is the name with what else was typed and still counts.
 */
export function requireAgent(line: string, command: string | null, env: NodeJS.ProcessEnv): void {
  const program = command === null ? 'claude' : programOf(command)
  if (program === undefined || findProgram(program, env) !== undefined) return
  const install =
    command === null ? `${installHint('claude', env)}; or start another agent: ` : 'install it, or give its path: '
  throw new CodedError('PROGRAM_MISSING', `${program} is not installed, or not on PATH`, {
    hint: `${install}agent-chat ${line} --cmd "<command>"`,
  })
}

/** A tmux session of its own needs tmux; an agent in this terminal does not. Throws `PROGRAM_MISSING`. */
export function requireTmux(name: string, env: NodeJS.ProcessEnv): void {
  if (findProgram('tmux', env) !== undefined) return
  throw new CodedError('PROGRAM_MISSING', 'tmux is not installed, or not on PATH', {
    hint: `${installHint('tmux', env)}; or run the agent in this terminal: agent-chat ${name} --no-tmux`,
  })
}

/** What to type to see an agent end in this terminal; without `command` where it is the user's own choice that nothing tells any more. */
export function hereLine(name: string, command: string | null): string {
  const quoted = command === null ? '' : ` --cmd '${command.replaceAll("'", "'\\''")}'`
  return `agent-chat ${name} --no-tmux${quoted}`
}
