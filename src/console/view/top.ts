import { truncateToWidth } from '@earendil-works/pi-tui'
import type { Person } from '../../chat/live/entry.ts'
import { needRow } from '../../feed/need.ts'
import { HUMAN } from '../../message/name.ts'
import { verbOf } from '../../message/verbs.ts'
import { UNPAUSE } from '../model/commands.ts'
import type { Room } from '../model/room.ts'
import { wrap } from './layout.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/** From this width on a pane is beside the room. In columns. */
export const WIDE = 100
/** From this width on the sessions are a table, where each has a line of its own. In columns. */
const ROOM_FOR_TABLE = 60
const MORE = '  … /who'

/**
 * Who is here and what is wrong, with all that there is room for: a table of what each does, the
 * names with their states, or the names with their marks.
 */
export function topLines(room: Room, columns: number, rows: number, style: Style): string[] {
  const trouble =
    room.trouble === undefined ? [] : wrap(style.tone('error', `! ${room.trouble}`), columns)
  const paused = room.paused
    ? [style.tone('warn', `notifications paused (${UNPAUSE} turns them on)`)]
    : []
  const isEmpty = room.people.length === 0 && !room.looking
  const nobody = isEmpty ? [style.tone('dim', `no sessions yet: ${START}`)] : []
  const most = Math.max(1, Math.floor(rows / 3))
  const waits = waitingOn(room)
  const shown = room.people.map((person) => ({ person, mark: markOf(person, waits, style) }))
  const above = [...trouble, ...paused, ...nobody]
  if (columns >= ROOM_FOR_TABLE && above.length + shown.length <= Math.max(3, Math.floor(rows / 4)))
    return atMost([...above, ...table(shown, columns, style)], most, columns)
  const inWords = [
    ...trouble,
    ...flow([...paused, ...nobody, ...shown.map((one) => shortly(one, style))], columns),
  ]
  if (inWords.length <= Math.min(3, most)) return inWords
  const marks = shown.map(({ person, mark }) => `${mark} ${style.name(person.name)}`)
  return atMost([...trouble, ...flow([...paused, ...nobody, ...marks], columns)], most, columns)
}

type Shown = { person: Person; mark: string }

const START = `agent-chat ${verbOf('start') ? 'start ' : ''}<name> starts a session`

/** What an empty room shows. */
export function welcomeLines({ people, looking }: Room, columns: number, style: Style): string[] {
  const name = people[0]?.name
  const start =
    name === undefined
      ? `To start: ${START}`
      : `To start: press i, type @${name} and a message, then Enter`
  return [
    '',
    `${style.tone('strong', 'The console')} shows what needs you, and every message between your sessions. You are @${HUMAN}.`,
    '',
    looking ? '' : start,
    style.tone('dim', '? shows the keys'),
  ].flatMap((line) => wrap(line, Math.max(1, columns - 2)).map((text) => `  ${text}`))
}

const STATES: Record<string, [mark: string, tone: 'good' | 'warn' | 'error' | 'dim']> = {
  idle: ['○', 'good'],
  busy: ['●', 'warn'],
  asking: ['▶', 'error'],
  gone: ['×', 'dim'],
}

const OTHER = ['?', 'dim'] as const

/** The names that are on the list of what needs the human. */
function waitingOn({ needs }: Pick<Room, 'needs'>): Set<string> {
  return new Set(needs.map((need) => needRow(need).session ?? ''))
}

function markOf({ name, state }: Person, waits: Set<string>, style: Style): string {
  const [mark, tone] = waits.has(name) ? (['▶', 'error'] as const) : (STATES[state] ?? OTHER)
  return style.tone(tone, mark)
}

function unreadText({ unread, held }: Person): string {
  return unread === 0 ? '' : `${unread} unread${held > 0 ? ` (${held} held)` : ''}`
}

function stateText({ state, since }: Person, style: Style): string {
  const [, tone] = STATES[state] ?? OTHER
  return `${style.tone(tone, state)}${since === '' ? '' : style.tone('dim', ` ${since}`)}`
}

function shortly({ person, mark }: Shown, style: Style): string {
  const unread = unreadText(person)
  return `${mark} ${style.name(person.name)} ${stateText(person, style)}${unread === '' ? '' : style.tone('dim', ` ${unread}`)}`
}

/** A line a session, always in the order of names: state and since, unread, what it does, directory. */
function table(shown: readonly Shown[], columns: number, style: Style): string[] {
  const rows = shown.map(({ person, mark }) => [
    `${mark} ${style.name(person.name)}`,
    stateText(person, style),
    style.tone('warn', unreadText(person)),
    person.doing,
    style.tone('dim', columns < WIDE ? '' : person.cwd),
  ])
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))))
  const rest = columns - widths.reduce((sum, width) => sum + width + 2, 0) - 2
  const directory = Math.min(
    Math.floor(rest / 2),
    Math.max(...rows.map((row) => widthOf(row[4] ?? ''))),
  )
  const all = [...widths, Math.max(0, rest - directory), Math.max(0, directory)]
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
