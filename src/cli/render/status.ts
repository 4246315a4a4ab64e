import type { DoorbellRow, StatusRow } from '../../chat/status/statusRow.ts'
import { shortId } from '../../message/shortId.ts'
import { plural } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { type SessionRow, wordOf } from '../../session/sessionRows.ts'
import { dialogSaid } from '../../session/startDialog.ts'
import { failedText } from './failed.ts'
import { ago, lasting } from './time.ts'

type Line = [label: string, value: string]

/** As wide as the widest label, `last seen`, and two spaces. */
const LABEL_WIDTH = 11

/** A block for each name: its name, then what is known of it, one `label  value` a line. */
export function renderStatus(rows: StatusRow[], now: number): string {
  if (rows.length === 0) return 'no sessions yet; start one with: agent-chat start backend\n'
  return rows.map((row) => renderRow(row, now)).join('\n')
}

function renderRow(row: StatusRow, now: number): string {
  const lines: Line[] = [
    ['state', stateText(row, now)],
    ...taskLines(row, now),
    ...row.asks.map(
      ({ to, id }): Line => [
        'ask',
        `waiting for an answer from @${to}${id === null ? '' : ` to ${shortId(id)}`}`,
      ],
    ),
    ...questionLines(row, now),
    ...joinedLines(row, now),
    ['messages', messagesText(row)],
    ['last seen', row.last_seen === null ? 'never' : ago(row.last_seen, now)],
    ...doorbellLines(row, now),
    ...placeLines(row),
  ]
  const text = lines.map(
    ([label, value]) => `  ${label.padEnd(LABEL_WIDTH)}${visibleLine(value)}\n`,
  )
  return `@${row.name}\n${text.join('')}`
}

/** Why nothing shows what a session does. */
export function unknownText({
  no_hooks,
  no_guardrails,
}: Pick<SessionRow, 'no_hooks' | 'no_guardrails'>): string {
  const why = no_hooks ?? no_guardrails
  return `unknown: ${why === undefined ? 'its agent tells nothing of what it does' : visibleLine(why)}`
}

const STATES: Record<string, string> = {
  human: 'always here',
  left: 'not registered',
  gone: 'gone: its agent has ended',
  unknown: unknownText({}),
  asking: 'asking its user',
}

/** What a session is doing, and since when: `busy for 3m`, `finished 2 minutes ago`. */
export function stateFor(
  row: Pick<SessionRow, 'state' | 'since' | 'finished_at'>,
  now: number,
  text = wordOf(row),
): string {
  if (row.finished_at !== undefined) return `${text} ${ago(row.finished_at, now)}`
  return row.since === null ? text : `${text} for ${lasting(row.since, now)}`
}

function stateText(row: StatusRow, now: number): string {
  const { name, state, since, worker, dialog, failed } = row
  if (dialog) return `${dialogSaid(name, dialog)}, since ${ago(since ?? '', now)}`
  if (worker) {
    const why = worker.reason === null ? '' : `: ${worker.reason}`
    return `worker, ${worker.activity} for ${lasting(worker.since, now)}${why}`
  }
  const text = Object.hasOwn(STATES, state) ? (STATES[state] ?? state) : undefined
  const told = stateFor(row, now, text)
  return [told, failedText({ ...(failed && { failed }) }, now)].filter(Boolean).join('; ')
}

function taskLines({ tasks, tasks_given: given }: StatusRow, now: number): Line[] {
  const held = tasks.map(
    ({ id, from, title, state, since }): Line => [
      'task',
      `${title}, from @${from}: ${state}, since ${ago(since, now)} (${shortId(id)})`,
    ],
  )
  return given === 0 ? held : [...held, ['given', `${plural(given, 'open task')} to others`]]
}

function questionLines({ questions = [] }: StatusRow, now: number): Line[] {
  return questions.map(({ id, from, at, title, decision }) => [
    'question',
    `from @${from}, ${ago(at, now)}: ${title} (agent-chat reply ${decision ?? shortId(id)})`,
  ])
}

function joinedLines({ joined_at: joined, uptime_seconds: up }: StatusRow, now: number): Line[] {
  if (joined === null || !(Date.parse(joined) > 0)) return []
  return [up === null ? ['joined', ago(joined, now)] : ['up', lasting(joined, now)]]
}

function messagesText({ name, state, handled, unread, held }: StatusRow): string {
  const look = state === 'human' && unread > 0 ? `: agent-chat inbox ${name}` : ''
  return `${handled} handled, ${unread} unread${held === 0 ? look : ` (${held} held: agent-chat gate)`}`
}

function doorbellLines(row: StatusRow, now: number): Line[] {
  const { doorbell, waiting } = row
  if (doorbell === null || row.state === 'gone' || row.worker) return []
  if (row.no_hooks !== undefined) return [['guardrails', `none: ${row.no_hooks}`]]
  const unguarded: Line[] = row.no_guardrails ? [['guardrails', `none: ${row.no_guardrails}`]] : []
  const parts = [
    doorbell.in_use ?? `none: ${whyNone(doorbell, row)}`,
    ...(doorbell.paused ? ['paused: agent-chat unpause'] : []),
    ...(waiting === null ? [] : [`not delivered yet: ${waiting.why}`]),
    lastRingText(doorbell, now),
  ]
  return [...unguarded, ['doorbell', parts.join('; ')]]
}

function whyNone({ choice }: DoorbellRow, { name, pane, watcher, no_bell }: StatusRow): string {
  if (no_bell !== undefined) return no_bell
  if (choice === 'native') return 'its agent does not listen to it'
  if (choice === 'stdout') return `start it with agent-chat watch ${name} --doorbell stdout`
  if (pane === null) return 'it is not in a tmux pane'
  return watcher ? `no doorbell ${choice}` : 'no watcher is running: agent-chat doctor'
}

function lastRingText({ in_use: inUse, last_ring: ring }: DoorbellRow, now: number): string {
  if (ring === null) return 'has not rung yet'
  const got = ring.presented === null ? 'not yet seen by the agent' : 'presented'
  if (ring.by === 'prompt') return `shown with a prompt of its user ${ago(ring.at, now)}`
  return `last rang ${ago(ring.at, now)}${ring.by === inUse ? '' : ` by ${ring.by}`}, ${got}`
}

function placeLines({ pane, cwd }: StatusRow): Line[] {
  const lines: [string, string | null][] = [
    ['pane', pane],
    ['directory', cwd],
  ]
  return lines.flatMap(([label, value]): Line[] =>
    value === null || value === '' ? [] : [[label, value]],
  )
}
