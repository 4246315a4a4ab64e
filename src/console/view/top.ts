import { truncateToWidth } from '@earendil-works/pi-tui'
import type { Person } from '../../chat/live/entry.ts'
import { HUMAN } from '../../message/name.ts'
import { verbOf } from '../../message/verbs.ts'
import { UNPAUSE } from '../model/commands.ts'
import type { Room } from '../model/room.ts'
import { wrap } from './layout.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/** From this width on the sessions are a table. In columns. */
export const WIDE = 100
const MORE = '  … /who'

/**
 * Who is here and what is wrong: a table where there is room for it, else as few lines as can be.
 */
export function topLines(room: Room, columns: number, rows: number, style: Style): string[] {
  const trouble =
    room.trouble === undefined ? [] : wrap(style.tone('error', `! ${room.trouble}`), columns)
  const paused = room.paused
    ? [style.tone('warn', `notifications paused (${UNPAUSE} turns them on)`)]
    : []
  const isEmpty = room.people.length === 0 && !room.looking
  const nobody = isEmpty ? [style.tone('dim', `no sessions yet: ${START}`)] : []
  const most = rows >= 16 ? Math.max(3, Math.floor(rows / 5)) : 1
  if (columns >= WIDE && room.people.length > 0)
    return atMost([...trouble, ...paused, ...table(room.people, columns, style)], most, columns)
  const people = room.people.map((person) => shortly(person, style))
  const lines = [...trouble, ...flow([...paused, ...nobody, ...people], columns)]
  return atMost(lines, Math.min(3, most), columns)
}

const START = `agent-chat ${verbOf('start') ? 'start ' : ''}<name> starts a session`

/** What an empty room shows. */
export function welcomeLines(
  { people, needs, looking }: Room,
  columns: number,
  style: Style,
): string[] {
  const name = people[0]?.name
  const start =
    name === undefined ? `To start: ${START}` : `To start: type @${name} and a message, then Enter`
  const waits = needs.length === 0 ? 'nothing' : `${needs.length}, below`
  return [
    '',
    `${style.tone('strong', 'The console')} shows every message between your sessions. You are @${HUMAN}.`,
    '',
    `Needs you: ${waits}`,
    looking ? '' : start,
    style.tone('dim', '? shows the keys'),
  ].flatMap((line) => wrap(line, Math.max(1, columns - 2)).map((text) => `  ${text}`))
}

const STATES: Record<string, 'good' | 'warn' | 'error' | 'dim'> = {
  idle: 'good',
  busy: 'warn',
  asking: 'error',
  gone: 'dim',
}

function unreadText({ unread, held }: Person): string {
  return unread === 0 ? '' : `${unread} unread${held > 0 ? ` (${held} held)` : ''}`
}

function stateText({ state, since }: Person, style: Style): string {
  const tone = STATES[state] ?? 'dim'
  return `${style.tone(tone, state)}${since === '' ? '' : style.tone('dim', ` ${since}`)}`
}

function shortly(person: Person, style: Style): string {
  const unread = unreadText(person)
  return `${style.name(person.name)} ${stateText(person, style)}${unread === '' ? '' : style.tone('dim', ` ${unread}`)}`
}

/** A line a session, always in the order of names: state and since, unread, task, directory. */
function table(people: readonly Person[], columns: number, style: Style): string[] {
  const rows = people.map((person) => [
    style.name(person.name),
    stateText(person, style),
    style.tone('warn', unreadText(person)),
    person.task,
    style.tone('dim', person.cwd),
  ])
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))))
  const rest = columns - widths.reduce((sum, width) => sum + width + 2, 0) - 2
  const directory = Math.min(
    Math.floor(rest / 2),
    Math.max(...rows.map((row) => widthOf(row[4] ?? ''))),
  )
  const all = [...widths, rest - directory, directory]
  return rows.map((row) =>
    row
      .map((cell, at) => truncateToWidth(cell, all[at] ?? 0, '…', true))
      .join('  ')
      .trimEnd(),
  )
}

/** The first lines, the last of them with a sign that there are more. */
function atMost(lines: readonly string[], max: number, columns: number): string[] {
  if (lines.length <= max) return [...lines]
  const last = truncateToWidth(lines[max - 1] ?? '', Math.max(0, columns - MORE.length), '')
  return [...lines.slice(0, max - 1), `${last}${MORE}`]
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
