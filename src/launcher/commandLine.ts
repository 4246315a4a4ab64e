/**
 * Words that a shell runs itself, or that begin something which only a shell can read: no program
 * has to have such a name.
 */
const SHELL_WORDS = new Set(
  '. : [ alias bg break builtin case cd command continue declare do done elif else esac eval exec exit export false fc fg fi for function getopts hash if in jobs kill let local printf pwd read readonly return select set shift source test then time times trap true type typeset ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
)

/**
 * Whether a shell's command line is a program and its arguments: no operators, no variables set
 * before it, and nothing that the shell is itself.
 */
export function isOneProgram(command: string): boolean {
  const [first = ''] = command.trim().split(/\s/)
  return !/[;&|<>()`\n!{}]/.test(command) && !first.includes('=') && !SHELL_WORDS.has(first)
}

/**
 * The program that a command line begins with, as a name or a path; undefined for what only a shell
 * can tell. `userHome` is what the shell takes for a `~`.
 */
export function programOf(command: string, userHome: string | undefined): string | undefined {
  if (!isOneProgram(command)) return undefined
  const word = /^\s*(?:"([^"$`\\]+)"|'([^']+)'|([\w./~][\w./+@%:,-]*))(?:\s|$)/.exec(command)
  const [, double, single, plain = ''] = word ?? []
  const quoted = double ?? single
  if (quoted !== undefined) return quoted
  if (!plain.startsWith('~')) return plain || undefined
  return userHome && plain.startsWith('~/') ? `${userHome}${plain.slice(1)}` : undefined
}
