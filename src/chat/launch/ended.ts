import { stripVTControlCharacters } from 'node:util'
import type { StartDialog } from '../../agents/agent.ts'
import { screenOf } from '../../agents/agents.ts'
import { eventsFromEnd, type HistoryEvent } from '../../bus/history.ts'
import { wakeWatcher } from '../../bus/mail/bell.ts'
import { findSession, readSessions, type Session } from '../../bus/names/registry.ts'
import { lookAtPane } from '../../doorbell/pane.ts'
import { readScreen } from '../../doorbell/screen.ts'
import { CodedError } from '../../errors.ts'
import { EARLY_MS } from '../../launcher/supervise.ts'
import { dialogSaid } from '../../session/startDialog.ts'
import { dialogOn, mayStandAtDialog } from '../../session/startScreen.ts'
import { believedState } from '../../session/stateFile.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import type { Ports } from '../ports.ts'
import { hereLine } from './needs.ts'

/** What is to be told of an agent that ended: its session, since when, and what started it. */
export type Launch = { name: string; since: number; command: string | null }

/** How long the end of an agent may take to be in the history. In milliseconds. */
const TOLD_MS = 3000

/** How long an agent may take until it is ready, or asks something. In milliseconds. */
const READY_MS = 15_000

/** How often a start looks at what its session has told. In milliseconds. */
export const LOOK_MS = 50
/** A look at tmux starts a process, and takes the agent's own processor: one in so many looks. */
export const LOOKS_A_SCREEN = 5

/**
 * Waits until the agent in the pane has begun: its hooks tell of it, or its input box can be seen.
 * Gives what it is at else: a dialog before its first prompt, or what is not known of it after 15 s.
 * An agent whose dialogs nobody knows is there after 5 s. Throws where it ended before that.
 */
export async function begun(launch: Launch, ports: Ports): Promise<string | undefined> {
  const { name } = launch
  const { home, processes } = ports.bus()
  const early = timeLeft(EARLY_MS)
  let shown: Shown = 'nothing'
  const left = timeLeft(READY_MS)
  for (let looks = 0; left() > 0; looks += 1) {
    const session = findSession(readSessions(home), name)
    if (!session?.agent || !processes.isAlive(session.agent)) {
      await throwEnded(launch, ports)
      return undefined
    }
    if (believedState(home, name, processes)) return undefined
    if (looks % LOOKS_A_SCREEN === 0) shown = await shownIn(session, ports)
    if (shown === 'box') return undefined
    if (shown !== 'nothing' && shown !== 'unseen') {
      wakeWatcher({ home, processes })
      return `@${name} ${dialogSaid(name, shown)}`
    }
    if (early() <= 0 && !mayStandAtDialog(session, undefined)) return undefined
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return `@${name} ${STILL[shown]} after ${READY_MS / 1000} s: agent-chat attach ${name}`
}

type Shown = 'box' | StartDialog | 'nothing' | 'unseen'

const STILL: Partial<Record<Shown, string>> = {
  nothing: 'shows neither its input box nor a dialog that agent-chat knows',
  unseen: 'has told nothing, and its tmux server does not show its screen',
}

/** What the pane of a session shows. A blank line looks like an empty box, but is not one. */
async function shownIn(
  { pane, tmux_socket: socket, program, prompt }: Session,
  { tmux }: Ports,
): Promise<Shown> {
  if (!pane || !socket) return 'unseen'
  const look = await lookAtPane(tmux, { pane, socket })
  if (typeof look === 'string') return 'unseen'
  const { text, cursorY } = look.capture
  const dialog = dialogOn(text, screenOf(program))
  if (dialog) return dialog
  const hasPrompt = /\S/.test(stripVTControlCharacters(text.split('\n')[cursorY] ?? ''))
  const options = { ...screenOf(undefined), ...(prompt ? { prompt } : {}) }
  return hasPrompt && readScreen(look.capture, options).box === 'empty' ? 'box' : 'nothing'
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
