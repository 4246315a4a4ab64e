import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { record } from '../../bus/history.ts'
import { ringsNatively } from '../../session/doorbellChoice.ts'
import { claimRing, settleRing } from '../../session/rings.ts'
import { ringText } from '../../session/ringText.ts'
import { believedState, noteEvent } from '../../session/stateFile.ts'
import { exportName, watchPaths } from '../armed.ts'
import { hookAgent, type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, type Reply, SILENT } from '../reply.ts'
import { usesVim } from '../vim.ts'

/**
 * Claude Code listens to a bell 0.1 to 0.2 s after the hook that named it has ended (2.1.329, on an idle machine), and what rings until then
 * is not heard. For so long, a hook beside that one looks for itself. In milliseconds.
 */
const ARMING_MS = 3000
const LOOK_MS = 100

/** The hook beside this one forgets the rings of an agent before; it has done so after this at the most. In milliseconds. */
const FORGETTING_MS = 1000

/**
 * The session's bell was rung: wakes the agent (exit 2, under `asyncRewake`) where something is unread that nobody has rung for. Once per
 * batch, and not for what was read meanwhile, nor while all doorbells are paused.
 */
export function bell(ports: HookPorts, payload: Payload): Reply {
  const path = textOf(payload, 'file_path') ?? ''
  if (isOwnJoin(ports, path)) return startRing(ports)
  const who = participant(ports)
  if (!who || dirname(path) !== ports.bus().home.bell(who.name)) return SILENT
  return ringFor(ports, who)
}

/**
 * As `bell`, when an agent has started or joined: its bell is silent about what was there before, and not heard at first. Without a terminal
 * Claude Code takes up no prompt, and listens to no bell, before this has ended: there the first prompt tells what came meanwhile.
 */
export function startRing(ports: HookPorts): Reply {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < ARMING_MS; waited += LOOK_MS) {
    const who = participant(ports)
    if (!who || !ringsNatively(who.session)) return SILENT
    const ready = isGreeted(ports, who) || waited >= FORGETTING_MS
    const reply = ready ? ringFor(ports, who) : SILENT
    if (reply !== SILENT || (ready && ports.env.CLAUDE_CODE_ENTRYPOINT !== 'cli')) return reply
    Atomics.wait(cell, 0, 0, LOOK_MS)
  }
  return SILENT
}

function isGreeted(ports: HookPorts, who: Participant): boolean {
  const { home, processes } = ports.bus()
  return who.agent === null || believedState(home, who.name, processes) !== undefined
}

/** A session was joined or left from inside an agent: that agent takes up its new name, and listens to its bell or no longer. */
export function joined(ports: HookPorts, payload: Payload): Reply {
  const bus = ports.bus()
  if (!isOwnJoin(ports, textOf(payload, 'file_path') ?? '')) return SILENT
  const who = participant(ports)
  if (who)
    noteEvent(bus, who.name, {
      ...eventBase(ports, payload),
      kind: 'joined',
      native: ringsNatively(who.session),
      gate: ports.env.AGENT_CHAT_GATE || 'enforce',
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

/** Whether this file tells that the hook's own agent has joined or left. */
function isOwnJoin(ports: HookPorts, path: string): boolean {
  return dirname(path) === ports.bus().home.joinsBell && basename(path) === String(hookAgent(ports)?.pid)
}

function ringFor(ports: HookPorts, who: Participant): Reply {
  const bus = ports.bus()
  if (!ringsNatively(who.session) || existsSync(bus.home.paused)) return SILENT
  const ids = claimRing(bus, who.name, 'native')
  if (ids.length === 0) return SILENT
  return {
    stderr: `${ringText(ids)}\n`,
    exit: 2,
    after: () => {
      settleRing(bus, who.name, 'native', ids, true)
      record(bus, 'rung', { ids, to: who.name, doorbell: 'native' })
      record(bus, 'presented', { ids, to: who.name, doorbell: 'native' })
    },
  }
}

function eventBase(ports: HookPorts, payload: Payload) {
  const at = new Date(ports.bus().clock.now()).toISOString()
  return { at, session_id: textOf(payload, 'session_id') ?? null, agent: hookAgent(ports) }
}
