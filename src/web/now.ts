import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { inboxNames } from '../bus/mail/inboxes.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { statusFacts } from '../chat/status/statusRow.ts'
import { awayNow } from '../feed/away.ts'
import { doingOf } from '../feed/doing.ts'
import { needsNow } from '../feed/needs.ts'
import { unreadThreads } from '../feed/threads.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import { visibleLine } from '../message/visible.ts'
import { type SessionRow, sessionsNow, wordOf } from '../session/sessionRows.ts'
import { readState } from '../session/stateFile.ts'
import { readWorkerState } from '../session/workerState.ts'
import type { Ports } from './ports.ts'
import type { TokensUsed } from './tokensUsed.ts'
import type { Now, Person } from './wire.ts'

/** More unread messages of a name than anybody marks one by one. */
const MAX_UNREAD = 500

/**
 * What is to be seen now, in a fixed order. A home that is gone has nothing, and is not made.
 * `before`: what was to be seen a moment ago.
 */
export async function nowOf(
  ports: Ports,
  gone: string | null,
  tokens: TokensUsed,
  unread: () => Message[],
  before: Now | undefined,
): Promise<Now> {
  const bus = ports.bus()
  if (gone !== null || !existsSync(bus.home.root))
    return {
      needs: [],
      threads: [],
      away: null,
      people: [],
      paused: false,
      unread: [],
      unseen: [],
      gone: gone ?? 'the home is gone',
    }
  const rows = await sessionsNow(ports)
  const needs = needsNow(bus, rows)
  return {
    needs,
    threads: unreadThreads(unread(), needs).slice(0, MAX_UNREAD),
    away: awayNow(bus, bus.clock.now(), before?.away ?? undefined) ?? null,
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

async function peopleOf(rows: SessionRow[], ports: Ports, tokens: TokensUsed): Promise<Person[]> {
  const bus = ports.bus()
  const { asks } = statusFacts(bus)
  const works = rows.some(({ worker }) => worker)
  const costs = works ? (await ports.workers()).costsToday(ports) : []
  return rows.map((row) => {
    const { name, since, unread, held, worker, cwd } = row
    const spent = costs.find((one) => one.name === name)
    const told = worker ? null : tokensOf(bus, name, tokens)
    return {
      ...{ name, worker: worker !== undefined, state: wordOf(row), since, unread, held },
      waits: waitsFor(row, asks),
      doing: doingOf(row, bus) ?? null,
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
