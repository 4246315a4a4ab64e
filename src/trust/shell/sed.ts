import type { Operand } from './operand.ts'
import { mayBeOption } from './options.ts'
import { doubt } from './script.ts'

/**
 * Commands that only print, or change what is about to be printed. Others write files, read them,
 * run programs, or are read differently by different `sed`s.
 */
const COMMAND = /[qQ]\d*|[pPdnNgGhHx=]/y
const ADDRESS = /\d+(?:~\d+)?|\$/y
/** What is in `[…]`. Programs do not agree on its end where it begins with `]`, or holds `\[`. */
const SET = /(?:\^(?!\])|(?![\]^]))(?:\[:[a-z]+:\]|\\[^\][\n]|[^\]\\\n[])*\]/y
const FLAGS = /[gpIi0-9]*/y

/** `sed`: no script but of plain printing, and no option behind it. */
export function judgeSed(args: Operand[]): void {
  let hasScript = false
  let at = 0
  for (; at < args.length; at += 1) {
    const arg = args[at] as Operand
    const text = arg.value
    if (hasScript && (text === '--' || text === '-' || !mayBeOption(arg))) break
    if (text === undefined) doubt('a sed script that is only known when it runs')
    if (/^(-[nEruz]+|--quiet|--silent)$/.test(text)) continue
    if (/^-[nErz]*e$/.test(text)) {
      at += 1
      judgeScript(args[at]?.value ?? doubt('a sed script that is only known when it runs'))
    } else if (text.startsWith('-')) doubt(`sed ${text}`)
    else judgeScript(text)
    hasScript = true
  }
  if (!hasScript) doubt('sed without a script')
  if (args[at]?.value === '--') return
  for (const file of args.slice(at))
    if (file.value !== '-' && file.value !== '' && mayBeOption(file))
      doubt('an option after the sed script')
}

/** Follows a script from its beginning to its end. */
function judgeScript(script: string): void {
  const cursor = { text: script, at: 0 }
  let depth = 0
  for (;;) {
    eat(cursor, /[ \t\n;]*/y)
    if (cursor.at >= script.length) break
    if (eat(cursor, /\}/y) !== undefined) {
      depth -= 1
      if (depth < 0 || eat(cursor, /[ \t]*(?=[;}\n]|$)/y) === undefined) noScript()
      continue
    }
    if (address(cursor) && eat(cursor, /,/y) !== undefined) {
      if (!address(cursor) && eat(cursor, /[+~]\d+/y) === undefined) noScript()
    }
    eat(cursor, /[ \t]*(?:![ \t]*)?/y)
    if (eat(cursor, /\{/y) !== undefined) {
      depth += 1
      continue
    }
    if (eat(cursor, /s(?=[/|#,:@!%+_~])/y) !== undefined) substitution(cursor)
    else if (eat(cursor, COMMAND) === undefined) noScript()
    if (eat(cursor, /[ \t]*(?=[;}\n]|$)/y) === undefined) noScript()
  }
  if (depth > 0) noScript()
}

function address(cursor: { text: string; at: number }): boolean {
  if (eat(cursor, ADDRESS) !== undefined) return true
  if (eat(cursor, /\//y) === undefined) return false
  expression(cursor, '/')
  eat(cursor, /I/y)
  return true
}

function substitution(cursor: { text: string; at: number }): void {
  const mark = cursor.text[cursor.at] ?? ''
  cursor.at += 1
  expression(cursor, mark)
  for (;;) {
    const sign = cursor.text[cursor.at]
    if (sign === undefined || sign === '\n') noScript()
    cursor.at += 1
    if (sign === mark) break
    if (sign === '\\') {
      if (cursor.text[cursor.at] === '\n' || cursor.text[cursor.at] === undefined) noScript()
      cursor.at += 1
    }
  }
  eat(cursor, FLAGS)
}

/**
 * A regular expression up to its end. One `sed` takes the sign that ends it for its end inside of
 * `[…]` as well, and another does not.
 */
export function expression(cursor: { text: string; at: number }, mark: string): void {
  for (;;) {
    const sign = cursor.text[cursor.at]
    if (sign === undefined || sign === '\n') noScript()
    cursor.at += 1
    if (sign === mark) return
    if (sign === '\\') {
      if (cursor.text[cursor.at] === '\n' || cursor.text[cursor.at] === undefined) noScript()
      cursor.at += 1
    } else if (sign === '[') {
      const set = eat(cursor, SET)
      if (set === undefined || set.includes(mark)) noScript()
    }
  }
}

function noScript(): never {
  return doubt('a sed script that may do more than print')
}

/** What a pattern finds at the cursor, which then is behind it. */
export function eat(cursor: { text: string; at: number }, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.text)
  if (!match) return undefined
  cursor.at += match[0].length
  return match[0]
}
