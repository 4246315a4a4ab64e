import type { Session } from '../bus/registry.ts'
import type { Processes } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { agentTrouble, lookAtPane, type PaneLook } from './pane.ts'
import type { RingResult } from './ringer.ts'
import { boxHolds, readScreen, type ScreenOptions } from './screen.ts'

/** Claude Code takes an Enter that comes with the text for a part of a paste; this long after it, it submits. */
const GAP_MS = 100

export type TypePorts = { tmux: Tmux; processes: Processes; pause: (ms: number) => Promise<void> }

export type TypeRequest = {
  session: Session
  address: PaneAddress
  /** Asked at the last moment before the first byte; undefined where nothing is left to ring for. */
  text: () => string | undefined
  /** What else forbids it, looked at before the text and again before Enter. */
  forbidden: (look: PaneLook) => string | undefined
  /** What is known of the agent's input box. */
  screen: ScreenOptions
}

/**
 * Types one line and Enter into the session's pane, or refuses: it never clears, answers, or closes anything. Before the first byte and
 * again before Enter, the pane must exist and hold the agent in front, be in no mode, and show an empty input box (then: just our line).
 */
export async function typeRing(request: TypeRequest, ports: TypePorts): Promise<RingResult> {
  const { address } = request
  const look = await lookAtPane(ports.tmux, address)
  const trouble = paneTrouble(request, look, ports) ?? boxTrouble(look, request.screen)
  if (trouble !== undefined) return { kind: 'wait', why: trouble, typed: false }
  const text = request.text()
  if (text === undefined) return { kind: 'rung' }
  const typed = await ports.tmux.run(['send-keys', '-t', address.pane, '-l', '--', text], address.socket)
  if (typed.code !== 0) return { kind: 'wait', why: 'the pane is gone', typed: false }
  await ports.pause(GAP_MS)
  return enter(request, text, ports)
}

async function enter(request: TypeRequest, text: string, ports: TypePorts): Promise<RingResult> {
  const look = await lookAtPane(ports.tmux, request.address)
  const trouble = paneTrouble(request, look, ports)
  if (trouble !== undefined) return { kind: 'wait', why: trouble, typed: true }
  if (look === undefined || !boxHolds(look.capture, text, request.screen)) {
    return { kind: 'wait', why: 'the input box holds more than the ring', typed: true }
  }
  const entered = await ports.tmux.run(['send-keys', '-t', request.address.pane, 'Enter'], request.address.socket)
  return entered.code === 0 ? { kind: 'rung' } : { kind: 'wait', why: 'the pane is gone', typed: true }
}

function paneTrouble(request: TypeRequest, look: PaneLook | undefined, ports: TypePorts): string | undefined {
  if (look === undefined) return 'the pane is gone'
  const agent = agentTrouble(request.session, look, ports.processes)
  if (agent !== undefined) return agent
  return look.inMode ? 'the pane is in copy mode' : request.forbidden(look)
}

function boxTrouble(look: PaneLook | undefined, screen: ScreenOptions): string | undefined {
  if (look === undefined) return 'the pane is gone'
  const reading = readScreen(look.capture, screen)
  return reading.box === 'empty' ? undefined : reading.why
}
