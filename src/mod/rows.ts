import type { Drawn, Engine, PromptEvent, RenderEvent } from './engine.ts'
import { ASKED, viewOf } from './view.ts'

type Next = (e: RenderEvent) => Promise<Drawn>

const RING =
  /(?:New message|\d+ new messages)(?: from (@[a-z0-9-]+(?:, @[a-z0-9-]+)*))?\. Check inbox\./

/** How the client heads the row of a ring: it shows no word of what the hook said. */
const HEAD = /^(Stop )?hook feedback$/i

/** Who rang, by the prompts of the last notifications that have no row yet, oldest first. */
const coming: string[] = []
/** What each row shows: whose ring it is, and what about as soon as that is known. */
const rows = new Map<string, { senders: string; title: string }>()

/** A notification comes as a prompt; its row is drawn a moment later, and in the same order. */
export function notePrompt({ text, origin }: PromptEvent): void {
  if (origin.kind !== 'task-notification') return
  const ring = RING.exec(text)
  coming.push(ring ? (ring[1] ?? 'a new message') : '')
  coming.splice(0, coming.length - 20)
}

/** The row of a native ring says who wrote, and what about. */
export async function drawRing($: Engine, e: RenderEvent, next: Next): Promise<Drawn> {
  const { origin, text, isExpanded } = e.props as {
    origin?: { kind: string }
    text?: string
    isExpanded?: boolean
  }
  if (origin?.kind !== 'task-notification' || isExpanded || !HEAD.test(text ?? '')) return next(e)
  const row = rows.get(e.requestId) ?? { senders: coming.shift() ?? '', title: '' }
  rows.set(e.requestId, row)
  if (row.senders === '') return next(e)
  row.title ||= await titleOf($, row.senders)
  const { Box, Text } = $.ui.resolve(e)
  return h(
    Box,
    {},
    h(Text, { color: 'claude' }, '✉ '),
    h(Text, { bold: true }, row.senders),
    h(Text, { wrap: 'truncate-end' }, row.title === '' ? '' : `: "${row.title}"`),
  )
}

/** The title of the last message from any of them, while it is unread. */
async function titleOf($: Engine, senders: string): Promise<string> {
  const { latest = [] } = (await viewOf($)) ?? {}
  const about = latest.filter(({ from }) => senders.split(', ').includes(`@${from}`))
  return about.at(-1)?.title ?? ''
}

/** Above a dialog for files, which has no room for a reason: whose message asked for the call. */
export async function drawToolUse($: Engine, e: RenderEvent, next: Next): Promise<Drawn> {
  const { value } = await $.state.get(ASKED)
  const asked = value as { id: string; by: string } | undefined
  const drawn = await next(e)
  const isOver = e.props.output !== undefined || e.props.isErrored === true
  if (!asked || asked.id !== e.props.tool_use_id || isOver) return drawn
  const { Box, Text } = $.ui.resolve(e)
  const line = `  ✉ asked for by ${asked.by}, not by you`
  return h(Box, { flexDirection: 'column' }, drawn, h(Text, { color: 'warning' }, line))
}
