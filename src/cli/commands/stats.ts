import type { Command } from 'commander'
import { terminalColumns } from '../../system/columns.ts'
import { parseAge } from '../argument.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { renderStats } from '../render/stats.ts'
import { type Stats, statsOf, type Tally, tokensOf } from '../stats.ts'

/** `since` is an age in milliseconds. */
export type StatsOptions = { since?: number }

/** Where standard output is no terminal. */
const COLUMNS = 80

export function statsCommand(program: Command, ports: Ports, run = runStats): void {
  addCommand(
    program,
    'stats',
    'messages, and about how many tokens, per session, per pair and over time',
    'agent-chat stats --since 7d\nagent-chat stats --json',
  )
    .option('--since <age>', 'only messages that are no older: 30m, 12h, 2d, 4w', parseAge)
    .action(async (options: StatsOptions & { json?: boolean }) => {
      const stats = run(options, ports)
      if (options.json) return ports.print(`${JSON.stringify(statsJson(stats))}\n`)
      ports.print(renderStats(stats, (await terminalColumns()) ?? COLUMNS))
    })
}

/** Counts messages by what the history tells of them. The cost grows with the part of the history that `since` leaves. */
export function runStats(options: StatsOptions, ports: Pick<Ports, 'bus'>): Stats {
  const { home, clock } = ports.bus()
  const now = clock.now()
  return statsOf(home, options.since === undefined ? undefined : now - options.since, now)
}

/** Times as ISO 8601; every tally with its estimated tokens. */
function statsJson({ total, first, until, sessions, pairs, unit, buckets }: Stats): Record<string, unknown> {
  return {
    from: first === undefined ? null : new Date(first).toISOString(),
    until: new Date(until).toISOString(),
    ...withTokens(total),
    sessions: sessions.map(({ name, sent, received }) => ({
      name,
      sent: withTokens(sent),
      received: withTokens(received),
    })),
    pairs: pairs.map(withTokens),
    unit,
    over_time: buckets.map(({ start, ...tally }) => ({ start: new Date(start).toISOString(), ...withTokens(tally) })),
  }
}

function withTokens<T extends Tally>(tally: T): T & { tokens: number } {
  return { ...tally, tokens: tokensOf(tally) }
}
