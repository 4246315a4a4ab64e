import { judgeAwk } from './awk.ts'
import { judgeTest } from './condition.ts'
import { needPlain } from './files.ts'
import { judgeFind, judgeXargs } from './find.ts'
import { nameOf } from './nodes.ts'
import type { Operand } from './operand.ts'
import {
  exactly,
  type Options,
  operandsOf,
  optionsFirst,
  without,
  withoutNamed,
} from './options.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'
import { judgeSed } from './sed.ts'
import { isFact } from './toolchain.ts'

/**
 * How a program is judged. `any`: no option of it does more than read. A pattern: the options,
 * abbreviated ones included, that would make it write or run something, or wait for what comes: the
 * host takes a command that does not end into the background, and wakes the agent when it does.
 * Options: those that it may be given.
 */
type Rule = 'any' | RegExp | Options | ((args: Operand[], scope: Scope) => void)

/** Programs that open no file that they are given, or look at it only. */
const LOOKING =
  '[ [[ basename break command continue date df dirname du echo exit expr false find id ls printf pwd readlink realpath seq set stat test true type uname which whoami :'.split(
    ' ',
  )

const READING =
  'b2sum cat cksum cmp column comm cut diff egrep expand fgrep fold groups grep head hexdump jq join look md5 md5sum nl nproc od paste pr ps rev rg sha1sum sha224sum sha256sum sha384sum sha512sum shasum strings sum tac tr tsort unexpand uptime users wc whereis who'

let rules: Record<string, Rule> | undefined

/** The table is made when a program is first judged: most calls of tools are judged by none. */
function ruleOf(program: string): Rule | undefined {
  rules ??= makeRules()
  return Object.hasOwn(rules, program) ? rules[program] : undefined
}

const makeRules = (): Record<string, Rule> => ({
  ...Object.fromEntries([...LOOKING, ...READING.split(' ')].map((name) => [name, 'any' as const])),
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
  ...Object.fromEntries(['grep', 'egrep', 'fgrep'].map((name) => [name, isNoUgrep])),
  jq: (args, scope) => withoutThere(/^(-[a-zA-Z]*i|--in-)/, args, scope),
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
  hostname: (args) => needNone(operandsOf(args, { flags: 'sfiId' })),
  lsof: judgeLsof,
  pgrep: { flags: 'aflLnoxvci', values: 'uUPGgst' },
  printf: judgePrintf,
  rg: /^(-[^-]*z|--(pre|hostname-bin|sea))/,
  sed: judgeSed,
  set: (args) => needSettings(args),
  sleep: (args) => needShort(args),
  // What it is to look for may be the name of a machine, which it asks the network for.
  ss: (args) => needNone(operandsOf(args, { flags: 'tulnpaxsoemH046' })),
  shuf: { flags: 'ez', values: 'in' },
  sort: /^(-[^-]*[oT]|--[otc])/,
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
  if (!LOOKING.includes(program)) needPlain(args, scope)
}

/** Judges what another program runs, with words that it finds itself. */
function judgeRun([program, ...args]: Operand[], scope: Scope): void {
  const name = program?.value
  if (name === undefined || NO_PROGRAM_OF_OTHERS.test(nameOf(name)))
    doubt('a program that runs another')
  judgeProgram(name, args, scope)
}

/** Where `grep` is another one of that syntax, it may run programs and write its settings. */
function isNoUgrep(args: Operand[], scope: Scope): void {
  const denied = /^(-[a-zA-Z]*[QD]|---|--(config|dev|filter|pager|query|save-config|tui|view))/
  withoutThere(denied, args, scope)
}

/** Asks at one of these options, and at a word that may be the name of a file that is one. */
function withoutThere(denied: RegExp, args: Operand[], { directories, place }: Scope): void {
  withoutNamed(denied, args)
  const mayBeFile = args.some(({ start, value }) => start === '' && value !== '')
  if (mayBeFile && directories.some((directory) => place.holdsOptions(directory)))
    doubt('a directory with a file whose name begins with -')
}

function needNumbers(args: Operand[]): void {
  if (args.length > 1 || args.some(({ number }) => !number))
    doubt('an argument other than one number')
}

function needWords(args: Operand[], right: boolean): void {
  if (
    !right ||
    args.some(({ value }) => value === undefined || (/^-/.test(value) && !/^-[tpa]$/.test(value)))
  )
    doubt('a program that runs another')
}

/** Its words may be names of machines, which it asks the network for, or begin what does not end. */
function judgeLsof(args: Operand[]): void {
  const all = exactly(/^-([nPlt]+|[nPlt]*i((tcp|udp|[46])*(:[\d,-]+)?))$/i, /^-[pcu]$/, args)
  if (!all.every(({ value }) => /^((tcp|udp|[46])*:[\d,-]+|[\w./][\w./-]*)$/i.test(value ?? '')))
    doubt('lsof with a word of an unusual form')
}

/** A longer one ends in the background, and wakes the agent. */
function needShort(args: Operand[]): void {
  if (args.length !== 1 || !/^\d{1,2}(\.\d+)?$/.test(args[0]?.value ?? ''))
    doubt('a sleep of 100 seconds or more, or of an unknown length')
}

function needNone(operands: Operand[]): void {
  if (operands.length > 0) doubt('an argument that sets something')
}

/** A second file would be written. */
function needOne(operands: Operand[]): void {
  if (operands.length > 1 || operands.some(({ many }) => many))
    doubt('a second file, which would be overwritten')
}

function needSettings(args: Operand[]): void {
  if (
    !/^((-[eu]+|\+[eu]+)( |$)|-[eu]*o pipefail( |$))+$/.test(
      args.map(({ value }) => value ?? '?').join(' '),
    )
  )
    doubt('changing settings of the shell')
}

/**
 * A number is calculated, which in zsh runs what stands in a subscript, and `%n` sets a variable.
 */
function judgePrintf([format, ...args]: Operand[]): void {
  const text = format?.value
  if (text === undefined || text.startsWith('-')) doubt('a format that is only known when it runs')
  // zsh makes a `%` of `\u0025` before it reads the format.
  if (/\\u/i.test(text)) doubt('a format of an unusual form')
  const known = /%(?:%|[-+ 0#]*\d*(?:\.\d+)?([sbqcdiuxXof]))/g
  const signs = [...text.matchAll(known)].flatMap(([, sign]) => sign ?? [])
  if (text.replaceAll(known, '').includes('%')) doubt('a format of an unusual form')
  const isText = (at: number) => 'sbqc'.includes(signs[at % signs.length] ?? 's')
  const many = args.some((arg) => arg.many) && !signs.every((_, at) => isText(at))
  if (many || args.some(({ number, value }, at) => !isText(at) && !(number && value !== '')))
    doubt('a number that printf would evaluate')
}

/** Every other word sets the clock. */
function judgeDate(args: Operand[]): void {
  const operands = operandsOf(args, {
    flags: 'uRjI',
    values: 'drv',
    long: ['utc', 'rfc-email'],
    longValues: ['date', 'reference', 'rfc-3339'],
    optional: ['iso-8601'],
  })
  if (!operands.every(({ start, many }) => start.startsWith('+') && !many))
    doubt('date may set the clock')
}

/** Numbers without an end, or with one that nobody waits for. */
function judgeSeq(args: Operand[]): void {
  if (args.some(({ value }) => /^\s|^[-+]?(inf|nan|0x|\d{8}|[\d.]+e)|\.\d{4}/i.test(value ?? '')))
    doubt('a list of numbers that may not end')
}
