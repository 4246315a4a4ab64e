import { type Me, remoteSessions } from '../../bus/remote/peers.ts'
import type { PostPorts } from '../../chat/post.ts'
import { isCoded } from '../../errors.ts'
import { notePong, noteSeen } from '../arrivals.ts'
import { FRAMES, parseFrame } from '../frames.ts'
import { meet } from '../meet.ts'
import { rosterFor } from '../roster.ts'

/** A machine tells of itself this often; `links` calls it down after 16 s. In milliseconds. */
export const BEAT_MS = 5000
const GONE_MS = 16_000

/** What was last heard of a machine: its clock then, and ours. */
type Heard = { at: number; when: number }

/** Who is in the team, by what each machine tells of itself. */
export type Presence = {
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
  const pings = new Map<number, number>()
  return {
    tell: () => {
      const at = clock.now()
      for (const old of pings.keys()) if (at - old > 10 * BEAT_MS) pings.delete(old)
      pings.set(at, at)
      const fresh = [...heard].filter(([, { when }]) => at - when < GONE_MS)
      const answers = fresh.map(([host, one]) => [host, { at: one.at, for: at - one.when }])
      const who = { host: me.host, home: me.id, to: '', sure: false }
      return JSON.stringify({
        ...{ f: 'hello', v: FRAMES, ...who, version, at },
        ...{ sessions: roster(), heard: Object.fromEntries(answers) },
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
      heard.set(host, { at: frame.at, when: now })
      const state = JSON.stringify([frame.version, frame.sessions])
      if (told.get(host) !== state) {
        const sessions = remoteSessions(frame.sessions)
        noteSeen(bus, host, { version: frame.version, sessions })
      }
      told.set(host, state)
      const answer = answerIn(frame.heard, me.host)
      // Only what this machine did ask counts: the time between is not the way's.
      if (answer && pings.has(answer.at) && answer.at + answer.for <= now)
        notePong(bus, host, answer.at + answer.for, frame.at)
      return true
    },
    isHere: (host) => clock.now() - (heard.get(host)?.when ?? 0) < GONE_MS,
  }
}

function helloIn(text: Uint8Array) {
  try {
    const frame = parseFrame(Buffer.from(text))
    if (frame?.f !== 'hello') return undefined
    const more = frame as { sessions?: unknown; heard?: unknown }
    return { ...frame, sessions: more.sessions, heard: more.heard }
  } catch {
    return undefined
  }
}

function answerIn(heard: unknown, me: string): { at: number; for: number } | undefined {
  if (typeof heard !== 'object' || heard === null || !Object.hasOwn(heard, me)) return undefined
  const { at, for: held } = { ...(heard as Record<string, { at?: unknown; for?: unknown }>)[me] }
  if (typeof at !== 'number' || typeof held !== 'number' || !(held >= 0)) return undefined
  return { at, for: held }
}
