import { stripVTControlCharacters } from 'node:util'
import { screenOf } from '../../agents/agents.ts'
import { eventsFromEnd, type HistoryEvent } from '../../bus/history.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { lookAtPane } from '../../doorbell/pane.ts'
import { readScreen } from '../../doorbell/screen.ts'
import { CodedError } from '../../errors.ts'
import { EARLY_MS } from '../../launcher/supervise.ts'
import { believedState } from '../../session/stateFile.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import type { PaneAddress } from '../../system/tmux.ts'
import type { Ports } from '../ports.ts'
import { hereLine } from './needs.ts'

/** What is to be told of an agent that ended: its session, since when, and what started it. */
export type Launch = { name: string; since: number; command: string | null }

/** How long the end of an agent may take to be in the history. In milliseconds. */
const TOLD_MS = 3000

/**
 * Waits until the agent in the pane has begun: its hooks tell of it, or its input box can be seen,
 * or it is there after 5 s. Throws where it ended before that.
 */
export async function begun(launch: Launch, ports: Ports): Promise<void> {
  const { home, processes } = ports.bus()
  for (const left = timeLeft(EARLY_MS); left() > 0; ) {
    const session = findSession(readSessions(home), launch.name)
    if (!session?.agent || !processes.isAlive(session.agent)) return throwEnded(launch, ports)
    if (believedState(home, launch.name, processes)) return
    const { pane, tmux_socket: socket, prompt } = session
    if (pane && socket && (await showsBox({ pane, socket }, prompt, ports))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** An empty input box, on a line that shows something: a blank screen reads like one, too. */
async function showsBox(pane: PaneAddress, prompt: string | undefined, { tmux }: Ports) {
  const look = await lookAtPane(tmux, pane)
  if (typeof look === 'string') return false
  const { text, cursorY } = look.capture
  const hasPrompt = /\S/.test(stripVTControlCharacters(text.split('\n')[cursorY] ?? ''))
  return (
    hasPrompt &&
    readScreen(look.capture, { ...screenOf(undefined), ...(prompt ? { prompt } : {}) }).box ===
      'empty'
  )
}

/** A session may be gone from the registry for another reason, as by `rename`. */
async function throwEnded(launch: Launch, ports: Ports): Promise<void> {
  for (const left = timeLeft(TOLD_MS); left() > 0; ) {
    const end = endOf(launch, ports)
    if (end) throw endedError(launch, end)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** The `ended` event of the agent that was launched, if it has ended. */
export function endOf({ name, since }: Launch, ports: Ports): HistoryEvent | undefined {
  for (const event of eventsFromEnd(ports.bus().home)) {
    if (Date.parse(event.at) < since) return undefined
    if (event.event === 'ended' && event.name === name) return event
  }
  return undefined
}

/** The error of an agent that ended, with the last lines of its screen where that was at once. */
export function endedError({ name, command }: Launch, end: HistoryEvent | undefined): CodedError {
  const how = end === undefined ? 'ended before it joined' : `ended with exit code ${end.code}`
  const early = end === undefined || Array.isArray(end.screen)
  const lines = Array.isArray(end?.screen) ? end.screen.map(String) : []
  return new CodedError(
    'FAULT',
    early ? `@${name} was not started: its agent ${how}` : `the agent of @${name} ${how}`,
    { hint: `see its whole output with: ${hereLine(name, command)}`, lines },
  )
}
