import { needRow } from '../feed/need.ts'
import type { RoomPane, RoomQuestion } from '../feed/panel.ts'
import { act, choose } from './acts.ts'
import type { Drawn, Elements, Engine, RenderEvent } from './engine.ts'
import { needText } from './needs.ts'
import { cellsOf, cut, type View, viewOf } from './view.ts'

/** What a pane of this size has room for. */
type Room = { columns: number; rows: number; beside: boolean }

/**
 * The whole room. Beside the transcript: sessions, what waits, the conversation, the field. Above
 * the prompt there are few rows: the field comes first, and all else is one line each.
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
  const held = [...needLines(view, elements), ...heldLines($, pane, room, elements)]
  const cardLines = view.questions.reduce((sum, one) => sum + linesOf(one, room), 0)
  const taken = 2 + linesOfSessions(view, room) + cardLines + held.length
  const log = conversation(pane, Math.max(2, room.rows - taken), room, elements)
  const parts = room.beside
    ? [sessions($, view, elements), ...cards, ...held, ...log, field($, pane, room, elements)]
    : [field($, pane, room, elements), ...cards, sessions($, view, elements), ...held, ...log]
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

/** A question with all its options. The answer of one without them is written in the field. */
function card($: Engine, question: RoomQuestion, room: Room, elements: Elements): Drawn {
  const { Box, Text, Button } = elements
  const inner = room.columns - 4
  const asks = `? @${question.from}: `
  const buttons = question.options.map((option, at) =>
    h(Button, {
      key: `${question.id}-${at}`,
      label: cut(option, Math.max(6, room.beside ? inner - 4 : 16)),
      onPress: () =>
        act($, { do: 'reply', id: String(question.number ?? question.id), text: String(at + 1) }),
    }),
  )
  if (!room.beside) {
    const line = h(Text, { color: 'warning', wrap: 'truncate-end' }, `${asks}${question.title} `)
    return h(
      Box,
      isOneLine(question, room) ? {} : { flexDirection: 'column' },
      line,
      h(Box, { flexWrap: 'wrap' }, ...buttons),
    )
  }
  return h(
    Box,
    { flexDirection: 'column', borderStyle: 'round', borderColor: 'warning' },
    h(Text, { bold: true, maxLines: 3 }, `${asks}${question.title}`),
    h(Box, { flexWrap: 'wrap' }, ...buttons),
  )
}

/** Where few rows are left: whether its buttons are beside a question, and leave all of it to see. */
function isOneLine({ from, title, options }: RoomQuestion, { columns }: Room): boolean {
  const taken = options.reduce((sum, text) => sum + Math.min(cellsOf(text), 16) + 4, 0)
  return cellsOf(`? @${from}: ${title} `) + taken <= columns
}

/** How many lines a card takes at the most. */
function linesOf(question: RoomQuestion, room: Room): number {
  if (!room.beside) return isOneLine(question, room) ? 1 : 3
  const inner = room.columns - 4
  const title = Math.ceil(cellsOf(`? @${question.from}: ${question.title}`) / inner)
  const labels = question.options.map((option) => cellsOf(cut(option, Math.max(6, inner - 4))) + 4)
  return 2 + Math.min(3, title) + wrapped(labels, inner)
}

function linesOfSessions({ name, pane }: View, { columns }: Room): number {
  const words = (pane?.sessions ?? []).map((one) => one.name.length + 7)
  return Math.max(1, wrapped([(name ?? '').length + 5, ...words], columns))
}

/** How many lines so many pieces take, by their widths. */
function wrapped(widths: readonly number[], columns: number): number {
  let [lines, taken] = [0, columns]
  for (const width of widths) {
    if (taken + width > columns) [lines, taken] = [lines + 1, 0]
    taken += width
  }
  return lines
}

/** How many need the person, and those that are answered elsewhere: one line each. */
function needLines({ needs }: View, { Text }: Elements): Drawn[] {
  if (needs.length === 0) return []
  const line = (text: string) => h(Text, { color: 'warning', wrap: 'truncate-end' }, text)
  const named = needs.filter((need) => 'name' in need).slice(0, NAMED)
  return [
    line(`▶ ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you`),
    ...named.map((need) => line(`? ${needText(need)} · ${needRow(need).answer}`)),
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
