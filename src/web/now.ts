import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { inboxNames } from '../bus/mail/inboxes.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { questionsNow } from '../chat/live/questions.ts'
import { statusFacts } from '../chat/status/statusRow.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { allHeld } from '../gate/held.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import { visibleLine } from '../message/visible.ts'
import { type SessionRow, sessionsNow } from '../session/sessionRows.ts'
import { readState } from '../session/stateFile.ts'
import { readWorkerState } from '../session/workerState.ts'
import type { Ports } from './ports.ts'
import type { TokensUsed } from './tokensUsed.ts'
import type { Need, Now, Person } from './wire.ts'

/** More unread messages of a name than anybody marks one by one. */
const MAX_UNREAD = 500

/** What is to be seen now, in a fixed order. A home that is gone has nothing, and is not made. */
export async function nowOf(ports: Ports, gone: string | null, tokens: TokensUsed): Promise<Now> {
  const bus = ports.bus()
  if (gone !== null || !existsSync(bus.home.root))
    return {
      needs: [],
      people: [],
      paused: false,
      unread: [],
      unseen: [],
      gone: gone ?? 'the home is gone',
    }
  const rows = await sessionsNow(ports)
  return {
    needs: [...questionNeeds(bus), ...failedNeeds(rows), ...heldNeeds(bus)],
    people: await peopleOf(rows, ports, tokens),
    paused: existsSync(bus.home.paused),
    unread: unreadIds(bus.home, HUMAN).slice(-MAX_UNREAD),
    // Also those of a session that has left, and of a worker that has not run yet.
    unseen: inboxNames(bus.home)
      .filter((name) => name !== HUMAN)
      .flatMap((name) => unreadIds(bus.home, name).slice(-MAX_UNREAD)),
    gone: null,
  }
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
  const chains = new Map<string, Need & { type: 'held' }>()
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

async function peopleOf(rows: SessionRow[], ports: Ports, tokens: TokensUsed): Promise<Person[]> {
  const bus = ports.bus()
  const { tasks, asks } = statusFacts(bus)
  const works = rows.some(({ worker }) => worker)
  const costs = works ? (await ports.workers()).costsToday(ports) : []
  return rows.map((row) => {
    const { name, state, since, unread, held, worker, cwd } = row
    const own = tasks.filter(({ message }) => message.to === name)
    const spent = costs.find((one) => one.name === name)
    const told = worker ? null : tokensOf(bus, name, tokens)
    return {
      ...{ name, worker: worker !== undefined, state, since, unread, held },
      waits: waitsFor(row, asks),
      task: own[0] === undefined ? null : taskTitle(own[0]),
      tasks: own.length,
      cost: spent ? { tokens: spent.input + spent.output, usd: spent.usd } : told,
      message: worker?.runs ? (readWorkerState(bus.home, name)?.message ?? null) : null,
      cwd: visibleLine(cwd),
    }
  })
}

/** Claude Code's record has no prices; other agents have no record that is read. */
function tokensOf({ home }: Bus, name: string, tokens: TokensUsed): Person['cost'] {
  const transcripts = readState(home, name)?.transcripts ?? []
  const today = tokens.of(name, transcripts)
  return today === null ? null : { tokens: today, usd: null }
}

function waitsFor(
  { name, waiting, worker }: SessionRow,
  asks: { from: string; to: string; id: string | null }[],
): string | null {
  const asked = asks.find(({ from }) => from === name)
  if (asked) return `waits for @${asked.to}${asked.id ? ` to answer ${shortId(asked.id)}` : ''}`
  if (worker?.reason) return visibleLine(worker.reason)
  return waiting === null ? null : visibleLine(waiting.why)
}
