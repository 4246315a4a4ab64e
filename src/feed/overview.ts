import { existsSync } from 'node:fs'
import { whoMaybe } from '../chat/identity.ts'
import type { Ports } from '../chat/ports.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import { endedLaunches, endedWithMachine } from '../session/launched.ts'
import { countUnread, type SessionRow, sessionsNow } from '../session/sessionRows.ts'
import type { Need } from './need.ts'
import { needsNow } from './needs.ts'

/**
 * One row of what needs the person, as `agent-chat --json` has it. `session`: who cannot go on, null
 * for held messages; `since`: ISO 8601; `answer`: the one command that answers it.
 */
export type NeedRow = {
  session: string | null
  reason: Exclude<Need['type'], 'asks'>
  since: string
  what: string
  answer: string
}

/** Who is here, what waits for `you`, and, where that is the person, what needs them. */
export type Overview = {
  you: string
  sessions: SessionRow[]
  unread: number
  questions: number
  paused: boolean
  needs_you: NeedRow[]
  /** How many sessions ended with the machine, or with their tmux server, and can come back. */
  ended: number
}

/** How a row says why an agent cannot go on. */
export const REASONS: Record<NeedRow['reason'], string> = {
  permission: 'asks permission',
  trust: 'asks at its start',
  decision: 'needs a decision',
  approval: 'asks permission',
  question: 'has a question',
  failed: 'failed',
  held: 'messages are held',
}

export async function overviewOf(ports: Pick<Ports, 'bus' | 'env' | 'tmux'>): Promise<Overview> {
  const bus = ports.bus()
  const you = whoMaybe(ports)?.name ?? HUMAN
  const sessions = await sessionsNow(ports)
  const needs = you === HUMAN ? needsNow(bus, sessions) : []
  return {
    you,
    sessions,
    unread: countUnread(bus, you).unread,
    questions: needs.filter((need) => 'options' in need).length,
    paused: existsSync(bus.home.paused),
    needs_you: needs.map(needRow),
    ended: endedLaunches(bus).filter(({ launch }) => endedWithMachine(launch, bus)).length,
  }
}

/** A need with the command that answers it. */
export function needRow(need: Need): NeedRow {
  const reason = need.type === 'asks' ? 'question' : need.type
  const row = { reason, since: need.at } as const
  switch (need.type) {
    case 'permission':
    case 'trust':
    case 'asks':
      return {
        session: need.name,
        ...row,
        what: need.why,
        answer: `agent-chat attach ${need.name}`,
      }
    case 'failed':
      return {
        session: need.name,
        ...row,
        what: need.why,
        answer: `agent-chat restart ${need.name}`,
      }
    case 'held': {
      const count = need.count === 1 ? '1 message is' : `${need.count} messages are`
      const to = need.to.map((name) => `@${name}`).join(', ')
      const what = `${count} held for ${to}: ${need.why}`
      return { session: null, ...row, what, answer: `agent-chat release ${shortId(need.chain)}` }
    }
    default: {
      const id = need.number === undefined ? shortId(need.id) : String(need.number)
      const options = need.options.map((option, at) => `${at + 1}. ${option}`).join('  ')
      const what = [need.title, ...(options === '' ? [] : [options])].join('  ')
      const answer = `agent-chat reply ${id} ${options === '' ? '"…"' : '<number>'}`
      return { session: need.from, ...row, what, answer }
    }
  }
}
