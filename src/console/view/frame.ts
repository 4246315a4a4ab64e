import { truncateToWidth } from '@earendil-works/pi-tui'
import { shortId } from '../../message/shortId.ts'
import { addresseeOf, type Room } from '../model/room.ts'
import { wrap } from './layout.ts'
import type { Pane, Panes } from './pane.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/** What a frame is made of. `says` stands above the `input` lines; `unseen` was never drawn. */
export type Scene = {
  room: Room
  columns: number
  rows: number
  up: number
  input: readonly string[]
  says: string
  unseen: readonly string[]
}

/** Exactly `rows` lines, none wider than `columns`; the messages in them; how far up it is. */
type Frame = { lines: string[]; ids: string[]; up: number; height: number }

/** Less than this and the head, or what waits, is left out: the input box comes first. Rows. */
const ROOM_FOR_HEAD = 6
const ROOM_FOR_QUESTIONS = 10

/** From above: who is here, the room, open questions, to whom one writes, the input box. */
export function frameOf(scene: Scene, panes: Panes, style: Style): Frame {
  const { room, columns, rows } = scene
  const input = scene.input.slice(-rows)
  const head =
    rows >= ROOM_FOR_HEAD
      ? atMost(headLines(room, columns, style), rows >= 16 ? 3 : 1, columns)
      : []
  const questions =
    rows >= ROOM_FOR_QUESTIONS ? questionLines(room, columns, Math.floor(rows / 4), style) : []
  const status = rows > input.length ? 1 : 0
  const height = Math.max(0, rows - input.length - status - head.length - questions.length)
  const pane = panes.pane(room, { width: columns, height, up: scene.up })
  const ids = height > 0 ? pane.ids : []
  const gap = Array<string>(height - pane.lines.length).fill('')
  const line = status === 0 ? [] : [statusLine(scene, { ...pane, ids }, style)]
  const lines = [...head, ...gap, ...pane.lines, ...questions, ...line, ...input]
  return { lines: lines.map((text) => clamped(text, columns)), ids, up: pane.up, height }
}

/** The first lines, the last of them with a sign that there are more. */
function atMost(lines: readonly string[], max: number, columns: number): string[] {
  if (lines.length <= max) return [...lines]
  const last = truncateToWidth(lines[max - 1] ?? '', Math.max(0, columns - MORE.length), '')
  return [...lines.slice(0, max - 1), `${last}${MORE}`]
}

const MORE = '  … /who'

function headLines(room: Room, columns: number, style: Style): string[] {
  const people = room.people.map(({ name, state, unread, held }) => {
    const count = unread === 0 ? '' : ` ${unread}${held > 0 ? ` (${held} held)` : ''}`
    return `${style.name(name)} ${style.tone(STATES[state] ?? 'dim', state)}${style.tone('dim', count)}`
  })
  const here =
    people.length === 0
      ? [style.tone('dim', 'nobody is here: agent-chat <name> starts a session')]
      : people
  const paused = room.paused ? [style.tone('warn', 'paused: /resume')] : []
  return [
    ...(room.trouble === undefined ? [] : wrap(style.tone('error', `! ${room.trouble}`), columns)),
    ...flow([...paused, ...here], columns),
  ]
}

/** As many pieces on a line as there is room for, three blanks apart. */
function flow(pieces: readonly string[], columns: number): string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    const joined = lines.length === 0 ? piece : `${lines.at(-1)}   ${piece}`
    if (lines.length > 0 && widthOf(joined) <= columns) lines[lines.length - 1] = joined
    else lines.push(piece)
  }
  return lines
}

const STATES: Record<string, 'good' | 'warn' | 'error' | 'dim'> = {
  idle: 'good',
  busy: 'warn',
  asking: 'error',
  gone: 'dim',
}

/** Each question in one or two lines; the last line says how many more there are. */
function questionLines(room: Room, columns: number, max: number, style: Style): string[] {
  const blocks = room.questions.map(({ number, from, title, options, id }) => {
    const choices = options.map((option, at) => `${at + 1} ${option}`).join(' · ')
    const name = number === undefined ? '▶ ?' : `▶ #${number}`
    const answer = number === undefined ? `  /reply ${shortId(id)} …` : ''
    const lines = wrap(
      `${style.tone('warn', name)} ${style.name(from)}: ${title}${choices === '' ? answer : `  ${choices}`}`,
      columns,
    )
    return lines.length <= 2
      ? lines
      : [lines[0] ?? '', truncateToWidth(lines.slice(1).join(' '), columns, '…')]
  })
  const shown: string[] = []
  let count = 0
  for (const block of blocks) {
    const last = count === blocks.length - 1
    if (shown.length + block.length > max - (last ? 0 : 1)) break
    shown.push(...block)
    count += 1
  }
  const left = blocks.length - count
  return left === 0
    ? shown
    : [
        ...shown,
        style.tone(
          'warn',
          `▶ ${left} ${count === 0 ? '' : 'more '}wait for your answer: /status human`,
        ),
      ]
}

function statusLine(
  { room, columns, says, unseen }: Scene,
  { up, ids }: Pane,
  style: Style,
): string {
  if (says !== '') return style.tone('warn', truncateToWidth(says, columns, '…'))
  const to = addresseeOf(room)
  const above = unseen.filter((id) => !ids.includes(id)).length
  const parts = [
    to === undefined ? 'begin with @name' : `to @${to}`,
    ...(up > 0 ? [`${up} lines below: PgDn`] : []),
    ...(room.fresh > 0 ? [`${room.fresh} new`] : []),
    ...(above > 0 ? [`${above} unread above: /inbox`] : []),
  ]
  const text = `── ${parts.join(' · ')} `
  return style.tone('dim', `${text}${'─'.repeat(Math.max(0, columns - widthOf(text)))}`)
}

/** The library throws at a line that is too wide, and a terminal would wrap it. */
function clamped(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : truncateToWidth(line, columns, '')
}
