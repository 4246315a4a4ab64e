import { createHash } from 'node:crypto'
import type { AgentScreen } from '../agents/agent.ts'
import { screenOf } from '../agents/agents.ts'
import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/names/registry.ts'
import { hooksReason } from '../session/hooksOff.ts'
import { abandonedRing } from '../session/rings.ts'
import { ringText } from '../session/ringText.ts'
import { dialogSaid } from '../session/startDialog.ts'
import { dialogOn, startDialogOf } from '../session/startScreen.ts'
import type { SessionState } from '../session/state.ts'
import { believedState } from '../session/stateFile.ts'
import { tryPidLock } from '../system/pidlock.ts'
import type { PaneLook } from './pane.ts'
import { NATIVE_GRACE_MS } from './policy.ts'
import { looksQuiet, showsTurn, textOf } from './quiet.ts'
import { activityNow, COMING_UP_MS, type Doorbell, type Left, type RingResult } from './ringer.ts'
import type { ScreenReading } from './screen.ts'
import { steadyFront } from './steady.ts'
import { type TypePorts, typeRing } from './tmux.ts'

/**
 * Whoever empties the box has often sent what stood in it. What that sets off shows a moment later:
 * a turn, by its hook; `/exit`, by a process that is gone 0.15 s after Enter (Claude Code 2.1.329,
 * on an idle machine). In milliseconds.
 */
const EMPTIED_MS = 400
const UNDRAWN_MS = 2000
/** A second copy of a line would make a draft of both. In milliseconds. */
const PASTED_MS = 10_000
/** How long an agent whose title says that it is ready may still be starting. In milliseconds. */
const NEW_MS = 2000

/** Types the ring into the session's pane; one process at a time rings a pane. */
export function tmuxDoorbell(bus: Bus, ports: TypePorts, prompt: string | undefined): Doorbell {
  let left: Left | undefined
  let draftAt = 0
  const quiet = quietTime(bus)
  const unsteady = steadyFront(bus)
  const listens = takesAgain()
  const tooSoon = (reading: ScreenReading, unheard: string | undefined) => {
    if (reading.box === 'draft') draftAt = bus.clock.now()
    const again = listens.look(reading)
    if (bus.clock.now() - draftAt < EMPTIED_MS) return 'the input box was just emptied'
    return again ? undefined : unheard
  }
  return {
    name: 'tmux',
    ring: async (session, claim, unheard) => {
      if (session.pane === null || session.tmux_socket === null)
        return refusal('the session has no pane')
      const unguarded = hooksReason(session, bus)
      if (unguarded !== undefined) {
        const heard = believedState(bus.home, session.name, bus.processes)
        const dialog = heard ? undefined : await startDialogOf(session, ports.tmux)
        return refusal(dialog ? `it ${dialogSaid(session.name, dialog)}` : unguarded)
      }
      const address = { socket: session.tmux_socket, pane: session.pane }
      const lock = tryPidLock(
        bus.home.ringLock(paneKey(address.socket, address.pane)),
        bus.processes,
      )
      if (typeof lock !== 'function') return refusal(`process ${lock.pid} is ringing this pane`)
      const abandoned = abandonedRing(bus, session.name, 'tmux')
      const leftBehind = left ? [left] : leftBy(abandoned)
      const text = () => {
        const ids = claim()
        return ids.length === 0 ? undefined : ringText(ids)
      }
      const vim = believedState(bus.home, session.name, bus.processes)?.vim === true
      const shows = screenOf(session.program)
      const screen = { ...shows, ...(prompt ? { prompt } : {}), ...(vim ? { vim } : {}) }
      try {
        const forbidden = (look: PaneLook) =>
          unsteady(session, look) ?? busyTrouble(session, look, bus, { quiet, shows })
        const result = await typeRing(
          {
            ...{ session, address, text, leftBehind, forbidden, screen },
            tooSoon: (reading) => tooSoon(reading, unheard),
          },
          ports,
        )
        if (result.kind === 'wait' && result.typed) listens.refused()
        if (result.kind === 'rung') left = undefined
        else left = result.left ?? left
        // What was typed and is not seen may still be drawn: an empty box is not believed at once.
        if (result.kind === 'wait' && result.left && result.left.typed !== result.left.line)
          draftAt = bus.clock.now() + UNDRAWN_MS
        if (result.kind === 'wait' && result.undrawn) draftAt = bus.clock.now() + PASTED_MS
        return result
      } finally {
        lock()
      }
    },
  }
}

/**
 * Whether the box takes text again that did not take it: Claude Code's vim in NORMAL mode, which
 * looks like any empty box where no settings tell of it, is told by the INSERT that follows.
 */
function takesAgain() {
  let insert = false
  let again = false
  return {
    look: (reading: ScreenReading) => {
      again ||= reading.insert && !insert
      insert = reading.insert
      return again
    },
    refused: () => {
      again = false
    },
  }
}

/**
 * What a ringer that was killed may have typed: its line, or no more than the first character. Who
 * lives knows how far it came.
 */
function leftBy(abandoned: string[]): Left[] {
  if (abandoned.length === 0) return []
  const line = ringText(abandoned)
  return [line, line.slice(0, 1)].map((typed) => ({ line, typed }))
}

type Signs = { quiet: QuietTime; shows: AgentScreen }

/**
 * An agent at work is not typed to. Where hooks say so for long, the screen is asked too: an
 * interrupted turn ends without a word. One that ended with a hook has a bell of its own, which
 * comes first.
 */
function busyTrouble(
  { name, joined_at }: Session,
  look: PaneLook,
  bus: Bus,
  { quiet, shows }: Signs,
): string | undefined {
  const { activity, doubtful, state } = activityNow(name, bus)
  const shown = shownTrouble(look, shows)
  if (shown !== undefined) return shown
  const dialog = state === undefined ? dialogOn(look.capture.text, shows) : undefined
  if (dialog !== undefined) return `it ${dialogSaid(name, dialog)}`
  // It draws its box before it is ready, and then loses a part of what is typed.
  if (shows.titles?.ready && isStarting(joined_at, state, bus)) return 'the agent is starting'
  // A turn that a person has begun this moment stands on the screen before a hook has told of it.
  if (activity === 'idle' && showsTurn(look, shows)) return 'the agent is busy'
  if (activity === 'idle' || activity === 'unknown') return undefined
  const ended = looksQuiet(look, shows)
  const ms = quiet(ended ? state?.since : undefined)
  if (doubtful && ended && (state?.native !== true || ms >= NATIVE_GRACE_MS)) return undefined
  return activity === 'asking' ? 'a dialog is open' : 'the agent is busy'
}

/** Until its hooks have told of it, the title may be that of the agent that was in the pane before. */
function isStarting(joinedAt: string, state: SessionState | undefined, { clock }: Bus): boolean {
  if (state === undefined) return clock.now() - Date.parse(joinedAt) < COMING_UP_MS
  return state.turn === undefined && clock.now() - Date.parse(state.since) < NEW_MS
}

/** What an agent's title and screen say by themselves. */
function shownTrouble(
  { title, capture }: PaneLook,
  { titles, turn }: AgentScreen,
): string | undefined {
  if (titles?.asking.test(title)) return 'a dialog is open'
  if (titles?.ready && !titles.ready.test(title) && !titles.busy.test(title))
    return 'its title does not say that it is ready'
  return titles?.busy.test(title) || (turn && textOf(capture).search(turn) >= 0)
    ? 'the agent is busy'
    : undefined
}

/**
 * For how long the screen has been quiet in the turn that is told to last since `since`, in
 * milliseconds; undefined, and 0, where it is not quiet.
 */
type QuietTime = (since: string | undefined) => number

function quietTime(bus: Bus): QuietTime {
  let known: { since: string; at: number } | undefined
  return (since) => {
    if (since === undefined) known = undefined
    else if (known?.since !== since) known = { since, at: bus.clock.now() }
    return known ? bus.clock.now() - known.at : 0
  }
}

function refusal(why: string): RingResult {
  return { kind: 'wait', why, typed: false }
}

/** Prints one line a ring, for scripts and other hosts. */
export function stdoutDoorbell(print: (line: string) => void): Doorbell {
  return {
    name: 'stdout',
    ring: async (_session, claim) => {
      const ids = claim()
      if (ids.length > 0) print(ringText(ids))
      return { kind: 'rung' }
    },
  }
}

/** A pane id is per tmux server, so the lock's name stands for both. */
function paneKey(socket: string, pane: string): string {
  return createHash('sha256').update(`${socket}\n${pane}`).digest('hex').slice(0, 16)
}
