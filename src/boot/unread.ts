import { builtin } from './builtin.ts'

/** What to do, by the code with which the system would not open a file of ours. */
const REMEDIES: Record<string, string> = {
  EMFILE: 'raise the limit with: ulimit -n 4096',
  ENFILE: 'close some programs, then try again',
  EACCES: 'let your user read the files of agent-chat: look at them with ls -l',
}
const REINSTALL = 'install agent-chat again, then check it with: agent-chat doctor'

/**
 * Answers for a program of which a file could not be opened, as the program would: a command says
 * what and a hint, a hook is silent, and one that judges a call asks. Gives the exit code, or
 * undefined for any other error.
 *
 * It opens no file: often the reason is that no more may be open.
 */
export function answerUnread(
  error: unknown,
  who: 'command' | 'hook' | 'judge',
): 0 | 1 | 2 | undefined {
  const { code, syscall, message: reason } = error as NodeJS.ErrnoException
  if (!(error instanceof Error) || code === undefined || syscall === undefined) return undefined
  const message = `cannot read its own files: ${reason}`
  const hint = REMEDIES[code] ?? REINSTALL
  if (who === 'judge') return ask(`${message}; ${hint}`)
  if (who === 'hook') return 0
  const json = JSON.stringify({ error: { code: 'FAULT', message, hint } })
  say(2, process.argv.includes('--json') ? json : `agent-chat: ${message}\n  hint: ${hint}`)
  return 1
}

/**
 * A call that nobody can judge is put to the human, where any session is registered. Claude Code
 * has a dialog for it. Another agent is named, and is a session only with a name from the launcher;
 * each takes 2, or these fields, for a no.
 */
function ask(reason: string): 0 | 2 {
  const { env, argv } = process
  const { existsSync } = builtin('node:fs')
  if (!existsSync(`${env.AGENT_CHAT_HOME || `${env.HOME}/agent-chat`}/sessions.json`)) return 0
  const [, , , agent] = argv
  const isClaude = agent === undefined
  if (!isClaude && !env.AGENT_CHAT_NAME) return 0
  const call = {
    permissionDecision: isClaude ? 'ask' : 'deny',
    permissionDecisionReason: `agent-chat could not judge this call: it ${reason}`,
  }
  const asked = { hookSpecificOutput: { hookEventName: 'PreToolUse', ...call } }
  say(1, JSON.stringify(isClaude ? asked : call))
  if (isClaude) return 0
  say(2, call.permissionDecisionReason)
  return 2
}

function say(fd: number, text: string): void {
  try {
    builtin('node:fs').writeSync(fd, `${text}\n`)
  } catch {
    // Nobody listens.
  }
}
