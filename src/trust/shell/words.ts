import { doubt, type Part, type Script, type Word } from './script.ts'

/** Where in a text a reader is. `depth`: how many `$(…)` and `(…)` it is in. */
export type Cursor = {
  text: string
  at: number
  depth: number
  outputs: number
  heredocs: Heredoc[]
}

/** A heredoc whose lines begin behind the end of this line. */
export type Heredoc = { end: string; literal: boolean }

/** Reads a script up to the bracket that closes it. */
type ReadScript = (cursor: Cursor) => Script

/** What ends a word, besides the end of the text. */
const ENDS = ' \t\n;&|<>)'
const PLAIN = /[A-Za-z0-9_\-.,/:@%+\]!]+/y
/** After these a `$` is itself, in every shell. */
const LONE = /\$(?=[ \t\n;|&)]|$)/y
const LONE_QUOTED = /\$(?=["' \t\n|)\\/.,;%&>])/y
const VARIABLE = /\$([A-Za-z_]\w*)/y
const BRACED = /\$\{(#?)([A-Za-z_]\w*)(:\d+(?::\d+)?|(?:%%?|##?|:?[-+]|\/\/?)[\w.,*?/ @+=:-]*)?\}/y
/** In double quotes, `<` and `>` are plain signs. */
const BRACED_QUOTED =
  /\$\{(#?)([A-Za-z_]\w*)(:\d+(?::\d+)?|(?:%%?|##?|:?[-+]|\/\/?)[\w.,*?/ @+=:<>-]*)?\}/y
/** Digits, whatever the shell; `$#x` is another thing in zsh. */
const NUMBER = /\$(?:[?$](?![\w[:])|#(?![\w{$?!@*#[:-]))/y
/** Whole paths in braces, and ways up, would not be seen to lead to devices. */
const BRACES = /\{(?![^}]*[{,]\/)(?!\/)(?![^}]*\.\.(?:[/,}]))[\w.,/*?@%+-]*\}/y

/**
 * Reads the word that begins here; undefined where none does. Throws `Doubt` where shells differ,
 * or nobody can tell.
 */
export function readWord(cursor: Cursor, readScript: ReadScript): Word | undefined {
  const word: Word = []
  const from = cursor.at
  while (cursor.at < cursor.text.length) {
    const sign = cursor.text[cursor.at] ?? ''
    if (sign === '<' && cursor.text[cursor.at + 1] === '(' && cursor.at === from)
      return readStream(cursor, readScript)
    if (ENDS.includes(sign)) break
    readPart(cursor, word, from, sign, readScript)
  }
  if (cursor.at === from) return undefined
  if (cursor.text.startsWith('<(', cursor.at)) doubt('text joined to a process substitution')
  // `{name}>` makes a shell set that variable, and the digits of `3>` are no word.
  const redirects = isNext(cursor, '<>') || cursor.text.startsWith('&>', cursor.at)
  if (redirects && /(^\d+|\})$/.test(cursor.text.slice(from, cursor.at)))
    doubt('a redirection of an unusual form')
  return word
}

function readPart(
  cursor: Cursor,
  word: Word,
  from: number,
  sign: string,
  readScript: ReadScript,
): void {
  const plain = take(cursor, PLAIN)
  if (plain !== undefined) word.push({ kind: 'text', text: plain[0], how: 'plain' })
  else if (sign === "'") word.push(readQuoted(cursor))
  else if (sign === '"') readDoubleQuoted(cursor, word, readScript)
  else if (sign === '\\') word.push(readEscape(cursor))
  else if (sign === '$') word.push(readDollar(cursor, false, readScript))
  else word.push(readSign(cursor, sign, cursor.at === from))
}

function readQuoted(cursor: Cursor): Part {
  const end = cursor.text.indexOf("'", cursor.at + 1)
  if (end < 0) doubt('a quote that is not closed')
  const text = cursor.text.slice(cursor.at + 1, end)
  if (text.includes('\n')) needNoHeredoc(cursor)
  cursor.at = end + 1
  return { kind: 'text', text, how: 'quoted' }
}

function readDoubleQuoted(cursor: Cursor, word: Word, readScript: ReadScript): void {
  cursor.at += 1
  let text = ''
  const flush = () => {
    word.push({ kind: 'text', text, how: 'quoted' })
    text = ''
  }
  for (;;) {
    const run = take(cursor, /[^"\\$`]+/y)
    if (run) text += run[0]
    if (run?.[0].includes('\n')) needNoHeredoc(cursor)
    const sign = cursor.text[cursor.at]
    if (sign === '"') break
    if (sign === undefined) doubt('a quote that is not closed')
    if (sign === '`') doubt('a substitution in backquotes')
    if (sign === '\\') text += readQuotedEscape(cursor)
    else if (take(cursor, LONE_QUOTED)) text += '$'
    else {
      flush()
      word.push(readDollar(cursor, true, readScript))
    }
  }
  cursor.at += 1
  flush()
}

/** `\` in double quotes: it goes before four signs, and stays before every other. */
function readQuotedEscape(cursor: Cursor): string {
  const next = cursor.text[cursor.at + 1]
  if (next === undefined || next === '\n') doubt('a line break inside quotes after a backslash')
  cursor.at += 2
  return '$`"\\'.includes(next) ? next : `\\${next}`
}

function readEscape(cursor: Cursor): Part {
  const next = cursor.text[cursor.at + 1]
  if (next === undefined || !/[ -~\t]/.test(next))
    doubt('a line break inside a word after a backslash')
  cursor.at += 2
  return { kind: 'text', text: next, how: 'escaped' }
}

function readDollar(cursor: Cursor, quoted: boolean, readScript: ReadScript): Part {
  const { text, at } = cursor
  if (text.startsWith('$((', at)) return doubt('arithmetic')
  if (text.startsWith('$(', at)) {
    needNoHeredoc(cursor)
    cursor.at += 2
    cursor.outputs += 1
    const script = readNested(cursor, readScript)
    cursor.outputs -= 1
    return { kind: 'output', script, quoted }
  }
  if (!quoted && take(cursor, LONE)) return { kind: 'text', text: '$', how: 'plain' }
  if (take(cursor, NUMBER)) return { kind: 'number' }
  const braced = take(cursor, quoted ? BRACED_QUOTED : BRACED)
  if (braced) {
    const whole = braced[1] === '' && braced[3] === undefined
    return { kind: 'variable', name: braced[2] ?? '', whole, quoted }
  }
  const named = take(cursor, VARIABLE)
  if (!named) return doubt('an expansion of an unusual form')
  const next = text[cursor.at]
  // zsh takes a subscript, which it calculates, and modifiers without braces as well.
  if (next === '[') doubt('a subscript')
  // The modifier `:F:…:` is calculated, which runs a `$(…)` in a subscript.
  if (/^:[A-Za-z&]/.test(text.slice(cursor.at, cursor.at + 2)))
    doubt('a variable followed by a colon and a letter')
  // Braces come first: `$x{b,c}` is `$xb $xc`.
  if (next === '{' && !quoted) doubt('braces behind a variable')
  if (next !== undefined && next > '~') doubt('characters beyond ASCII behind a variable')
  return { kind: 'variable', name: named[1] ?? '', whole: next !== ':', quoted }
}

function readNested(cursor: Cursor, readScript: ReadScript): Script {
  cursor.depth += 1
  if (cursor.depth > 20) doubt('commands nested too deep to check')
  const script = readScript(cursor)
  if (cursor.text[cursor.at] !== ')') doubt('a bracket that is not closed')
  cursor.at += 1
  cursor.depth -= 1
  return script
}

function readStream(cursor: Cursor, readScript: ReadScript): Word {
  needNoHeredoc(cursor)
  cursor.at += 2
  cursor.outputs += 1
  const script = readNested(cursor, readScript)
  cursor.outputs -= 1
  const next = cursor.text[cursor.at]
  if ((next !== undefined && !ENDS.includes(next)) || cursor.text.startsWith('<(', cursor.at))
    doubt('text joined to a process substitution')
  return [{ kind: 'stream', script }]
}

/** Shells do not agree at which end of a line the text of a heredoc begins, if not at its own. */
function needNoHeredoc({ heredocs }: Cursor): void {
  if (heredocs.length > 0) doubt('a heredoc of an unusual form')
}

/** A sign that a shell may do something with. */
function readSign(cursor: Cursor, sign: string, first: boolean): Part {
  const { text, at } = cursor
  const next = text[at + 1]
  const ends = next === undefined || ENDS.includes(next)
  const literal = (length: number): Part => {
    cursor.at += length
    return { kind: 'text', text: text.slice(at, at + length), how: 'plain' }
  }
  const pattern = (length: number): Part => {
    cursor.at += length
    return { kind: 'pattern', sign }
  }
  if (sign === '*' || sign === '?' || sign === '^') return pattern(1)
  if (sign === '[') {
    if (first && ends) return literal(1)
    return first && next === '[' && /[ \t]/.test(text[at + 2] ?? '') ? literal(2) : pattern(1)
  }
  // In zsh a word that begins with `=` is the path of a program.
  if (sign === '=')
    return !first || ends
      ? literal(1)
      : first && /^==[ \t]/.test(text.slice(at, at + 3))
        ? literal(2)
        : pattern(1)
  if (sign === '~') {
    if (!first) return pattern(1)
    if (!ends && next !== '/') doubt('the home directory of another account')
    cursor.at += 1
    return { kind: 'home' }
  }
  if (sign === '{') {
    if (next === '}') return literal(2)
    const braces = take(cursor, BRACES)
    // `{1..99999}` is more words than anybody waits for.
    if (!braces || (braces[0].includes('..') && /\d{5}/.test(braces[0])))
      doubt('braces of an unusual form')
    return { kind: 'braces' }
  }
  if (sign === '`') doubt('a substitution in backquotes')
  if (sign > '~') {
    cursor.at += 1
    return { kind: 'loose' }
  }
  return doubt(`the character ${sign} outside quotes`)
}

/** Whether the next sign is one of these. */
export function isNext({ text, at }: Cursor, signs: string): boolean {
  return at < text.length && signs.includes(text.charAt(at))
}

/**
 * What a pattern finds where the cursor is; the cursor is then behind it. `first`: the signs that
 * it begins with. A hook is a new process, and pays 20 µs for each pattern that it tries.
 */
export function take(cursor: Cursor, pattern: RegExp, first?: string): RegExpExecArray | undefined {
  if (first !== undefined && !isNext(cursor, first)) return undefined
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.text)
  if (!match) return undefined
  cursor.at += match[0].length
  return match
}
