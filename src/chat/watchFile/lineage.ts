import type { Bus } from '../../bus/bus.ts'
import { markOf } from '../../bus/mail/marks.ts'
import type { FileWatch } from '../../session/fileWatches.ts'
import { readReads } from '../../session/reads.ts'
import { readState } from '../../session/stateFile.ts'
import { isOpen } from '../../session/turn.ts'
import type { Lineage } from '../../trust/sendGate/lineage.ts'

/**
 * What the next note of a watch follows from: nobody's word but the note before it, so that notes
 * that change files that cause notes come to their end. It begins anew once the human has spoken,
 * since then, in the session that watches or the one that is told, or has let the chain go on.
 */
export function noteLineage(bus: Bus, { from, notify, last }: FileWatch): Lineage {
  if (last === null || [from, notify].some((name) => hasSpokenSince(bus, name, last.at))) {
    return { chain: undefined, hops: 0 }
  }
  return { chain: last.chain, hops: hopsOf(bus, notify, last) + 1 }
}

function hasSpokenSince(bus: Bus, name: string, at: string): boolean {
  const turn = readState(bus.home, name)?.turn
  return turn != null && isOpen(turn) && Date.parse(turn.at) > Date.parse(at)
}

function hopsOf(bus: Bus, notify: string, last: NonNullable<FileWatch['last']>): number {
  if (markOf(bus.home, notify, last.id)?.ring === 'resumed') return 0
  return readReads(bus.home, notify).find(({ id }) => id === last.id)?.hops ?? last.hops
}
