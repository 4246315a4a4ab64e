import { existsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isoTime } from '../../message/time.ts'
import { ringsNatively } from '../../session/doorbellChoice.ts'
import { isAtWork, turnBegan } from '../../session/state.ts'
import { believedState, noteEvent } from '../../session/stateFile.ts'
import { pause, timeLeft } from '../../system/timeLeft.ts'
import { exportName, isOwnBell, watchPaths } from '../armed.ts'
import { gateOf, hookAgent, type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, type Reply, SILENT } from '../reply.ts'
import { ringFor, ringsNow } from '../ring.ts'
import { usesVim } from '../vim.ts'
import { isSubagent } from './activity.ts'
import { noteTurn } from './prompt.ts'

/**
 * Claude Code listens to a bell 0.1 to 0.2 s after the hook that named it has ended (2.1.329, on an
 * idle machine), and what rings until then is not heard. For so long, a hook beside that one looks
 * for itself. In milliseconds.
 */
const ARMING_MS = 3000
const LOOK_MS = 100

/**
 * The hook beside this one forgets the rings of an agent before; it has done so after this at the
 * most. In milliseconds.
 */
const FORGETTING_MS = 1000

/**
 * The hook beside `stopRing` notes that the turn is over; where it has not by then, it never will.
 * In milliseconds.
 */
const STOPPING_MS = 3000
const STOP_LOOK_MS = 25

/**
 * Claude Code writes that a turn was interrupted into its own files about 100 ms later, on a busy
 * machine seconds later: so long the bell looks again. Without a terminal nobody presses Escape, and
 * the wait is short. Of an interruption after its own beginning the next prompt tells. In
 * milliseconds.
 */
const INTERRUPTED_MS = 7000
const UNATTENDED_MS = 1500

/**
 * The session's bell was rung: wakes the agent for what nobody has rung for. In the middle of a
 * turn for what is urgent alone.
 */
export function bell(ports: HookPorts, payload: Payload): Reply {
  const path = textOf(payload, 'file_path') ?? ''
  if (isOwnJoin(ports, path)) return startRing(ports, payload)
  const who = participant(ports)
  if (!who || dirname(path) !== ports.bus().home.bell(who.name)) return SILENT
  const began = ports.bus().clock.now()
  const scope = ringsNow(ports, payload, who, began)
  const reply = ringFor(ports, who, scope)
  const isDone = reply !== SILENT || scope === 'all' || payload.transcript_path === undefined
  return isDone || !learnsOfEnd(ports, payload, who, began) ? reply : ringFor(ports, who, 'all')
}

/**
 * Whether it is written down within the time that the turn is over, or was when the bell began. A
 * bell that was rung later waits by itself, and this one no longer; nor for an agent that is gone.
 */
function learnsOfEnd(ports: HookPorts, payload: Payload, who: Participant, began: number): boolean {
  const { home, processes } = ports.bus()
  const rung = () => statSync(home.ring(who.name), { throwIfNoEntry: false })?.mtimeMs
  const before = rung()
  const left = timeLeft(ports.env.CLAUDE_CODE_ENTRYPOINT === 'cli' ? INTERRUPTED_MS : UNATTENDED_MS)
  while (left() > 0 && rung() === before) {
    pause(LOOK_MS)
    if (believedState(home, who.name, processes) === undefined) return false
    if (ringsNow(ports, payload, who, began) === 'all') return true
  }
  return false
}

/**
 * As `bell`, when an agent has started, joined or changed its directory: its bell is silent about
 * what was there before, and not heard at first. After a `cd` Claude Code builds its watch anew. Without a terminal Claude Code takes up no prompt, and listens to no
 * bell, before this has ended: there the first prompt tells what came meanwhile.
 */
export function startRing(ports: HookPorts, payload: Payload): Reply {
  for (let waited = 0; waited < ARMING_MS; waited += LOOK_MS) {
    const who = participant(ports)
    if (!who || !ringsNatively(who.session)) return SILENT
    const ready = isGreeted(ports, who) || waited >= FORGETTING_MS
    const reply = ready ? ringFor(ports, who, ringsNow(ports, payload, who)) : SILENT
    if (reply !== SILENT || (ready && ports.env.CLAUDE_CODE_ENTRYPOINT !== 'cli')) return reply
    pause(LOOK_MS)
  }
  return SILENT
}

/**
 * The turn is over: rings for what came in it and was left. Waits until the hook beside this one
 * has noted that, so that a bell which comes later finds an idle session. Should the next turn have
 * begun by then, its prompt has told of what is unread, and what comes in it waits for its end. A
 * `claude -p` with its prompt on the command line does not end then but goes on, and no prompt
 * tells of that: the ring does.
 */
export function stopRing(ports: HookPorts, payload: Payload): Reply {
  const { clock, home, processes } = ports.bus()
  const who = isSubagent(payload) ? undefined : participant(ports)
  if (!who || !ringsNatively(who.session)) return SILENT
  const began = clock.now()
  for (let waited = 0; waited < STOPPING_MS; waited += STOP_LOOK_MS) {
    const state = believedState(home, who.name, processes)
    if (state === undefined || !isAtWork(state.activity)) break
    if (Date.parse(turnBegan(state)) > began) return ringFor(ports, who, 'urgent')
    pause(STOP_LOOK_MS)
  }
  const reply = ringFor(ports, who, 'all')
  if (reply === SILENT || ports.env.CLAUDE_CODE_ENTRYPOINT === 'cli') return reply
  const after = () => {
    reply.after?.()
    noteTurn(ports, { ...payload, prompt_id: undefined }, who, {
      cause: 'doorbell',
      own: false,
    })
  }
  return { ...reply, after }
}

function isGreeted(ports: HookPorts, who: Participant): boolean {
  const { home, processes } = ports.bus()
  return who.agent === null || believedState(home, who.name, processes) !== undefined
}

/**
 * A session was joined or left from inside an agent: that agent takes up its new name, and listens
 * to its bell or no longer.
 */
export function joined(ports: HookPorts, payload: Payload): Reply {
  const bus = ports.bus()
  if (!isOwnJoin(ports, textOf(payload, 'file_path') ?? '')) return SILENT
  // The file's end is told of, too: a home that was removed must not come back.
  if (!existsSync(bus.home.root)) return SILENT
  const who = participant(ports)
  if (who)
    noteEvent(bus, who.name, {
      ...eventBase(ports, payload),
      kind: 'joined',
      native: ringsNatively(who.session),
      gate: gateOf(ports, who),
      vim: usesVim(ports.env, textOf(payload, 'cwd')),
    })
  exportName(ports, who)
  return answer('FileChanged', { watchPaths: watchPaths(ports, who) })
}

/** The working directory has changed, and with it, on some systems, what is watched. */
export function cwdChanged(ports: HookPorts): Reply {
  const who = participant(ports)
  if (!who) return SILENT
  exportName(ports, who)
  return answer('CwdChanged', { watchPaths: watchPaths(ports, who) })
}

/** Whether this file tells that the hook's own agent has joined or left, or is to look whether. */
function isOwnJoin(ports: HookPorts, path: string): boolean {
  const { joinsBell } = ports.bus().home
  const isNamed = dirname(path) === joinsBell && basename(path) === String(hookAgent(ports)?.pid)
  return isNamed || isOwnBell(ports, path)
}

function eventBase(ports: HookPorts, payload: Payload) {
  const at = isoTime(ports.bus().clock.now())
  return { at, session_id: textOf(payload, 'session_id') ?? null, agent: hookAgent(ports) }
}
