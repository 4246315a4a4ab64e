import type { Operand } from './operand.ts'
import { exactly, operandsOf } from './options.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'

// Programs that are judged by what their words say: numbers, times and formats.

/** Its words may be names of machines, which it asks the network for, or begin what does not end. */
export function judgeLsof(args: Operand[]): void {
  const all = exactly(/^-([nPlt]+|[nPlt]*i((tcp|udp|[46])*(:[\d,-]+)?))$/i, /^-[pcu]$/, args)
  if (!all.every(({ value }) => /^((tcp|udp|[46])*:[\d,-]+|[\w./][\w./-]*)$/i.test(value ?? '')))
    doubt('lsof with a word of an unusual form')
}

/** A longer one ends in the background, and wakes the agent. */
export function needShort(args: Operand[], { inLoop }: Scope): void {
  const short = inLoop ? /^\d(\.\d+)?$/ : /^\d{1,2}(\.\d+)?$/
  if (args.length !== 1 || !short.test(args[0]?.value ?? ''))
    doubt(`a sleep of ${inLoop ? 10 : 100} seconds or more, or of an unknown length`)
}

/**
 * A number is calculated, which in zsh runs what stands in a subscript, and `%n` sets a variable.
 */
export function judgePrintf([format, ...args]: Operand[]): void {
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

/** Words of a jq program that may calculate without an end. */
const ENDLESS = /(^|[^\w.$])(repeat|until|while|def|infinite)([^\w]|$)/

/** Asks at a word that is a jq program, or may be, which may go on for ever. */
export function needEnd(args: Operand[]): void {
  if (args.some(({ value }) => ENDLESS.test(value ?? ''))) doubt('a jq program that may not end')
}

/** Every other word sets the clock. */
export function judgeDate(args: Operand[]): void {
  const others = args.filter(
    ({ value }) => !/^-I(date|hours|minutes|seconds|ns)$/.test(value ?? ''),
  )
  const operands = operandsOf(others, {
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
export function judgeSeq(args: Operand[]): void {
  const [, step] = args.length === 3 ? args : []
  const endless = /^\s|^[-+]?(inf|nan|0x|\d{8}|[\d.]+e)|\.\d{4}/i
  if (
    args.some(({ value }) => value === undefined || endless.test(value)) ||
    step?.value?.includes('.')
  )
    doubt('a list of numbers that may not end')
}

export function needSettings(args: Operand[]): void {
  if (
    !/^((-[eu]+|\+[eu]+)( |$)|-[eu]*o pipefail( |$))+$/.test(
      args.map(({ value }) => value ?? '?').join(' '),
    )
  )
    doubt('changing settings of the shell')
}

export function needNumbers(args: Operand[]): void {
  if (args.length > 1 || args.some(({ number }) => !number))
    doubt('an argument other than one number')
}
