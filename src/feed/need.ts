import { shortId } from '../message/shortId.ts'

/**
 * Something that cannot go on without the person. `key` tells one from another; `at`: since when
 * (ISO 8601). `permission`: a dialog is open in the session `name`, and `why` says what for. `asks`:
 * its turn ended with the question `why`. `trust`: its agent asks before its first prompt. `limited`: its usage
 * limit is reached. `answer`:
 * the command that answers it, or where that is done.
 */
export type Need =
  | {
      type: 'decision' | 'approval' | 'question'
      key: string
      id: string
      at: string
      from: string
      title: string
      text: string
      number?: number
      options: string[]
    }
  | {
      type: 'permission' | 'trust' | 'asks' | 'failed' | 'limited'
      key: string
      name: string
      at: string
      why: string
      answer: string
    }
  | {
      type: 'held'
      key: string
      chain: string
      at: string
      to: string[]
      count: number
      why: string
    }

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

/** How a row says why an agent cannot go on. */
export const REASONS: Record<NeedRow['reason'], string> = {
  permission: 'asks permission',
  trust: 'asks at its start',
  decision: 'needs a decision',
  approval: 'asks permission',
  question: 'has a question',
  failed: 'failed',
  limited: 'is limited',
  held: 'messages are held',
}

/** A need with the command that answers it. */
export function needRow(need: Need): NeedRow {
  const reason = need.type === 'asks' ? 'question' : need.type
  const row = { reason, since: need.at } as const
  switch (need.type) {
    case 'permission':
    case 'trust':
    case 'asks':
    case 'failed':
    case 'limited':
      return { session: need.name, ...row, what: need.why, answer: need.answer }
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

/** A session's name, also one on another machine. Nothing else that others wrote is in the line. */
const NAME = /^[a-z0-9][a-z0-9.@-]*$/

/**
 * One line for the status line of tmux or Claude Code: how many need you, and who is the first of
 * them. Empty where nobody does.
 */
export function lineOf(rows: NeedRow[]): string {
  const [first] = rows
  if (first === undefined) return ''
  const named = first.session !== null && NAME.test(first.session)
  const who = named ? `@${first.session} ` : ''
  return `${rows.length} ${rows.length === 1 ? 'needs' : 'need'} you · ${who}${REASONS[first.reason]}`
}
