import { wordList } from '../../system/wordList.ts'
import { judgeAwk } from './awk.ts'
import { judgeTest } from './condition.ts'
import { needPlain } from './files.ts'
import { judgeFind, judgeXargs } from './find.ts'
import { judgeNodeLine } from './nodeLine.ts'
import { nameOf } from './nodes.ts'
import type { Operand } from './operand.ts'
import {
  endOfOptions,
  exactly,
  mayBeValue,
  type Options,
  operandsOf,
  optionsFirst,
  without,
  withoutNamed,
} from './options.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'
import { judgeSed } from './sed.ts'
import { judgeDocker, judgeGh, judgeJournal, judgeKubectl, judgeSystemctl } from './services.ts'
import { judgeSqlite } from './sqlite.ts'
import { isFact } from './toolchain.ts'
import {
  judgeDate,
  judgeLsof,
  judgePrintf,
  judgeSeq,
  needEnd,
  needNumbers,
  needSettings,
  needShort,
} from './values.ts'

/**
 * How a program is judged. `any`: no option of it does more than read. A pattern: the options,
 * abbreviated ones included, that would make it write or run something, or wait for what comes: the
 * host takes a command that does not end into the background, and wakes the agent when it does.
 * Options: those that it may be given.
 */
type Rule = 'any' | RegExp | Options | ((args: Operand[], scope: Scope) => void)

/** Programs that open no file that they are given, or look at it only. */
const LOOKING = wordList(
  '[ [[ basename break command continue date df dirname docker echo exit expr false find gh id journalctl kubectl ls node printf pwd readlink realpath seq set stat systemctl test true type uname which whoami :',
)
/** Programs of which no option does more than read. */
const PLAIN = wordList(
  'basename cat cmp column comm cut dirname echo expand expr false fold groups head hexdump id join look ls md5 nl nproc od paste pr ps pwd readlink realpath rev stat strings sum tac tr true tsort uname unexpand uptime users whereis which who whoami :',
)
const GREPS = wordList('grep egrep fgrep')
const SUMS = 'b2sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum'

let rules: Record<string, Rule> | undefined

/** The table is made when it is first asked: the programs that are used most are not in it. */
function ruleOf(program: string): Rule | undefined {
  if (PLAIN.has(program)) return 'any'
  if (GREPS.has(program)) return isNoUgrep
  rules ??= makeRules()
  return Object.hasOwn(rules, program) ? rules[program] : undefined
}

const makeRules = (): Record<string, Rule> => ({
  ...sums(),
  wc: unnamed(/^--f/),
  du: unnamed(/^(-[^-]*X|--f|--exclude-)/),
  '[': (args) =>
    judgeTest(
      args.at(-1)?.value === ']' ? args.slice(0, -1) : doubt('a test without a closing bracket'),
    ),
  '[[': (args) =>
    judgeTest(
      args.at(-1)?.value === ']]' ? args.slice(0, -1) : doubt('a test without a closing bracket'),
    ),
  test: judgeTest,
  // Elsewhere it runs a program for an architecture.
  arch: (args) => needNone(args),
  df: /^--s/,
  seq: judgeSeq,
  jq: judgeJq,
  awk: judgeAwk,
  gawk: judgeAwk,
  mawk: judgeAwk,
  base64: { flags: 'dD', values: 'wi', long: ['decode'], longValues: ['wrap'] },
  break: (args) => needNumbers(args),
  continue: (args) => needNumbers(args),
  command: (args) => needWords(args.slice(1), /^-[vV]$/.test(args[0]?.value ?? '')),
  type: (args) => needWords(args, true),
  date: judgeDate,
  diff: /^(-[^-]*l|--p)/,
  docker: judgeDocker,
  exit: (args) => needNumbers(args),
  fd: {
    flags: 'HIauFgispL01q',
    values: 'dteEcSj',
    long: ['hidden', 'no-ignore', 'glob', 'absolute-path', 'follow', 'full-path'],
    longValues: ['type', 'extension', 'max-depth', 'min-depth', 'exclude', 'max-results', 'color'],
  },
  file: {
    flags: 'biILhNkr0',
    long: [
      'brief',
      'mime',
      'mime-type',
      'mime-encoding',
      'dereference',
      'no-dereference',
      'keep-going',
    ],
  },
  find: (args, scope) => judgeFind(args, (words) => judgeRun(words, scope)),
  free: { flags: 'bkmghltw' },
  gh: judgeGh,
  // Its other options ask the network for the name.
  hostname: (args) => needNone(operandsOf(args, { flags: 'sI' })),
  journalctl: judgeJournal,
  kubectl: judgeKubectl,
  lsof: judgeLsof,
  node: judgeNodeLine,
  pgrep: { flags: 'aflLnoxvci', values: 'uUPGgst' },
  printf: judgePrintf,
  rg: /^(-[^-]*z|--(pre|hostname-bin|sea))/,
  sed: judgeSed,
  set: (args) => needSettings(args),
  sleep: needShort,
  // What it is to look for may be the name of a machine, which it asks the network for.
  ss: (args) => needNone(operandsOf(args, { flags: 'tulnpaxsoemH046' })),
  shuf: { flags: 'ez', values: 'in' },
  sort: /^(-[^-]*[oT]|--[otcf])/,
  sqlite3: judgeSqlite,
  systemctl: judgeSystemctl,
  tail: /^([-+][^-]*[fF]|--[fr])/,
  tree: (args) => {
    exactly(
      /^(-[adfpushDirtCnFNQxqlgvU]+|--(noreport|dirsfirst|gitignore|prune|du))$/,
      /^-[LPI]$/,
      args,
    )
  },
  uniq: (args) =>
    needOne(
      optionsFirst(
        args,
        operandsOf(args, {
          flags: 'cdDuiz',
          values: 'fsw',
          long: ['count', 'repeated', 'unique', 'ignore-case'],
        }),
      ),
    ),
  xargs: (args, scope) => judgeXargs(args, (words) => judgeRun(words, scope)),
  xxd: (args) =>
    needOne(optionsFirst(args, exactly(/^-([abeEipu]|[clsgo]\d+)$/, /^-[clsgo]$/, args))),
})

/** With `-c` they open the files that another file names. */
function sums(): Record<string, Rule> {
  const rule = unnamed(/^(-[^-]*c|--c)/)
  return Object.fromEntries(SUMS.split(' ').map((name) => [name, rule]))
}

/** No option that plainly is one of these. */
function unnamed(denied: RegExp): (args: Operand[]) => void {
  return (args) => withoutNamed(denied, args)
}

/** Programs that are told on a line with others, as words of theirs, that they may run. */
const NO_PROGRAM_OF_OTHERS = /^(break|command|continue|exit|find|set|type|xargs)$/

/** Judges a program with its words. Throws `Doubt`. */
export function judgeProgram(named: string, args: Operand[], scope: Scope): void {
  const program = nameOf(named)
  const rule = ruleOf(program)
  if (isFact(program, args, scope)) return
  if (rule === undefined) doubt(`the program ${named}`)
  if (rule instanceof RegExp) without(rule, args)
  else if (typeof rule === 'function') rule(args, scope)
  else if (rule !== 'any') operandsOf(args, rule)
  if (!LOOKING.has(program)) needPlain(args, scope)
}

/** Judges what another program runs, with words that it finds itself. */
function judgeRun([program, ...args]: Operand[], scope: Scope): void {
  const name = program?.value
  if (name === undefined || NO_PROGRAM_OF_OTHERS.test(nameOf(name)))
    doubt('a program that runs another')
  judgeProgram(name, args, { ...scope, byOther: true })
}

/**
 * Where `grep` is another one of that syntax, it may run programs and write its settings. What
 * another program runs is not what the shell of the host has under that name.
 */
function isNoUgrep(args: Operand[], scope: Scope): void {
  withoutNamed(/^(-[a-zA-Z]*[QD]|---|--(config|dev|filter|pager|query|save-config|tui|view))/, args)
  const unclear = args.slice(0, endOfOptions(args)).filter((arg, at) => {
    const isPattern = args[at - 1]?.value === '-e' && !arg.many && !mayBeValue(args, at - 1)
    return isUnclear(arg) && !isPattern
  })
  if (!scope.byOther && !unclear.every(({ globbed }) => globbed))
    doubt('a word that may turn out to be an option')
  needNoSuchFile(unclear, scope)
}

function judgeJq(args: Operand[], scope: Scope): void {
  withoutNamed(/^(-[a-zA-Z]*i|--in-)/, args)
  needNoSuchFile(args.filter(isUnclear), scope)
  needEnd(args)
}

/** Whether nobody knows how a word begins. */
function isUnclear({ start, value }: Operand): boolean {
  return start === '' && value !== ''
}

/** Asks where one of these words may be the name of a file that is an option. */
function needNoSuchFile(words: Operand[], { directories, place }: Scope): void {
  if (words.length > 0 && directories.some((directory) => place.holdsOptions(directory)))
    doubt('a directory with a file whose name begins with -')
}

function needWords(args: Operand[], right: boolean): void {
  if (
    !right ||
    args.some(({ value }) => value === undefined || (/^-/.test(value) && !/^-[tpa]$/.test(value)))
  )
    doubt('a program that runs another')
}

function needNone(operands: Operand[]): void {
  if (operands.length > 0) doubt('an argument that sets something')
}

/** A second file would be written. */
function needOne(operands: Operand[]): void {
  if (operands.length > 1 || operands.some(({ many }) => many))
    doubt('a second file, which would be overwritten')
}
