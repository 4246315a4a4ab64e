/** What a shell command does, as far as its text tells: one of our own verbs, plain reading, or anything else. */
export type Effect = 'own' | 'reading' | 'changing'

/** Our verbs that a turn without the human's word may use: each has rules of its own, or only reads. The launcher is not among them. */
const OWN = new Set(
  'send inbox history show who gate pause approve resume reply thread ask task tasks accept decline done fail status escalate search stats'.split(
    ' ',
  ),
)

/**
 * Programs that only read, each with the options, abbreviated ones included, that would make it write or run something, or wait for what comes: the host takes a
 * command that does not end into the background, and wakes the agent when it does.
 */
const READERS: Record<string, RegExp | null> = {
  basename: null,
  cat: null,
  cd: null,
  cmp: null,
  comm: null,
  cut: null,
  df: null,
  diff: null,
  dirname: null,
  du: null,
  echo: null,
  false: null,
  file: /^(-[^-]*C|--c)/,
  find: /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/,
  grep: null,
  head: null,
  id: null,
  jq: null,
  ls: null,
  nl: null,
  pwd: null,
  readlink: null,
  realpath: null,
  rg: /^--(pre|hostname-bin)/,
  sort: /^(-[^-]*[oT]|--[otc])/,
  stat: null,
  tail: /^([-+][^-]*[fF]|--[fr])/,
  tr: null,
  true: null,
  uname: null,
  wc: null,
  which: null,
  whoami: null,
}

/** Subcommands of git that read, and options of theirs that write or run something. */
const GIT = new Set('blame diff grep log ls-files ls-tree rev-parse shortlog show status'.split(' '))
const GIT_WRITES = /^(--o(?!neline$|nly-matching$)|--ext|--te|-[^-]*O)/

/** Options with which a command of ours runs git. */
const WITH_GIT = /^--(with-diffstat|handover)/

/**
 * The effect of a Bash command. It counts as reading, or as ours, only when all of it is plainly so. `isOwn`: whether git, run in a directory as seen from where the
 * command is, obeys no other repository than the session's. What git runs for a repository is that repository's to say; its own is its user's.
 */
export function effectOf(command: string, isOwn: (directory: string) => boolean): Effect {
  const parts = partsOf(command)
  if (parts === undefined || parts.length === 0) return 'changing'
  const moves = parts.filter(([program]) => program === 'cd')
  if (parts.some(runsGit) && (moves.length > 0 || !isOwn('.'))) return 'changing'
  if (moves.length > 1 || !moves.every((move) => staysIn(move, isOwn))) return 'changing'
  const effects = parts.map(effectOfOne)
  if (effects.includes('changing')) return 'changing'
  return effects.includes('own') ? 'own' : 'reading'
}

/** Whether a command does nothing but `agent-chat ask`: it ends, and what it wakes for has rules of its own. */
export function onlyAsks(command: string): boolean {
  const [one, ...more] = partsOf(command) ?? []
  return more.length === 0 && one?.[0] === 'agent-chat' && one[1] === 'ask'
}

/** The commands of a text, each as its words; undefined where that cannot be told. */
function partsOf(command: string): string[][] | undefined {
  // A shell leaves some of these out, and what it then sees is another text than this.
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(command)) return undefined
  const text = withoutHeredoc(command.trim())
  return text === undefined ? undefined : words(text)
}

function effectOfOne(argv: string[]): Effect {
  const [program = '', ...args] = argv
  if (program === 'agent-chat') return OWN.has(args[0] ?? '') && !args.includes('--follow') ? 'own' : 'changing'
  if (program === 'git')
    return GIT.has(args[0] ?? '') && !args.some((arg) => GIT_WRITES.test(arg)) ? 'reading' : 'changing'
  const writes = Object.hasOwn(READERS, program) ? READERS[program] : undefined
  if (writes === undefined) return 'changing'
  return writes !== null && args.some((arg) => writes.test(arg)) ? 'changing' : 'reading'
}

/**
 * Whether a `cd` leads to where git may run. The host's next command begins there, and one that it was given together with this one, and that was judged where
 * they both began, may begin there too.
 */
function staysIn([, directory = '', ...more]: string[], isOwn: (directory: string) => boolean): boolean {
  return more.length === 0 && !/^(-|$)/.test(directory) && isOwn(directory)
}

function runsGit([program, ...args]: string[]): boolean {
  return program === 'git' || (program === 'agent-chat' && args.some((arg) => WITH_GIT.test(arg)))
}

/** One of our commands with its message in a quoted heredoc, in which a shell changes nothing: the command alone. */
function withoutHeredoc(command: string): string | undefined {
  const match = /^(agent-chat [^\n<]*?)[ \t]*<<[ \t]*(['"])(\w+)\2[ \t]*\n([\s\S]*)$/.exec(command)
  if (!match) return command
  const [, first = '', , end = '', rest = ''] = match
  const lines = rest.split('\n')
  const at = lines.indexOf(end)
  return at >= 0 && lines.slice(at + 1).every((line) => line.trim() === '') ? first : undefined
}

/** The commands of a line, each as its words; undefined where the shell would do more with it than split it. */
function words(text: string): string[][] | undefined {
  const commands: string[][] = [[]]
  const token = /[ \t]*(?:(&&|\|\||;|\|)|((?:[^\s'"\\$`<>(){}&|;*?[\]~!#\n]|'[^']*'|"[^"\\$`]*")+))/y
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (!match) return undefined
    if (match[1] !== undefined) commands.push([])
    else commands.at(-1)?.push((match[2] ?? '').replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
    if (/^[ \t]*$/.test(text.slice(token.lastIndex))) break
  }
  // An assignment before a command changes what the command is.
  const plain = commands.every((argv) => argv.length > 0 && !/^\w+=/.test(argv[0] ?? ''))
  return plain ? commands : undefined
}
