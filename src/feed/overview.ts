import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { whoMaybe } from '../chat/identity.ts'
import type { Ports } from '../chat/ports.ts'
import { HUMAN } from '../message/name.ts'
import { endedLaunches, endedWithMachine } from '../session/launched.ts'
import { countUnread, type SessionRow, sessionsNow } from '../session/sessionRows.ts'
import { type Need, type NeedRow, needRow } from './need.ts'
import { needsNow } from './needs.ts'

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

export async function overviewOf(ports: Pick<Ports, 'bus' | 'env' | 'tmux'>): Promise<Overview> {
  const bus = ports.bus()
  const you = whoMaybe(ports)?.name ?? HUMAN
  const sessions = await sessionsNow(ports)
  const needs = needsOf(you, bus, sessions)
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

/** What needs the person, where `you` are the person: an agent is told nothing of it. */
function needsOf(you: string, bus: Bus, sessions: SessionRow[]): Need[] {
  return you === HUMAN ? needsNow(bus, sessions) : []
}

/** The rows for a surface that has these sessions already. */
export function needsYou(ports: Pick<Ports, 'bus' | 'env'>, sessions: SessionRow[]): NeedRow[] {
  return needsOf(whoMaybe(ports)?.name ?? HUMAN, ports.bus(), sessions).map(needRow)
}
