import { existsSync } from 'node:fs'
import {
  awayAfterMs,
  EVERY_MS,
  type Me,
  remoteSessions,
  touchSeen,
} from '../../bus/remote/peers.ts'
import type { PostPorts } from '../../chat/post.ts'
import { isCoded } from '../../errors.ts'
import { notePong, noteSeen } from '../arrivals.ts'
import { FRAMES, parseFrame } from '../frames.ts'
import { meet } from '../meet.ts'
import { rosterFor } from '../roster.ts'

/**
 * In a large team each machine tells of itself less often: so many of them a second, whatever their
 * number, since each is heard by all.
 */
const BEATS_A_SECOND = 4

/**
 * So many are answered at once that were not before, and so many again, those first that were
 * answered longest ago: what is told is heard by all.
 */
const FIRST_ANSWERS = 64
const MORE_ANSWERS = 4

/**
 * What was last heard of a machine: its clock then, and ours; how often it tells, and when it was
 * last answered.
 */
type Heard = { at: number; when: number; every: number; answered: number }

/** Who is in the team, by what each machine tells of itself. */
export type Presence = {
  /** How often this machine tells, in milliseconds. */
  everyMs: () => number
  /** What this machine tells, which answers what it heard of the others. */
  tell: () => string
  /** Takes what a machine told; gives whether it is taken as a peer. */
  onTold: (host: string, text: Uint8Array) => boolean
  isHere: (host: string) => boolean
}

/** `version`: that of this program. `notice` hears once why a machine is not taken. */
export function createPresence(
  { me, version }: { me: Me; version: string },
  ports: PostPorts,
): Presence {
  const bus = ports.bus()
  const { clock } = bus
  const roster = rosterFor(bus)
  const heard = new Map<string, Heard>()
  const refused = new Map<string, string>()
  const told = new Map<string, string>()
  const pings = new Set<number>()
  const isHere = (host: string) => {
    const { when = 0, every = EVERY_MS } = heard.get(host) ?? {}
    return clock.now() - when < awayAfterMs(every)
  }
  const everyMs = () => Math.max(EVERY_MS, (heard.size * 1000) / BEATS_A_SECOND)
  return {
    everyMs,
    tell: () => {
      const at = clock.now()
      for (const old of pings) if (at - old > 10 * everyMs()) pings.delete(old)
      pings.add(at)
      const fresh = [...heard]
        .filter(([host]) => isHere(host))
        .sort(([, one], [, other]) => one.answered - other.answered)
        .filter(([, one], n) => n < (one.answered === 0 ? FIRST_ANSWERS : MORE_ANSWERS))
      for (const [, one] of fresh) one.answered = at
      const answers = fresh.map(([host, one]) => [host, { at: one.at, for: at - one.when }])
      const who = { host: me.host, home: me.id, to: '', sure: false }
      return JSON.stringify({
        ...{ f: 'hello', v: FRAMES, ...who, version, at },
        ...{ sessions: roster(), heard: Object.fromEntries(answers), every: everyMs() },
      })
    },
    onTold: (host, text) => {
      const frame = helloIn(text)
      if (frame === undefined || host === me.host) return false
      const now = clock.now()
      try {
        meet(bus, frame, me, host)
        refused.delete(host)
      } catch (error) {
        if (!isCoded(error, 'PEER_REFUSES')) throw error
        if (refused.get(host) !== error.message) ports.notice(`${error.message}; ${error.hint}`)
        refused.set(host, error.message)
        return false
      }
      const every = everyIn(frame.every)
      const { answered = 0 } = heard.get(host) ?? {}
      heard.set(host, { at: frame.at, when: now, every, answered })
      const state = JSON.stringify([frame.version, frame.sessions, every])
      // What was told is forgotten when the machine is unlinked: allowed again, it is there again.
      if (told.get(host) !== state || !existsSync(bus.home.peerSeen(host))) {
        const sessions = remoteSessions(frame.sessions)
        noteSeen(bus, host, { version: frame.version, sessions, everyMs: every })
      } else touchSeen(bus.home, host, now)
      told.set(host, state)
      const answer = answerIn(frame.heard, me.host)
      // Only what this machine did ask counts: the time between is not the way's.
      if (answer && pings.has(answer.at) && answer.at + answer.for <= now)
        notePong(bus, host, answer.at + answer.for, frame.at)
      return true
    },
    isHere,
  }
}

function helloIn(text: Uint8Array) {
  try {
    const frame = parseFrame(Buffer.from(text))
    if (frame?.f !== 'hello') return undefined
    const { sessions, heard, every } = frame as Partial<Record<string, unknown>>
    return { ...frame, sessions, heard, every }
  } catch {
    return undefined
  }
}

/** Within reason: a machine that says it tells once a year is not there for a year. */
function everyIn(value: unknown): number {
  return typeof value === 'number' && value >= EVERY_MS ? Math.min(value, MOST_EVERY_MS) : EVERY_MS
}

const MOST_EVERY_MS = 5 * 60_000

function answerIn(heard: unknown, me: string): { at: number; for: number } | undefined {
  if (typeof heard !== 'object' || heard === null || !Object.hasOwn(heard, me)) return undefined
  const { at, for: held } = { ...(heard as Record<string, { at?: unknown; for?: unknown }>)[me] }
  if (typeof at !== 'number' || typeof held !== 'number' || !(held >= 0)) return undefined
  return { at, for: held }
}
