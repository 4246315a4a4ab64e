import type { RoomPane, RoomQuestion } from '../feed/panel.ts'
import { act, choose, optionButtons } from './acts.ts'
import type { Drawn, Elements, Engine, RenderEvent } from './engine.ts'
import { needLine } from './needs.ts'
import { cellsOf, cut, linesOf, type View, viewOf, wrapped } from './view.ts'

/** What a pane of this size has room for. */
type Room = { columns: number; rows: number; beside: boolean }

/**
 * The whole room. Beside the transcript: sessions, what waits, the conversation, the field. Where
 * there are few rows, as above the prompt, the field comes first: the rest scrolls.
 */
export async function drawPane($: Engine, e: RenderEvent): Promise<Drawn> {
  const view = await viewOf($)
  const elements = $.ui.resolve(e)
  const { Box, Text } = elements
  if (!view?.name || !view.pane)
    return h(Text, {}, 'This session has not joined: ask it to run agent-chat join <name>')
  const room = roomIn(e)
  const pane = view.pane
  const cards = view.questions.map((question) => card($, question, room, elements))
  const held = [...needLines(view, room, elements), ...heldLines($, pane, room, elements)]
  const cardLines = cards.reduce((sum, { rows }) => sum + rows, 0)
  const taken = 2 + linesOfSessions(view, room) + cardLines + held.length
  const log = conversation(pane, Math.max(LOG, room.rows - taken), room, elements)
  const asked = cards.map(({ drawn }) => drawn)
  const parts =
    room.beside && taken + LOG < room.rows
      ? [sessions($, view, elements), ...asked, ...held, ...log, field($, pane, room, elements)]
      : [field($, pane, room, elements), ...asked, sessions($, view, elements), ...held, ...log]
  return h(Box, { flexDirection: 'column' }, ...parts)
}

function roomIn({ props }: RenderEvent): Room {
  const { bodyRows } = (props.scroll ?? {}) as { bodyRows?: number }
  return {
    columns: Number(props.bodyColumns) || 40,
    rows: Math.max(5, bodyRows ?? 12),
    beside: props.placement === 'dock',
  }
}

/** At least so many messages are shown. */
const LOG = 2
/** So many needs that are answered elsewhere have a line of their own. */
const NAMED = 5

const STATES: Record<string, string> = { busy: '◐', asking: '?', idle: '●', unknown: '○' }

/** In the order of their names, always: what was pressed there stays there. */
function sessions($: Engine, view: View, { Box, Text, Button }: Elements): Drawn {
  const { sessions: all = [], peer = null } = view.pane ?? {}
  const others = all.filter(({ name }) => name !== view.name)
  const buttons = others.map(({ name, state, unread }) =>
    h(Button, {
      key: `to-${name}`,
      plain: true,
      dimColor: name !== peer,
      label: `${name === peer ? '▸' : ' '}${STATES[state] ?? '○'} @${name}${unread > 0 ? ` ${unread}` : ''} `,
      onPress: () => choose($, name),
    }),
  )
  return h(Box, { flexWrap: 'wrap' }, h(Text, { dimColor: true }, `@${view.name} to `), ...buttons)
}

/**
 * A question, whole, and how many rows it takes. The answer of one without options is written in the
 * field.
 */
function card(
  $: Engine,
  question: RoomQuestion,
  { columns, beside }: Room,
  elements: Elements,
): { drawn: Drawn; rows: number } {
  const { Box, Text } = elements
  const inner = beside ? columns - 4 : columns
  const { title, text, labels } = cardText(question, inner)
  const buttons = optionButtons($, question, labels, elements)
  const widths = labels.map((label) => cellsOf(label) + 4)
  const color = { color: 'warning', wrap: 'truncate-end' }
  const isOneLine =
    title.length === 1 && linesOf([cellsOf(title[0] ?? '') + 1, ...widths], inner) === 1
  if (!beside && text.length === 0 && isOneLine)
    return { drawn: h(Box, {}, h(Text, color, `${title[0]} `), ...buttons), rows: 1 }
  const drawn = h(
    Box,
    beside
      ? { flexDirection: 'column', borderStyle: 'round', borderColor: 'warning' }
      : { flexDirection: 'column' },
    ...title.map((line) => h(Text, beside ? { bold: true } : color, line)),
    ...text.map((line) => h(Text, {}, line === '' ? ' ' : line)),
    h(Box, { flexWrap: 'wrap' }, ...buttons),
  )
  const rows = title.length + text.length + linesOf(widths, inner) + (beside ? 2 : 0)
  return { drawn, rows }
}

/** The lines of a question. Options that fit on no button are in its text, by their numbers. */
function cardText({ from, title, text, options }: RoomQuestion, columns: number) {
  const fits = options.every((option) => cellsOf(option) + 4 <= columns)
  const listed = fits ? [] : options.map((option, at) => `${at + 1}. ${option}`)
  return {
    title: wrapped(`? @${from}: ${title}`, columns),
    text: [...(text === '' ? [] : [text]), ...listed].flatMap((one) => wrapped(one, columns)),
    labels: fits ? options : options.map((_, at) => String(at + 1)),
  }
}

function linesOfSessions({ name, pane }: View, { columns }: Room): number {
  const words = (pane?.sessions ?? []).map((one) => one.name.length + 7)
  return Math.max(1, linesOf([(name ?? '').length + 5, ...words], columns))
}

/** How many need the person, and those that are answered elsewhere: one line each. */
function needLines({ needs }: View, { columns }: Room, { Text }: Elements): Drawn[] {
  if (needs.length === 0) return []
  const line = (text: string) => h(Text, { color: 'warning', wrap: 'truncate-end' }, text)
  const named = needs.filter((need) => 'name' in need).slice(0, NAMED)
  return [
    line(`▶ ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you`),
    ...named.map((need) => line(needLine(need, columns))),
  ]
}

/** What was sent and waits for the person: one chain a line, with its button. */
function heldLines($: Engine, { held }: RoomPane, room: Room, elements: Elements): Drawn[] {
  const { Box, Text, Button } = elements
  const chains = [...new Map(held.map((one) => [one.chain, one])).values()]
  return chains.slice(0, 3).map(({ to, chain, why }) =>
    h(
      Box,
      {},
      h(Text, { wrap: 'truncate-end' }, `⏸ to @${to}: ${cut(why, room.columns - to.length - 20)} `),
      h(Button, {
        key: `held-${chain}`,
        label: 'release',
        onPress: () => act($, { do: 'release', chain }),
      }),
    ),
  )
}

function conversation(
  pane: RoomPane,
  rows: number,
  { columns }: Room,
  { Text }: Elements,
): Drawn[] {
  const head = h(Text, { dimColor: true }, '─'.repeat(Math.max(1, columns)))
  if (pane.messages.length === 0)
    return [head, h(Text, { dimColor: true }, pane.peer ? 'no messages yet' : 'no other session')]
  // The end of a name is worth less than the beginning of a text.
  const name = (whole: string) => `@${cut(whole, Math.max(8, Math.floor(columns / 4)))}`
  const lines = pane.messages
    .slice(-rows)
    .map(({ at, from, to, title }) =>
      h(
        Text,
        { wrap: 'truncate-end' },
        h(Text, { dimColor: true }, `${clockOf(at)} `),
        h(Text, { color: from === 'human' ? 'success' : 'claude' }, name(from)),
        ` → ${name(to)} ${title}`,
      ),
    )
  return [head, ...lines]
}

/** In the time of this machine, as everything else in a terminal. */
function clockOf(iso: string): string {
  const at = new Date(iso)
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
}

function field($: Engine, { peer }: RoomPane, { columns }: Room, { Input, Text }: Elements): Drawn {
  if (peer === null) return h(Text, { dimColor: true }, 'Nobody to write to yet.')
  return h(Input, {
    key: 'say',
    label: `to @${cut(peer, Math.max(8, Math.floor(columns / 3)))}`,
    placeholder: columns < 50 ? 'write' : 'write, as you',
    submitLabel: 'send',
    autoFocus: true,
    onSubmit: (text: string) => {
      if (text.trim() !== '') void act($, { do: 'send', to: peer, text })
    },
  })
}
