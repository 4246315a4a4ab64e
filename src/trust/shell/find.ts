import { needNoDevices } from './files.ts'
import { type Operand, UNKNOWN } from './operand.ts'
import { mayBeOption, optionText } from './options.ts'
import { doubt } from './script.ts'

const WRITES =
  /^-(delete|rm|execdir|ok|okdir|fprint|fprint0|fprintf|fls|f|f-.*|[EHLPXdsx]+f.*|D.*|files0-from|-)$/

/** Judges what another program runs, with words that it finds itself. */
type JudgeRun = (words: Operand[]) => void

/**
 * `find`: what it runs for each file is judged with names that begin as the directory does where it
 * looks.
 */
export function judgeFind(args: Operand[], judgeRun: JudgeRun): void {
  const either = args.some(({ value }) => /^(-or?|,|!|-not)$/.test(value ?? ''))
  const isFile = args.some(({ value }, at) => value === '-type' && args[at + 1]?.value === 'f')
  if (args.some(({ value }) => value === '-exec')) needNoDevices(args, isFile && !either)
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Operand
    if (arg.value === '-exec' && mayTake(args[at - 1])) doubt('find -exec behind a test')
    if (arg.value === '-exec') at = judgeExec(args, at + 1, judgeRun)
    else if (arg.value !== '' && mayBeOption(arg) && WRITES.test(optionText(arg)))
      doubt(`find ${optionText(arg)}`)
  }
}

/** Tests and options of `find` that take no value. */
const TAKES_NONE =
  /^-(a|and|d|daystart|depth|empty|executable|E|H|L|ls|mount|not|o|or|P|print|print0|prune|quit|readable|s|true|writable|x|X|xdev)$/

/** Whether `-exec` may be a value of what is before it: some then take the next words for paths. */
function mayTake(before: Operand | undefined): boolean {
  return before !== undefined && mayBeOption(before) && !TAKES_NONE.test(before.value ?? '-')
}

/** Judges what stands behind `-exec`; gives where it ends. */
function judgeExec(args: Operand[], from: number, judgeRun: JudgeRun): number {
  const words: Operand[] = []
  for (let at = from; at < args.length; at += 1) {
    const arg = args[at] as Operand
    if (arg.value === ';' || (arg.value === '+' && args[at - 1]?.value === '{}')) {
      judgeRun(words)
      return at
    }
    // Some end at every `+`.
    if (arg.value === '+') doubt('find -exec with an extra +')
    if (/^-(delete|exec|fls|fprint|ok)/.test(arg.start)) doubt(`find -exec with ${arg.start}`)
    // It may be the `;`, or be gone.
    if (arg.value === undefined && /^([;+]|$|\0)/.test(arg.start))
      doubt('find -exec with a word that is only known when it runs')
    words.push(arg.value?.includes('{}') ? withName(arg, '{}', './') : arg)
  }
  return doubt('find -exec without ; or + at its end')
}

/** A word with a name in the place of `mark`, which begins with `start`. */
function withName(word: Operand, mark: string, start: string): Operand {
  const before = word.start.slice(0, word.start.indexOf(mark))
  return { ...UNKNOWN, start: before + (before === '' ? start : ''), many: word.value === mark }
}

/** `xargs`: what it runs gets words that nobody knows. */
export function judgeXargs(args: Operand[], judgeRun: JudgeRun): void {
  let at = 0
  let mark: string | undefined
  for (; at < args.length; at += 1) {
    const text = args[at]?.value ?? doubt('a word that may turn out to be an option')
    if (!text.startsWith('-')) break
    if (/^-([0rt]+|[nPLs]\d+|-(null|no-run-if-empty))$/.test(text)) continue
    if (/^-[nPLs]$/.test(text) && args[at + 1]?.number) at += 1
    else if (text === '-d' && args[at + 1]?.value !== undefined) at += 1
    else if (/^-d./.test(text)) continue
    else if (/^-I/.test(text))
      mark = text.slice(2) || (args[++at]?.value ?? doubt('xargs -I without a placeholder'))
    else doubt(`xargs ${text}`)
  }
  const words = args.slice(at)
  if (words.length === 0) return
  judgeRun(
    mark === undefined
      ? [...words, { ...UNKNOWN, many: true }]
      : words.map((word) => marked(word, mark ?? '')),
  )
}

function marked(word: Operand, mark: string): Operand {
  if (word.value === undefined) return doubt('a word that may contain the placeholder of xargs')
  return word.value.includes(mark) ? withName(word, mark, '') : word
}
