import { wordList } from '../../system/wordList.ts'
import { needPlain } from './files.ts'
import { NO_OPTION, type Operand } from './operand.ts'
import {
  mayBeValue,
  type Options,
  operandsOf,
  optionsFirst,
  optionText,
  without,
} from './options.ts'
import { composed, type Scope } from './scope.ts'
import { doubt } from './script.ts'

/**
 * Options, abbreviated ones included, with which a subcommand that shows writes a file, runs a
 * program of the user's choice or a check of signatures, or git in another repository.
 */
const DOES =
  /^(--o(?!neline$|nly-matching$|thers$)|--ext|--te|--show-s|--sub|--rec|--reme|--diff-m[a-z-]*(=r|$)|--sho?w?$|--help|-[^-]*O)|%[-+ ]?G|%\(\*?sig|%\(trailers.*cmd/
const SORTS_BY_SIGNATURE = /^(--sort=)?[-:*\w]*signature/
/** Subcommands that show, with any other option. */
const SHOWS = wordList(
  'annotate blame cherry diff diff-tree diff-files diff-index grep log ls-files ls-tree merge-base name-rev range-diff rev-list rev-parse shortlog show show-ref status whatchanged',
)
/** Those of them that look into repositories that this one holds as commits. */
const LOOKS_INSIDE = wordList('describe diff diff-files diff-index status')
const NOT_INSIDE = /^--(ignore-submodules(=(all|dirty))?|cached|staged)$/

/** Settings that change how a thing is shown, and nothing else. */
const SETTING =
  /^(color\.[a-z.]+=(always|auto|false|never|true)|core\.(quotepath|quotePath)=(on|off|true|false)|core\.pager=cat|core\.fsmonitor=false|log\.showSignature=false)$/

const refs = (): Options => ({
  flags: 'arvi',
  long: [
    'all',
    'remotes',
    'verbose',
    'show-current',
    'list',
    'ignore-case',
    'no-color',
    'no-column',
    'no-abbrev',
    'merged',
    'no-merged',
    'contains',
    'no-contains',
    'points-at',
  ],
  longValues: [
    'sort',
    'format',
    'merged',
    'no-merged',
    'contains',
    'no-contains',
    'points-at',
    'count',
    'exclude',
  ],
  optional: ['color', 'column', 'abbrev'],
})

/**
 * Subcommands that also change things, each with the options and operands with which it does not.
 */
const makeLists = (): Record<string, (args: Operand[]) => void> => ({
  branch: (args) =>
    list(args, refs(), /^--(list|contains|no-contains|merged|no-merged|points-at)(=|$)/),
  tag: (args) =>
    list(
      args,
      { ...refs(), flags: 'lin0123456789' },
      /^(-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)(=|$)/,
    ),
  'for-each-ref': (args) => list(args, refs(), undefined),
  describe: (args) =>
    list(
      args,
      {
        flags: '',
        long: ['all', 'tags', 'always', 'long', 'contains', 'exact-match', 'first-parent', 'dirty'],
        longValues: ['match', 'exclude', 'candidates'],
        optional: ['abbrev'],
      },
      undefined,
    ),
  'cat-file': (args) => list(args, { flags: 'ptse' }, undefined),
  'check-ignore': (args) =>
    list(args, { flags: 'qvn', long: ['quiet', 'verbose', 'no-index'] }, undefined),
  'count-objects': (args) => list(args, { flags: 'vH' }, undefined),
  'symbolic-ref': (args) =>
    operandCount(operandsOf(args, { flags: 'q', long: ['short', 'quiet'] }), 1),
  config: judgeConfig,
  reflog: (args) => verbs(args, /^(show)?$/, DOES),
  remote: (args) =>
    args.every(({ value }) => value === '-v' || value === '--verbose')
      ? undefined
      : verbs(args, /^get-url$/, /^-(?!-(all|push)$)/),
  stash: (args) => verbs(args, /^(list|show)$/, DOES),
  worktree: (args) => verbs(args, /^list$/, /^-(?!(v|z|-porcelain|-verbose)$)/),
})

let lists: ReturnType<typeof makeLists> | undefined

/** Judges git with its words, in each directory where it may run. Throws `Doubt`. */
export function judgeGit(args: Operand[], scope: Scope): void {
  if (args.length === 1 && args[0]?.value === '--version') return
  let at = 0
  let directories = scope.directories
  for (; args[at]?.value?.startsWith('-'); at += 1) {
    const option = args[at]?.value ?? ''
    const value = args[at + 1]?.value
    if (/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(option)) continue
    at += 1
    if (option === '-C' && value) directories = directories.map((from) => composed(from, value))
    else if (option !== '-c' || !SETTING.test(value ?? '')) doubt(`git ${option}`)
  }
  needOwn(directories, scope)
  judgeSubcommand(
    args[at]?.value ?? doubt('git with a subcommand that is only known when it runs'),
    args.slice(at + 1),
    {
      ...scope,
      directories,
    },
  )
}

/**
 * Asks where git would obey another repository, in one of the directories where it may run. The
 * commands of a turn share their directory, and run side by side: another one may have left it, and
 * a name alone then leads to another place.
 */
export function needOwn(directories: string[], { place }: Scope): void {
  if (directories.some((directory) => directory !== '.' && !directory.startsWith('/')))
    doubt('git in a directory given by a name, not by its whole path')
  if (!directories.every((directory) => place.isOwn(directory)))
    doubt('git in a directory that may belong to another repository')
}

function judgeSubcommand(name: string, args: Operand[], scope: Scope): void {
  if (SHOWS.has(name))
    without(
      DOES,
      args.map((arg) => asRevision(arg, scope)),
    )
  else judgeListing(name, args)
  needFormats(args)
  // Behind `--` nothing is an option, but for git's own `--help`.
  if (args.some(({ value }) => value === '--help')) doubt('git --help')
  if (
    LOOKS_INSIDE.has(name) &&
    !staysOutside(args) &&
    scope.directories.some((directory) => scope.place.holdsOthers(directory))
  )
    doubt(`git ${name} in a repository with submodules`)
  needPlain(
    args.filter(({ value }) => value !== undefined),
    scope,
  )
}

/**
 * `^$(git merge-base …)` is no option: not even in a zsh that takes `^` for a pattern, where no file
 * has a name that is one.
 */
function asRevision(arg: Operand, { directories, place }: Scope): Operand {
  if (!arg.globbed || arg.shape !== '^?') return arg
  return directories.some((directory) => place.holdsOptions(directory))
    ? arg
    : { ...arg, start: NO_OPTION }
}

/** The table is made when it is first asked: most commands of git need none of it. */
function judgeListing(name: string, args: Operand[]): void {
  lists ??= makeLists()
  const judge = Object.hasOwn(lists, name) ? lists[name] : undefined
  if (judge) judge(args)
  else doubt(`git ${name}`)
}

/** A format may ask for a check of signatures. */
function needFormats(args: Operand[]): void {
  for (const [at, { value, start }] of args.entries())
    if (
      value === undefined &&
      (/^--(diff-merges|format|group|pretty|sort)=/.test(start) ||
        /^--(format|group|sort)$/.test(args[at - 1]?.value ?? ''))
    )
      doubt('a format of git that is only known when it runs')
}

/** The words before `--`, behind which none is an option. */
function beforeEnd(args: Operand[]): Operand[] {
  const end = args.findIndex(({ value }) => value === '--')
  return end < 0 ? args : args.slice(0, end)
}

/** Whether git is told not to look into other repositories, and nothing else about it. */
function staysOutside(args: Operand[]): boolean {
  const words = beforeEnd(args)
  const options = words.flatMap(({ value }) => value ?? [])
  return (
    words.some(({ value }, at) => NOT_INSIDE.test(value ?? '') && !mayBeValue(words, at)) &&
    !options.some((option) => /^--(ig|no-i)/.test(option) && !NOT_INSIDE.test(option))
  )
}

/** A list, with operands only where `picks` says that they are to be found. */
function list(args: Operand[], options: Options, picks: RegExp | undefined): void {
  const operands = operandsOf(args, options)
  if (args.some(({ start }) => DOES.test(start) || SORTS_BY_SIGNATURE.test(start)))
    doubt('checking signatures, which runs a program')
  const picked = picks === undefined || beforeEnd(args).some(({ value }) => picks.test(value ?? ''))
  if (operands.length > 0 && !picked) doubt('git would create a branch or tag')
}

function operandCount(operands: Operand[], most: number): void {
  if (operands.length > most || operands.some(({ many }) => many))
    doubt('an argument that sets something')
}

/** A subcommand whose first word says what is done. */
function verbs(args: Operand[], reading: RegExp, denied: RegExp): void {
  const [first, ...more] = args
  const word = first === undefined ? '' : optionText(first)
  const isOption = word.startsWith('-') && reading.test('')
  if (!reading.test(word) && !isOption) doubt(`git with ${word}`)
  without(denied, isOption ? args : more, false)
}

/** `config`: a name alone is asked for, and with a value it is set. */
function judgeConfig(args: Operand[]): void {
  const named = operandsOf(args, {
    flags: 'lz',
    long: [
      'get',
      'get-all',
      'get-regexp',
      'list',
      'local',
      'global',
      'system',
      'worktree',
      'show-origin',
      'show-scope',
      'name-only',
      'null',
      'includes',
      'no-includes',
      'bool',
      'int',
      'path',
    ],
    longValues: ['type', 'default'],
  })
  const operands = optionsFirst(args, named)
  const asks = args.some(({ value }) =>
    /^(-l|--list|--get|--get-all|--get-regexp)$/.test(value ?? ''),
  )
  if (!asks) operandCount(operands, 1)
  if (
    /^(edit|set|unset|rename-section|remove-section|-e)$/.test(
      operands[0]?.value ?? (asks ? '' : 'edit'),
    )
  )
    doubt('git config')
}
