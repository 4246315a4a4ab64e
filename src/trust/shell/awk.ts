import { wordList } from '../../system/wordList.ts'
import { mayJoin } from './files.ts'
import type { Operand } from './operand.ts'
import { mayBeOption } from './options.ts'
import { doubt } from './script.ts'
import { eat, expression } from './sed.ts'

/** Functions that calculate. */
const FUNCTIONS = wordList(
  'asort asorti atan2 cos exp gensub gsub index int length log match rand sin split sprintf sqrt srand strftime strtonum sub substr systime tolower toupper',
)
/** Words behind which a bracket opens no call. */
const BEFORE_BRACKETS = /^(if|for|print|printf|in|return|else|exit|delete|BEGIN|END)$/
/** Behind these only a parser could tell whether a `/` divides or begins a pattern. */
const UNCLEAR = /^(\)|\+\+|--|\]|\$|next|nextfile|break|continue|delete|BEGIN|END)$/
const FORBIDDEN =
  /^(system|getline|close|fflush|while|do|function|func|extension|ENVIRON|FUNCTAB|PROCINFO|SYMTAB|ARGV|ARGC|switch)$/

/** `awk`: a program that calculates and prints, and neither writes, runs nor asks for anything. */
export function judgeAwk(args: Operand[]): void {
  let at = 0
  for (; at < args.length; at += 1) {
    const { value, start, many } = args[at] as Operand
    if (value === '-F' || value === '-v') {
      at += 1
      const next = args[at]
      if (!next || next.many || (value === '-v' && !/^[A-Za-z_]\w*=/.test(next.start)))
        doubt(`awk ${value} without a value`)
    } else if (many || !(/^-F./s.test(start) || /^-v[A-Za-z_]\w*=/.test(start))) break
  }
  const program = args[at]?.value
  if (program === undefined || program.startsWith('-'))
    doubt('an awk program that is only known when it runs')
  judgeText(program)
  for (const operand of args.slice(at + 1)) {
    if (operand.value !== '-' && operand.value !== '' && mayBeOption(operand))
      doubt('an option after the awk program')
    if (mayJoin(operand)) doubt('a path that awk may open as a network address')
  }
}

function judgeText(text: string): void {
  const cursor = { text, at: 0 }
  let before = ''
  let printing = false
  let line = ''
  while (cursor.at < text.length) {
    if (eat(cursor, /[ \t]+|#[^\n]*/y) !== undefined) continue
    if (eat(cursor, /\//y) !== undefined) {
      if (UNCLEAR.test(before) || FUNCTIONS.has(before)) noProgram()
      if (!/[\w"]$/.test(before) || /^(print|printf|return|else|in|exit)$/.test(before)) {
        expression(cursor, '/')
        before = '"'
      } else before = '/'
      continue
    }
    const token =
      eat(
        cursor,
        /"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|\d+(?:\.\d*)?|\.\d+|&&|\|\||\+\+|--|[<>=!]=|\$|[-+*%^!~<>=?:,;(){}[\]\n]/y,
      ) ?? noProgram()
    const isNumber = /^[\d.]/.test(token)
    // Some take a letter behind a number for a word of its own.
    if (isNumber && /[\w.]/.test(text[cursor.at] ?? '')) noProgram()
    judgeToken(token, before, cursor)
    if (/^[;{}]$/.test(token)) printing = false
    if (token === 'print' || token === 'printf') printing = true
    // Behind `print`, it would be a file that is written.
    if (token === '>' && printing) noProgram()
    before = token.startsWith('"') ? '"' : isNumber ? '0' : token
    line = (line + token).slice(-6)
    if (line === 'for(;;') noProgram()
  }
}

function judgeToken(token: string, before: string, cursor: { text: string; at: number }): void {
  if (FORBIDDEN.test(token)) doubt(`awk with ${token}`)
  const calls =
    /^[A-Za-z_]/.test(token) && /^[ \t]*\(/.test(cursor.text.slice(cursor.at, cursor.at + 200))
  if (
    calls &&
    before !== '$' &&
    !FUNCTIONS.has(token) &&
    !BEFORE_BRACKETS.test(token) &&
    cursor.text[cursor.at] === '('
  )
    noProgram()
}

function noProgram(): never {
  return doubt('an awk program that may do more than print')
}
