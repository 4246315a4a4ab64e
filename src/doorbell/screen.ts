import type { AgentScreen } from '../agents/agent.ts'
import { type Frame, findFrame } from './frame.ts'
import { type Cell, columns, parseRows, plain } from './sgr.ts'

/**
 * A pane's screen: `text` with its SGR escapes, lines parted by `\n`; positions in cells, counted
 * from 0.
 */
export type ScreenCapture = {
  text: string
  cursorX: number
  cursorY: number
  width: number
  height: number
  /**
   * Whether the terminal shows its own cursor; a program that draws its own hides it. Left out: not
   * known.
   */
  cursorVisible?: boolean
}

/**
 * `empty`: the input box is there and holds nothing, so that one line may be typed. `draft`: `text`
 * stands in it. `none`: no input box is visible, or what is typed would not go into it as text.
 * Every doubt is `draft` or `none`. `insert`: the lines under the box say that its editor is vim's,
 * in INSERT mode.
 */
export type ScreenReading = {
  box: 'empty' | 'draft' | 'none'
  text: string
  why: string
  insert: boolean
}

export type ScreenOptions = Pick<
  AgentScreen,
  'rule' | 'glyphs' | 'placeholder' | 'paste' | 'modes' | 'ending'
> & {
  /** What the agent's input line begins with, where it is more than a glyph: `>>> `. */
  prompt?: string
  /**
   * The agent's editor is vim's: only a screen that says `-- INSERT --` may be typed on. Without
   * this, Claude Code's NORMAL mode with an empty box cannot be told from an ordinary empty box:
   * the two screens are the same to the byte.
   */
  vim?: boolean
}

type InputLine = {
  rows: Cell[][]
  cursorX: number
  cursorRow: number
  start: number
  placeholder?: string | undefined
}

/** A dialog that no rule knows, a menu, a list, or a program that has just begun. */
const NO_BOX = 'its screen shows no input box; a dialog or a menu may be open there'

const GLYPHS = '❯›»>$#%'
const MENU = /^\s*(\d+[.)]\s|\[[ x✓✔]\]|\([ x*]\))/

/**
 * What stands in the input box of the agent on this screen. Dim text (suggestions, placeholders)
 * and the caret do not count as typed. Whether the program on the screen is an agent at all is not
 * looked at here: a shell's prompt reads like any other.
 */
export function readScreen(capture: ScreenCapture, options: ScreenOptions = {}): ScreenReading {
  const rows = parseRows(capture.text)
  const frame = findFrame(rows, capture, options.rule)
  if (!frame && options.rule) return none(NO_BOX)
  return frame ? readFramed(frame, capture, options) : readBare(rows, capture, options)
}

/**
 * Whether the input box holds exactly `line`. Spaces do not count: a narrow box breaks the line at
 * any of them.
 */
export function boxHolds(
  capture: ScreenCapture,
  line: string,
  options: ScreenOptions = {},
): boolean {
  const reading = readScreen(capture, options)
  return reading.box === 'draft' && squash(reading.text) === squash(line)
}

function readFramed(frame: Frame, capture: ScreenCapture, options: ScreenOptions): ScreenReading {
  const first = plain(frame.rows[0] ?? [])
  if (/^\s*!/.test(first)) return none('the input box is in shell mode')
  const start = promptEnd(first, options.prompt, options.glyphs)
  if (start === undefined) return none(NO_BOX)
  const cursor = { cursorX: capture.cursorX - frame.left, cursorRow: capture.cursorY - frame.top }
  const footer = frame.below.map(plain).join('\n')
  const insert = options.modes !== undefined && footer.includes(options.modes.insert)
  return (
    modeTrouble(footer, insert, options) ?? {
      ...readInput({ rows: frame.rows, start, ...cursor, placeholder: options.placeholder }),
      insert,
    }
  )
}

/**
 * An input line without a box around it: the cursor's own, with the rows above that it was wrapped
 * from.
 */
function readBare(rows: Cell[][], capture: ScreenCapture, options: ScreenOptions): ScreenReading {
  // A program that draws its own cursor draws its own box, too: without one, a dialog or a list has
  // the keyboard.
  if (capture.cursorVisible === false) return none(NO_BOX)
  const top = firstOfWrapped(rows, capture)
  const line = rows.slice(top, capture.cursorY + 1)
  const first = plain(line[0] ?? [])
  const start = promptEnd(first, options.prompt)
  if (start === undefined && options.prompt !== undefined) return none('the prompt is not visible')
  if (start !== undefined && MENU.test(first.slice(start))) return none('a menu is open')
  const below = rows.slice(capture.cursorY + 1).some((row) => row.length > 0)
  if (start === undefined && below) return none('no input line is visible')
  return readInput({
    rows: line,
    cursorX: capture.cursorX,
    cursorRow: capture.cursorY - top,
    start: start ?? 0,
  })
}

function readInput({ rows, cursorX, cursorRow, start, placeholder }: InputLine): ScreenReading {
  const typed = rows.map((row, index) => typedText(index === 0 ? row.slice(start) : row))
  const text = typed
    .map((line) => line.trim())
    .join('\n')
    .trim()
  if (text === placeholder && rows.length === 1 && showsPlaceholder(rows[0], start))
    return { box: 'empty', text: '', why: 'the input box is empty', insert: false }
  if (text !== '') return { box: 'draft', text, why: 'the input box holds text', insert: false }
  // Nothing to see may still be something typed: spaces, or empty lines. A row of dim text alone is
  // a wrapped placeholder.
  const blankRows = rows.slice(1).some((row) => row.length === 0)
  if (cursorRow !== 0 || blankRows || cursorX > (start > 0 ? start + 1 : 0)) {
    return { box: 'draft', text: '', why: 'the input box holds blanks', insert: false }
  }
  return { box: 'empty', text: '', why: 'the input box is empty', insert: false }
}

/** A caret stands before a placeholder: on a blank of its own, in the first cell behind the sign. */
function showsPlaceholder(row: readonly Cell[] = [], start: number): boolean {
  const caret = row.findIndex((cell) => cell.inverse)
  return caret === start + 1 && row[caret]?.char === ' '
}

/**
 * The text of a row without what is dim. A caret on a dim text's first letter shows that letter
 * inverse and not dim.
 */
function typedText(row: readonly Cell[]): string {
  return row
    .map((cell, index) => {
      const rest = row.slice(index + 1).filter((other) => other.char.trim() !== '')
      const caretOnPlaceholder = cell.inverse && rest.length > 0 && rest.every((other) => other.dim)
      return cell.dim || caretOnPlaceholder ? ' ' : cell.char
    })
    .join('')
}

/**
 * Where the typed text begins in a first row: behind the prompt, or behind one glyph; undefined
 * where neither is there.
 */
function promptEnd(first: string, prompt?: string, glyphs = GLYPHS): number | undefined {
  if (prompt !== undefined) {
    const given = prompt.trimEnd()
    return first.trimStart().startsWith(given.trimStart())
      ? first.indexOf(given.trimStart()) + given.trimStart().length
      : undefined
  }
  const indent = first.length - first.trimStart().length
  const glyph = first[indent]
  if (glyph === undefined || !glyphs.includes(glyph)) return undefined
  return /^\s?$|^\s/.test(first.slice(indent + 1)) ? indent + 1 : undefined
}

/** What the lines under the box say about the mode it is in. */
function modeTrouble(
  footer: string,
  insert: boolean,
  options: ScreenOptions,
): ScreenReading | undefined {
  if (options.modes?.commands.test(footer))
    return none('the editor is in a vim mode other than INSERT')
  if (options.vim && !insert) return none('the editor is in a vim mode other than INSERT')
  return options.ending?.test(footer) ? none('the agent is about to be ended') : undefined
}

function firstOfWrapped(rows: Cell[][], { cursorY, width }: ScreenCapture): number {
  let top = cursorY
  while (top > 0 && columns(rows[top - 1] ?? []) >= width) top -= 1
  return top
}

function none(why: string): ScreenReading {
  return { box: 'none', text: '', why, insert: false }
}

function squash(text: string): string {
  return text.replace(/\s/g, '')
}
