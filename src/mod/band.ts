import { type Need, needRow } from '../feed/need.ts'
import type { RoomQuestion } from '../feed/panel.ts'
import { act, openPane } from './acts.ts'
import type { Drawn, Elements, Engine, RenderEvent } from './engine.ts'
import { isElsewhere, needText } from './needs.ts'
import { ago, cellsOf, cut, type View, viewOf } from './view.ts'

/** So many options are buttons in the band; the pane has all. */
const BUTTONS = 3
/** Narrower than this, the buttons have a line of their own. In cells. */
const NARROW = 70

type Next = (e: RenderEvent) => Promise<Drawn>

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
  const long = question !== undefined && (columns < NARROW || isLong(question, columns))
  const narrow = long && rows > 1
  // A small terminal has room for what waits for an answer, and then for what is unread.
  const both = rows >= (narrow ? 3 : 2) || asks === undefined
  const elements = $.ui.resolve(e)
  return h(
    elements.Box,
    { flexDirection: 'column' },
    both && unreadLine($, view, columns, elements),
    question &&
      questionLine(
        $,
        // On the only line there is, all of a question is worth more than its buttons.
        long && !narrow ? { ...question, options: [] } : question,
        view.needs.length,
        { columns, narrow },
        elements,
      ),
    question === undefined && other && needLine(other, view.needs.length, columns, elements),
  )
}

/** A need that is answered elsewhere, with the command that leads there. */
function needLine(need: Need, count: number, columns: number, { Text }: Elements): Drawn {
  const { answer } = needRow(need)
  const more = count > 1 ? ` · ${count} need you: /room` : ''
  const line = cut(
    `? ${needText(need)}`,
    Math.max(8, columns - cellsOf(more) - cellsOf(answer) - 3),
  )
  return h(Text, { color: 'warning', wrap: 'truncate-end' }, `${line} · ${answer}${more}`)
}

/** Whether a question and its buttons do not fit on one line: nobody answers what is cut off. */
function isLong({ from, title, options }: RoomQuestion, columns: number): boolean {
  const buttons = options.slice(0, BUTTONS).reduce((sum, one) => sum + cellsOf(one) + 5, 0)
  return cellsOf(`? @${from} asks: ${title}  ctrl+x tab · 99 more: /room`) + buttons > columns
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

function questionLine(
  $: Engine,
  question: RoomQuestion,
  count: number,
  { columns, narrow }: { columns: number; narrow: boolean },
  { Box, Text, Button }: Elements,
): Drawn {
  const shown = question.options.slice(0, BUTTONS)
  const rest = question.options.length - shown.length + (count - 1)
  const hint =
    shown.length === 0 ? ' /room' : ` ctrl+x tab${rest > 0 ? ` · ${rest} more: /room` : ''}`
  const width = narrow
    ? Math.floor((columns - hint.length) / Math.max(1, shown.length)) - 5
    : Math.floor(columns / (BUTTONS + 1)) - 5
  const labels = shown.map((option) => cut(option, Math.max(4, width)))
  const taken = labels.reduce((sum, label) => sum + cellsOf(label) + 5, hint.length)
  const asks = `? @${question.from} asks: `
  const title = cut(question.title, Math.max(8, columns - asks.length - (narrow ? 1 : taken + 2)))
  const buttons = labels.map((label, at) =>
    h(Button, {
      key: `${question.id}-${at}`,
      label,
      onPress: () =>
        act($, { do: 'reply', id: String(question.number ?? question.id), text: String(at + 1) }),
    }),
  )
  const line = h(Text, { color: 'warning', wrap: 'truncate-end' }, `${asks}${title} `)
  const keys = h(Text, { dimColor: true, wrap: 'truncate-end' }, hint)
  return narrow
    ? h(Box, { flexDirection: 'column' }, line, h(Box, {}, ...buttons, keys))
    : h(Box, {}, line, ...buttons, keys)
}
