import type { Bus } from '../bus/bus.ts'
import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { questionsNow } from '../chat/live/questions.ts'
import { visibleLine } from '../message/visible.ts'
import type { SessionRow } from '../session/sessionRows.ts'
import { SAYS } from '../session/startDialog.ts'
import { believedState } from '../session/stateFile.ts'
import { hasWord } from '../session/turn.ts'
import { causesOf, sendersText } from '../trust/sendGate/cause.ts'
import { allHeld } from '../trust/sendGate/held.ts'
import type { Need } from './need.ts'

/**
 * All that needs the person now: dialogs that are open, questions in an agent's last words, questions and decisions, workers that
 * failed, chains that are held. Every surface shows this list, and counts by it.
 */
export function needsNow(bus: Bus, rows: SessionRow[]): Need[] {
  return [
    ...dialogNeeds(bus, rows),
    ...startNeeds(rows),
    ...closingNeeds(bus, rows),
    ...questionNeeds(bus),
    ...failedNeeds(rows),
    ...heldNeeds(bus),
  ]
}

/** Sessions that stand at a dialog. A worker has none: its questions are decisions. */
function dialogNeeds(bus: Bus, rows: SessionRow[]): Need[] {
  return rows.flatMap(({ name, state, since, worker, dialog }): Need[] =>
    state !== 'asking' || worker || dialog
      ? []
      : [
          {
            ...{ type: 'permission', key: `permission ${name} ${since ?? ''}` },
            ...{ name, at: since ?? '', why: dialogText(bus, name) },
          },
        ],
  )
}

/** Sessions whose agent asks before its first prompt: to trust the folder, for a login. */
function startNeeds(rows: SessionRow[]): Need[] {
  return rows.flatMap(({ name, joined_at, cwd, dialog }): Need[] => {
    if (!dialog) return []
    const why = dialog === 'trust' ? `${SAYS[dialog]}, ${visibleLine(cwd)}` : SAYS[dialog]
    const key = `trust ${name} ${joined_at}`
    return [{ type: 'trust', key, name, at: joined_at, why: `it ${why}` }]
  })
}

/** Sessions whose turn ended with a question to the person, until they type there. */
function closingNeeds(bus: Bus, rows: SessionRow[]): Need[] {
  return rows.flatMap(({ name, state, worker }): Need[] => {
    const isOpen = !worker && (state === 'idle' || state === 'busy')
    const asked = isOpen ? believedState(bus.home, name, bus.processes)?.question : undefined
    if (!asked) return []
    const why = visibleLine(asked.text)
    return [{ type: 'asks', key: `asks ${name} ${asked.at}`, name, at: asked.at, why }]
  })
}

/** What its dialog is about, as far as anything tells: whose message began the turn. */
function dialogText(bus: Bus, name: string): string {
  const turn = believedState(bus.home, name, bus.processes)?.turn
  const senders = hasWord(turn) ? '' : sendersText(causesOf(bus, name, turn))
  return `it asks permission${senders === '' ? '' : ` in a turn that ${senders} began`}`
}

function questionNeeds(bus: Bus): Need[] {
  return questionsNow(bus).map(({ question, message }) => {
    const { id, from, title, number, options } = question
    const asks = number === undefined ? 'question' : 'decision'
    return {
      type: message.extra.permission === undefined ? asks : 'approval',
      key: id,
      ...{ id, from: visibleLine(from), title, options, at: message.timestamp },
      text: background(entryOfMessage(message).text, message.body, options),
      ...(number === undefined ? {} : { number }),
    }
  })
}

/** What a question says beside itself and its options, which its card has already. */
function background(text: string, body: string, options: string[]): string {
  const list = options.map((option, at) => `${at + 1}. ${option}`).join('\n')
  const [first, ...rest] = text.split('\n\n')
  const isWhole = rest.length === 0 && !body.trim().includes('\n')
  if (options.length === 0 && !rest.some((part) => part.startsWith('**')))
    return isWhole ? '' : text
  return (first === undefined ? [] : rest)
    .filter((part) => part !== list)
    .map((part) =>
      part.replace(/^\*\*(Context|Recommended):\*\* /, (_, word) =>
        word === 'Context' ? '' : 'Recommended: ',
      ),
    )
    .join('\n\n')
}

function failedNeeds(rows: SessionRow[]): Need[] {
  return rows.flatMap(({ name, worker }): Need[] =>
    worker?.activity !== 'failed'
      ? []
      : [
          {
            ...{ type: 'failed', key: `failed ${name}`, name, at: worker.since },
            why: visibleLine(worker.reason ?? 'it does not say why'),
          },
        ],
  )
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
