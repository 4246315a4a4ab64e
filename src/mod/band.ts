import type { Need } from '../feed/need.ts'
import type { RoomQuestion } from '../feed/panel.ts'
import { openPane, optionButtons } from './acts.ts'
import type { Drawn, Elements, Engine, RenderEvent } from './engine.ts'
import { isElsewhere, needLine } from './needs.ts'
import { ago, cellsOf, cut, linesOf, type View, viewOf, wrapped } from './view.ts'

/** A question that takes more rows is answered in the pane: the band is above every prompt. */
const ROWS = 6
/** Narrower than this there is no room for the keys beside what is unread. In cells. */
const NARROW = 70

type Next = (e: RenderEvent) => Promise<Drawn>
/** What there is room for, in cells and lines. */
type Size = { columns: number; rows: number }

/**
 * What is unread, and what needs the person: the oldest question with its buttons, else the first
 * need of another session. Nothing where there is nothing.
 */
export async function drawBand($: Engine, e: RenderEvent, next: Next): Promise<Drawn> {
  const view = await viewOf($)
  const [question] = view?.questions ?? []
  const other = view?.needs.find((need) => isElsewhere(need, view.name) && !('options' in need))
  const asks = question ?? other
  if (!view?.name || e.props.hasSurvey || (view.unread === 0 && asks === undefined)) return next(e)
  const columns = Number(e.props.bodyColumns) || 80
  const rows = Number(e.props.maxRows) || 3
  const elements = $.ui.resolve(e)
  const count = view.needs.length
  const asked = question && drawQuestion($, question, count, { columns, rows }, elements)
  const taken = asked?.rows ?? (other === undefined ? 0 : 1)
  // A small terminal has room for what waits for an answer, and then for what is unread.
  return h(
    elements.Box,
    { flexDirection: 'column' },
    taken < rows && unreadLine($, view, columns, elements),
    asked?.drawn,
    question === undefined && other && otherLine(other, count, columns, elements),
  )
}

function otherLine(need: Need, count: number, columns: number, { Text }: Elements): Drawn {
  const more = count > 1 ? ` · ${count} need you: /room` : ''
  const line = needLine(need, columns - cellsOf(more))
  return h(Text, { color: 'warning', wrap: 'truncate-end' }, `${line}${more}`)
}

/** Its button opens the pane. Beside a decision the keys belong to that one's buttons. */
function unreadLine(
  $: Engine,
  view: View,
  columns: number,
  { Box, Text, Button }: Elements,
): Drawn {
  const last = view.latest.at(-1)
  if (view.unread === 0 || last === undefined) return undefined
  const isAlone = view.questions.length === 0
  const count = `✉ ${view.unread} unread`
  const age = ` · ${ago(last.at, view.at)} · `
  const keys = isAlone && columns >= NARROW ? ' ctrl+x tab' : ''
  const room = columns - count.length - last.from.length - age.length - keys.length - 14
  const line = h(
    Text,
    { wrap: 'truncate-end' },
    h(Text, { color: 'claude' }, count),
    ' · ',
    h(Text, { bold: true }, `@${last.from}`),
    room < 8 ? '' : `: "${cut(last.title, room)}"`,
    h(Text, { dimColor: true }, age),
  )
  if (!isAlone) return h(Box, {}, line, h(Text, { dimColor: true }, '/room'))
  const open = () => openPane($)
  return h(
    Box,
    {},
    line,
    h(Button, { key: 'open', plain: true, label: '/room', onPress: open }),
    h(Text, { dimColor: true, wrap: 'truncate-end' }, keys),
  )
}

/**
 * A question with its buttons, whole: nobody answers what is cut off. One that is longer is answered
 * in the pane.
 */
function drawQuestion(
  $: Engine,
  question: RoomQuestion,
  count: number,
  { columns, rows }: Size,
  elements: Elements,
): { drawn: Drawn; rows: number } {
  const { Box, Text } = elements
  const asks = `? @${question.from} asks: ${question.title}`
  const hint = ` ctrl+x tab${count > 1 ? ` · ${count - 1} more: /room` : ''}`
  const widths = [...question.options.map((option) => cellsOf(option) + 5), cellsOf(hint)]
  const warning = (text: string) => h(Text, { color: 'warning', wrap: 'truncate-end' }, text)
  const keys = h(Text, { dimColor: true, wrap: 'truncate-end' }, hint)
  const buttons = optionButtons($, question, question.options, elements)
  const isShort = question.text === '' && question.options.length > 0
  if (isShort && linesOf([cellsOf(asks) + 2, ...widths], columns) === 1)
    return { drawn: h(Box, {}, warning(`${asks} `), ...buttons, keys), rows: 1 }
  const lines = wrapped(asks, columns)
  const text = question.text === '' ? [] : wrapped(question.text, columns)
  const taken = lines.length + text.length + linesOf(widths, columns)
  const hasRoom = taken <= Math.min(rows, ROWS) && widths.every((width) => width <= columns)
  if (!hasRoom || question.options.length === 0)
    return { drawn: warning(`${cut(asks, Math.max(8, columns - 8))}  /room`), rows: 1 }
  const drawn = h(
    Box,
    { flexDirection: 'column' },
    ...lines.map(warning),
    ...text.map((line) => h(Text, { wrap: 'truncate-end' }, line === '' ? ' ' : line)),
    h(Box, { flexWrap: 'wrap' }, ...buttons, keys),
  )
  return { drawn, rows: taken }
}
