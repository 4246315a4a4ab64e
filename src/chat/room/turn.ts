import { existsSync } from 'node:fs'
import { ringSoon } from '../../bus/mail/bell.ts'
import { isoTime } from '../../message/time.ts'
import { noteRoom } from '../../session/room.ts'
import { nextState } from '../../session/state.ts'
import { changeState } from '../../session/stateFile.ts'
import { whoMaybe } from '../identity.ts'
import type { Ports } from '../ports.ts'

/**
 * Notes that the room has begun in the client that runs this. Gives the client's pid; 0 where there
 * is no home yet, and none is made for that.
 */
export function beginRoom(client: string, { bus }: Pick<Ports, 'bus'>): number {
  const { processes, home, clock } = bus()
  const parent = processes.find(processes.find(processes.self().pid)?.parent ?? 0)
  if (parent === undefined || !existsSync(home.root)) return 0
  const agent = { pid: parent.pid, started: parent.started }
  noteRoom({ home, clock, processes }, { agent, since: isoTime(clock.now()), client })
  return parent.pid
}

/**
 * The user has interrupted the turn, which no hook tells: the session is idle, and what waited for
 * the end may ring. `at`: when (Unix time in milliseconds); a turn that has begun since goes on. It
 * takes nobody's word away and gives none.
 */
export function endAborted(at: number, ports: Pick<Ports, 'bus' | 'env'>): boolean {
  const bus = ports.bus()
  const name = whoMaybe(ports)?.name
  if (name === undefined) return false
  let ended = false
  changeState(bus, name, (before) => {
    ended = before !== undefined && Date.parse(before.since) <= at
    return ended && before
      ? nextState(before, {
          kind: 'stopped',
          at: isoTime(at),
          session_id: before.session_id,
          agent: before.agent,
        })
      : undefined
  })
  if (ended) ringSoon(bus, name)
  return ended
}
