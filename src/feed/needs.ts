import type { Bus } from '../bus/bus.ts'
import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { visibleLine } from '../message/visible.ts'
import type { SessionRow } from '../session/sessionRows.ts'
import { SAYS } from '../session/startDialog.ts'
import { believedState } from '../session/stateFile.ts'
import { hasWord } from '../session/turn.ts'
import { causesOf, sendersText } from '../trust/sendGate/cause.ts'
import { allHeld } from '../trust/sendGate/held.ts'
import { failedNeeds } from './failed.ts'
import type { Need } from './need.ts'
import { placeOf } from './place.ts'
import { questionsNow } from './questions.ts'

/**
 * All that needs the person now: dialogs that are open, questions in an agent's last words, questions and decisions, workers that
 * failed, sessions that cannot go on, chains that are held. Every surface shows this list, and counts by it.
 */
export function needsNow(bus: Bus, rows: SessionRow[]): Need[] {
  return [
    ...dialogNeeds(bus, rows),
    ...startNeeds(rows),
    ...closingNeeds(bus, rows),
    ...questionNeeds(bus),
    ...failedNeeds(bus, rows),
    ...heldNeeds(bus),
  ]
}

/** Sessions that stand at a dialog. A worker has none: its questions are decisions. */
function dialogNeeds(bus: Bus, rows: SessionRow[]): Need[] {
  return rows.flatMap((row): Need[] => {
    const { name, state, since, worker, dialog } = row
    if (state !== 'asking' || worker || dialog) return []
    const key = `permission ${name} ${since ?? ''}`
    const why = dialogText(bus, name)
    return [{ type: 'permission', key, name, at: since ?? '', why, answer: placeOf(row) }]
  })
}

/** Sessions whose agent asks before its first prompt: to trust the folder, for a login. */
function startNeeds(rows: SessionRow[]): Need[] {
  return rows.flatMap((row): Need[] => {
    const { name, joined_at, cwd, dialog } = row
    if (!dialog) return []
    const why = dialog === 'trust' ? `${SAYS[dialog]}, ${visibleLine(cwd)}` : SAYS[dialog]
    const key = `trust ${name} ${joined_at}`
    return [{ type: 'trust', key, name, at: joined_at, why: `it ${why}`, answer: placeOf(row) }]
  })
}

/** Sessions whose turn ended with a question to the person, until they type there. */
function closingNeeds(bus: Bus, rows: SessionRow[]): Need[] {
  return rows.flatMap((row): Need[] => {
    const { name, state, worker } = row
    const isOpen = !worker && (state === 'idle' || state === 'busy')
    const asked = isOpen ? believedState(bus.home, name, bus.processes)?.question : undefined
    if (!asked) return []
    const why = visibleLine(asked.text)
    const key = `asks ${name} ${asked.at}`
    return [{ type: 'asks', key, name, at: asked.at, why, answer: placeOf(row) }]
  })
}

/** What its dialog asks, as far as anything tells, and whose message began the turn. */
function dialogText(bus: Bus, name: string): string {
  const { turn, wants } = believedState(bus.home, name, bus.processes) ?? {}
  const senders = hasWord(turn) ? '' : sendersText(causesOf(bus, name, turn))
  const what = wants === undefined ? 'asks permission' : visibleLine(wants)
  return `it ${what}${senders === '' ? '' : `, in a turn that ${senders} began`}`
}

function questionNeeds(bus: Bus): Need[] {
  return questionsNow(bus).map(({ question, message }) => {
    const { id, from, title, number, options } = question
    const asks = number === undefined ? 'question' : 'decision'
    return {
      type: message.extra.permission === undefined ? asks : 'approval',
      key: id,
      ...{ id, from: visibleLine(from), title, options, at: message.timestamp },
      text: background(entryOfMessage(message, undefined, true).text, title, options),
      ...(number === undefined ? {} : { number }),
    }
  })
}

/** What a question says beside its title and its options, which its card has already. */
function background(text: string, title: string, options: string[]): string {
  const list = options.map((option, at) => `${at + 1}. ${option}`).join('\n')
  const parts = text.split('\n\n')
  const isDecision = options.length > 0 || parts.some((part) => part.startsWith('**'))
  const [first = ''] = parts
  const isSaid = visibleLine(first.trim()) === title
  if (!isDecision) return isSaid && parts.length === 1 ? '' : text
  return (isSaid ? parts.slice(1) : parts)
    .filter((part) => part !== list)
    .map((part) =>
      part.replace(/^\*\*(Context|Recommended):\*\* /, (_, word) =>
        word === 'Context' ? '' : 'Recommended: ',
      ),
    )
    .join('\n\n')
}

function heldNeeds(bus: Bus): Need[] {
  const chains = new Map<string, Extract<Need, { type: 'held' }>>()
  for (const { chain, to, why, at } of allHeld(bus)) {
    const before = chains.get(chain)
    chains.set(chain, {
      type: 'held',
      key: `held ${chain}`,
      chain,
      at: before?.at ?? at,
      to: [...new Set([...(before?.to ?? []), to])],
      count: (before?.count ?? 0) + 1,
      why: visibleLine(why),
    })
  }
  return [...chains.values()].sort((a, b) => (a.at < b.at ? -1 : 1))
}
