import type { Operand } from './operand.ts'
import { doubt } from './script.ts'

/**
 * The options that a program may be given, as getopt reads them. `flags`: letters; `values`:
 * letters with a value; `long`: words; `longValues`: words with a value; `optional`: words with a
 * value that is joined to them, if they have one. What is not named asks, abbreviations too.
 */
export type Options = {
  flags: string
  values?: string
  long?: string[]
  longValues?: string[]
  optional?: string[]
}

/** Is told of each option with a value, and of the value where that is known. */
type Seen = (option: string, value: string | undefined) => void

/**
 * The operands that are no options and no values of options. Throws `Doubt` at every other option,
 * and at a word that may be one.
 */
export function operandsOf(args: Operand[], options: Options, seen: Seen = () => {}): Operand[] {
  const operands: Operand[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Operand
    if (arg.value === '--') return [...operands, ...args.slice(at + 1)]
    if (arg.value === '-' || arg.value === '' || !mayBeOption(arg)) operands.push(arg)
    else {
      const option = takesNext(arg, options, seen)
      if (option === undefined) continue
      at += 1
      needValue(arg, args[at])
      seen(option, args[at]?.value)
    }
  }
  return operands
}

/**
 * Gives the operands, and asks at an option behind the first of them. The program takes it for one
 * more operand, on some systems at least.
 */
export function optionsFirst(args: Operand[], operands: Operand[]): Operand[] {
  const [first] = operands
  const behind = first === undefined ? [] : args.slice(args.indexOf(first) + 1)
  if (behind.some((arg) => arg.value !== '' && mayBeOption(arg)))
    doubt('an option behind an operand')
  return operands
}

/** A value that looks like an option of its own could be taken for one. */
function needValue({ value: option = '' }: Operand, next: Operand | undefined): void {
  const looks = option.startsWith('--') && /^-(-|\w$)/.test(next?.value ?? '')
  if (next === undefined || next.many || looks) doubt(`the option ${option} without a value`)
}

/** Whether a word is an option, or could be one. */
export function mayBeOption({ start }: Operand): boolean {
  return start === '' || start.startsWith('-')
}

/**
 * The text of an option, up to its value where only that is unknown. Throws `Doubt` where more of
 * it is.
 */
export function optionText({ value, start }: Operand): string {
  if (value !== undefined) return value
  const known = /^--[\w-]+=/.exec(start)
  return known ? start : doubt('a word that may turn out to be an option')
}

/** The option whose value is the next word. */
function takesNext(arg: Operand, options: Options, seen: Seen): string | undefined {
  const { flags, values = '', long = [], longValues = [], optional = [] } = options
  const text = optionText(arg)
  if (text.startsWith('--')) {
    const [name = '', value] = text.slice(2).split(/=(.*)/s)
    if (longValues.includes(name)) {
      if (value === undefined) return name
      seen(name, arg.value === undefined ? undefined : value)
      return undefined
    }
    if (optional.includes(name)) return undefined
    return long.includes(name) && value === undefined ? undefined : doubt(`the option ${text}`)
  }
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (values.includes(letter)) {
      if (at === text.length - 1) return letter
      seen(letter, text.slice(at + 1).replace(/^=/, ''))
      return undefined
    }
    if (!flags.includes(letter)) doubt(`the option ${text}`)
  }
  return undefined
}

/** Asks at a word that plainly is one of these options. */
export function withoutNamed(denied: RegExp, args: Operand[]): void {
  for (const { start } of args) if (denied.test(start)) doubt(`the option ${start}`)
}

/**
 * Asks at every option but these: alone, or with the next word as its value. For programs that take
 * letters together in ways of their own.
 */
export function exactly(alone: RegExp, valued: RegExp, args: Operand[]): Operand[] {
  const operands: Operand[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Operand
    const text = arg.value ?? (mayBeOption(arg) ? optionText(arg) : '')
    if (valued.test(text)) {
      at += 1
      if (args[at] === undefined || args[at]?.many) doubt(`the option ${text} without a value`)
    } else if (!text.startsWith('-') || text === '-') operands.push(arg)
    else if (!alone.test(text)) doubt(`the option ${text}`)
  }
  return operands
}

/** Options that do not take the word behind them as their value, in whichever program. */
const ALONE =
  /^(--[\w-]+=.*|-\d+|-[nilwpb]+|-[MCU]\d*|--(all|cached|check|color|count|files-with-matches|follow|graph|hidden|name-only|name-status|no-color|no-ext-diff|no-merges|no-patch|numstat|oneline|patch|quiet|raw|reverse|shortstat|staged|stat|summary))$/s

/** Whether the word there may be the value of the option before it. */
export function mayBeValue(args: Operand[], at: number): boolean {
  // What may be any number of words may be none.
  const before = args.slice(0, at).findLast(({ many }) => !many)
  return before !== undefined && mayBeOption(before) && !ALONE.test(before.value ?? '')
}

/** Where the `--` is behind which no word is an option; the number of words where there is none. */
export function endOfOptions(args: Operand[]): number {
  const at = args.findIndex(({ value }, place) => value === '--' && !mayBeValue(args, place))
  return at < 0 ? args.length : at
}

/** Asks at a word that is one of these options, or may be. */
export function without(denied: RegExp, args: Operand[], stops = true): void {
  for (const arg of stops ? args.slice(0, endOfOptions(args)) : args) {
    if (arg.value === '' || !mayBeOption(arg)) {
      // Some take options that do not begin with `-`.
      if (denied.test(arg.start)) doubt(`the option ${arg.start}`)
    } else if (denied.test(optionText(arg))) doubt(`the option ${optionText(arg)}`)
  }
}
