import {
  type Compound,
  doubt,
  type Input,
  type Item,
  type Node,
  type Script,
  type Simple,
  type Word,
} from './script.ts'
import { type Cursor, type Heredoc, isNext, readWord, take } from './words.ts'

/** Longer than any command that one would want to have judged. */
const LONGEST = 100_000
const MOST_PIECES = 4000
/** What ends a list of commands, where a command could begin. */
const STOP = /(?:do|done|then|elif|else|fi|\})(?=[ \t\n;&|()<>]|$)/y
const TO_NOTHING = /[012]?>>?[ \t]*\/dev\/null(?=[ \t\n;&|)]|$)/y
/** In sh this is `&`, and the beginning of the next command: no word may follow. */
const ALL_TO_NOTHING = /&>>?[ \t]*\/dev\/null(?=[ \t]*([\n;&|)#]|$))/y
const BETWEEN = /[12]?>&[ \t]*[12](?=[ \t\n;&|)]|$)/y
const FROM = /0?<(?![<>&(])[ \t]*|<<<[ \t]*|<[ \t]+(?=<\()/y
const HEREDOC = /<<[ \t]*(?:(['"])(\w+)\1|(\w+))(?=[ \t\n;&|)]|$)/y
const NAME = /[A-Za-z_]\w*/y
const SET = /([A-Za-z_]\w*)=/y

type Reading = Cursor & { pieces: number }

/**
 * What a shell reads in a text. Throws `Doubt` where it is more than commands one after the other,
 * in loops and conditions, with their words.
 */
export function parse(text: string): Script {
  if (text.length > LONGEST) doubt('a command that is too long to check')
  // A shell leaves some of these out, and what it then sees is another text than this.
  if (hasInvisible(text)) doubt('an invisible character')
  const cursor: Reading = { text, at: 0, depth: 0, outputs: 0, heredocs: [], pieces: 0 }
  const script = readScript(cursor)
  if (cursor.at < text.length)
    doubt(`an unexpected ${text[cursor.at] === ')' ? 'bracket' : 'word'}`)
  if (cursor.heredocs.length > 0) doubt('a heredoc without text')
  return script
}

/** A control character but tab and newline. A pattern that is tried once costs a hook more. */
function hasInvisible(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a)) return true
  }
  return false
}

function readScript(cursor: Cursor): Script {
  const reading = cursor as Reading
  const items: Item[] = []
  let certain = true
  for (;;) {
    skipLines(reading)
    if (atEnd(reading)) break
    items.push({ node: readPipeline(reading), certain })
    skipBlanks(reading)
    if (take(reading, /&&|\|\|/y, '&|')) {
      certain = false
      skipLines(reading)
      if (atEnd(reading)) doubt('an operator without a command after it')
    } else if (take(reading, /;(?!;)|(?=\n)/y, ';\n')) certain = true
    else if (reading.text[reading.at] === '&') doubt('a command in the background')
    else break
  }
  if (items.length === 0) doubt('an empty command')
  return { items }
}

function atEnd(cursor: Reading): boolean {
  STOP.lastIndex = cursor.at
  if (cursor.at >= cursor.text.length || isNext(cursor, ')')) return true
  return isNext(cursor, 'dtef}') && STOP.test(cursor.text)
}

function readPipeline(cursor: Reading): Node {
  const parts: Node[] = []
  const negated = take(cursor, /!(?=[ \t])[ \t]*/y, '!') !== undefined
  if (negated) skipBlanks(cursor)
  do {
    skipLines(cursor)
    parts.push(readCommand(cursor))
    skipBlanks(cursor)
  } while (take(cursor, /\|(?![|&])/y, '|'))
  const [one] = parts
  return parts.length === 1 && one && !negated ? one : { kind: 'pipeline', parts }
}

function readCommand(cursor: Reading): Node {
  count(cursor)
  const word = take(cursor, /(?:if|for|while|\{)(?=[ \t\n])|\((?!\()/y, 'ifw{(')?.[0]
  if (word === undefined) return readSimple(cursor)
  return { ...readCompound(cursor, word), inputs: readRedirections(cursor) }
}

function count(cursor: Reading): void {
  cursor.pieces += 1
  if (cursor.pieces > MOST_PIECES) doubt('too many commands and words to check')
}

function readCompound(cursor: Reading, word: string): Compound {
  if (word === 'for') return readFor(cursor)
  if (word === 'if') return readIf(cursor)
  if (word === 'while') {
    const condition = readScript(cursor)
    return { kind: 'while', condition, body: readBody(cursor), inputs: [] }
  }
  if (cursor.depth >= 20) doubt('commands nested too deep to check')
  cursor.depth += 1
  const body = readScript(cursor)
  cursor.depth -= 1
  expect(cursor, word === '{' ? /\}/y : /\)/y)
  return { kind: word === '{' ? 'group' : 'subshell', body, inputs: [] }
}

function readFor(cursor: Reading): Node & { kind: 'for' } {
  skipBlanks(cursor)
  const name = take(cursor, NAME)?.[0] ?? doubt('a loop of an unusual form')
  skipBlanks(cursor)
  expect(cursor, /in(?=[ \t])/y)
  const among: Word[] = []
  for (;;) {
    skipBlanks(cursor)
    const word = readWord(cursor, readScript)
    if (word === undefined) break
    among.push(word)
  }
  expect(cursor, /;|(?=\n)/y)
  skipLines(cursor)
  return { kind: 'for', name, among, body: readBody(cursor), inputs: [] }
}

function readBody(cursor: Reading): Script {
  nested(cursor, 1)
  expect(cursor, /do(?=[ \t\n])/y)
  const body = readScript(cursor)
  expect(cursor, /done/y)
  nested(cursor, -1)
  return body
}

function readIf(cursor: Reading): Node & { kind: 'if' } {
  nested(cursor, 1)
  const branches = [readScript(cursor)]
  expect(cursor, /then(?=[ \t\n])/y)
  branches.push(readScript(cursor))
  while (take(cursor, /elif(?=[ \t\n])/y)) {
    branches.push(readScript(cursor))
    expect(cursor, /then(?=[ \t\n])/y)
    branches.push(readScript(cursor))
  }
  if (take(cursor, /else(?=[ \t\n])/y)) branches.push(readScript(cursor))
  expect(cursor, /fi/y)
  nested(cursor, -1)
  return { kind: 'if', branches, inputs: [] }
}

function nested(cursor: Reading, more: number): void {
  cursor.depth += more
  if (cursor.depth > 20) doubt('commands nested too deep to check')
}

function expect(cursor: Reading, pattern: RegExp): void {
  if (!take(cursor, pattern)) doubt('a loop, condition or bracket of an unusual form')
}

function readSimple(cursor: Reading): Simple {
  const simple: Simple = { kind: 'simple', sets: [], words: [], inputs: [] }
  for (;;) {
    skipBlanks(cursor)
    if (readRedirection(cursor, simple.inputs)) continue
    const mayBeSet = simple.words.length === 0 && cursor.text.includes('=', cursor.at)
    const set = mayBeSet ? take(cursor, SET) : undefined
    if (set) {
      const value = readWord(cursor, readScript) ?? []
      simple.sets.push({ name: set[1] ?? '', value })
      continue
    }
    const word = readWord(cursor, readScript)
    if (word === undefined) break
    count(cursor)
    simple.words.push(word)
  }
  if (cursor.text[cursor.at] === '>') doubt('a redirection to a file')
  if (cursor.text[cursor.at] === '<') doubt('a redirection of an unusual form')
  if (simple.words.length === 0 && (simple.sets.length === 0 || simple.inputs.length > 0))
    doubt('a command without a program')
  return simple
}

/** The redirections behind a loop, a condition or a bracket. */
function readRedirections(cursor: Reading): Input[] {
  const inputs: Input[] = []
  do skipBlanks(cursor)
  while (readRedirection(cursor, inputs))
  const sign = cursor.text[cursor.at]
  if (sign !== undefined && !/[\n;&|)]/.test(sign)) doubt('a redirection of an unusual form')
  return inputs
}

function readRedirection(cursor: Reading, inputs: Input[]): boolean {
  if (!isNext(cursor, '<>&012')) return false
  if (take(cursor, TO_NOTHING) || take(cursor, BETWEEN) || take(cursor, ALL_TO_NOTHING)) return true
  const heredoc = take(cursor, HEREDOC)
  if (heredoc) {
    if (cursor.heredocs.length > 0 || cursor.outputs > 0) doubt('a heredoc of an unusual form')
    cursor.heredocs.push({
      end: heredoc[2] ?? heredoc[3] ?? '',
      literal: heredoc[1] !== undefined,
    })
    inputs.push({ word: [], isText: true })
    return true
  }
  const from = take(cursor, FROM)?.[0]
  if (from === undefined) return false
  const word = readWord(cursor, readScript) ?? doubt('a redirection of an unusual form')
  inputs.push({ word, isText: from.startsWith('<<<') })
  return true
}

/** Whether there are blanks; the cursor is then behind them. */
function hasBlanks(cursor: Reading): boolean {
  const from = cursor.at
  while (isNext(cursor, ' \t')) cursor.at += 1
  return cursor.at > from
}

/** Blanks, and the end of a line that a `\` before it makes one. */
function skipBlanks(cursor: Reading): void {
  while (hasBlanks(cursor))
    if (take(cursor, /(?:\\\n)+/y, '\\') && cursor.heredocs.length > 0)
      doubt('a heredoc of an unusual form')
  if (cursor.text[cursor.at] !== '#' || /[^ \t\n;]/.test(cursor.text[cursor.at - 1] ?? ' ')) return
  if (cursor.outputs > 0) doubt('a comment inside $(…)')
  take(cursor, /[^\n]*/y)
}

/** Blanks, comments and ends of lines, with the texts of heredocs that begin there. */
function skipLines(cursor: Reading): void {
  for (;;) {
    skipBlanks(cursor)
    if (!take(cursor, /\n/y, '\n')) return
    for (const heredoc of cursor.heredocs.splice(0)) skipHeredoc(cursor, heredoc)
  }
}

function skipHeredoc(cursor: Reading, { end, literal }: Heredoc): void {
  for (;;) {
    if (cursor.at >= cursor.text.length) doubt('a heredoc without its end marker')
    const line = take(cursor, /[^\n]*/y)?.[0] ?? ''
    take(cursor, /\n/y)
    if (line === end) break
    if (!literal && /[$`\\]/.test(line)) doubt('a heredoc that expands variables or commands')
  }
}
