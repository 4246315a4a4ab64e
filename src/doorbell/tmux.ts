import type { Session } from '../bus/names/registry.ts'
import { faultPoint } from '../system/fault.ts'
import type { Processes } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { agentTrouble, lookAtPane, type PaneLook, runInPane, stateTrouble } from './pane.ts'
import type { Left, RingResult } from './ringer.ts'
import { boxHolds, readScreen, type ScreenOptions, type ScreenReading } from './screen.ts'

/**
 * Claude Code takes an Enter that comes with the text for a part of a paste; this long after it, it
 * submits.
 */
export const GAP_MS = 100
/**
 * How often, and how long in milliseconds after one another, the box is looked at for the first
 * character.
 */
const APPEAR_TRIES = 40
const APPEAR_MS = 12

export type TypePorts = { tmux: Tmux; processes: Processes; pause: (ms: number) => Promise<void> }

export type TypeRequest = {
  session: Session
  address: PaneAddress
  /**
   * Asked at the last moment before the first byte; undefined where nothing is left to ring for.
   */
  text: () => string | undefined
  /**
   * What a ring before this one may have left in the box. Should the box hold just one of these,
   * only the rest is missing.
   */
  leftBehind: readonly Left[]
  /**
   * Learns at the first look what the box holds, and says why not to type yet into an empty one.
   */
  tooSoon: (reading: ScreenReading) => string | undefined
  /** What else forbids it, looked at before the text and again before Enter. */
  forbidden: (look: PaneLook) => string | undefined
  /** What is known of the agent's input box. */
  screen: ScreenOptions
}

/**
 * Types one line and Enter into the session's pane, or refuses: it never clears, answers, or closes
 * anything. Before the first byte and again before Enter, the pane must exist and hold the agent in
 * front, be in no mode, and show an empty input box (then: just our line). The first character goes
 * alone, and the rest follows only when the box shows it: vim's NORMAL mode cannot be told from an
 * empty box in any other way.
 */
export async function typeRing(request: TypeRequest, ports: TypePorts): Promise<RingResult> {
  const look = await lookAtPane(ports.tmux, request.address)
  if (typeof look === 'string') return refused(look, false)
  const left = leftInBox(request, look)
  const trouble =
    paneTrouble(request, look, ports) ??
    (left === undefined ? boxTrouble(look, request) : undefined)
  if (trouble !== undefined) return refused(trouble, false)
  const text = request.text()
  if (text === undefined) return { kind: 'rung' }
  faultPoint('ring:claimed')
  // Taking the batch has cost a moment in which a turn may have begun.
  const late = request.forbidden(look)
  if (late !== undefined) return refused(late, false)
  if (left !== undefined) return finish(left, look, request, ports)
  if (request.screen.paste) return pasteRing(text, look, request, ports)
  const first = { line: text, typed: text.slice(0, 1) }
  const refusal = await type(first.typed, look, request, ports)
  if (refusal !== undefined) return refused(refusal, false)
  faultPoint('ring:begun')
  if (!(await appears(first.typed, request, ports)))
    return { ...refused('the input box does not take what is typed', true), left: first }
  const result = await finish(first, look, request, ports)
  return result.kind === 'rung' ? result : { ...result, typed: true }
}

/** Puts the whole line into the box at once, and enters it once the box shows all of it. */
async function pasteRing(
  line: string,
  look: PaneLook,
  request: TypeRequest,
  ports: TypePorts,
): Promise<RingResult> {
  const refusal = await paste(line, look, request, ports)
  if (refusal !== undefined) return refused(refusal, false)
  faultPoint('ring:typed')
  await ports.pause(GAP_MS)
  const left = { line, typed: line }
  if (!(await appears(line, request, ports)))
    return { ...refused('the input box does not take what is typed', true), left, undrawn: true }
  // What has drawn it need not have taken it yet.
  await ports.pause(GAP_MS)
  const result = await finish(left, look, request, ports)
  return result.kind === 'rung' ? result : { ...result, typed: true }
}

/** Types what is missing of a line, and enters it once the box shows all of it. */
async function finish(
  { line, typed }: Left,
  look: PaneLook,
  request: TypeRequest,
  ports: TypePorts,
): Promise<RingResult> {
  if (typed.length < line.length) {
    const refusal = await type(line.slice(typed.length), look, request, ports)
    if (refusal !== undefined) return { ...refused(refusal, false), left: { line, typed } }
    faultPoint('ring:typed')
    await ports.pause(GAP_MS)
    // An agent that has much to do draws it later than that.
    await appears(line, request, ports)
  }
  const result = await enter(request, line, ports)
  return result.kind === 'rung'
    ? result
    : { ...result, typed: typed.length < line.length, left: { line, typed: line } }
}

/** Types into the pane that was looked at; gives why it has not. */
function type(
  text: string,
  look: PaneLook,
  { address }: TypeRequest,
  { tmux }: TypePorts,
): Promise<string | undefined> {
  const keys = `send-keys -t ${address.pane} -l -- ${quoted(text)}`
  return runInPane(tmux, address, look, keys)
}

/** Where the program has asked for it, the terminal marks the line as one paste. */
function paste(
  text: string,
  look: PaneLook,
  { address }: TypeRequest,
  { tmux }: TypePorts,
): Promise<string | undefined> {
  const { pane } = address
  const buffer = `agent-chat${pane}`
  const put = `paste-buffer -d -p -b ${buffer} -t ${pane}`
  return runInPane(tmux, address, look, `set-buffer -b ${buffer} -- ${quoted(text)} ; ${put}`)
}

/** A word as tmux's own command language takes it: as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Whether the box comes to hold just this text: an agent draws what is typed a moment later. */
async function appears(text: string, request: TypeRequest, ports: TypePorts): Promise<boolean> {
  for (let tries = 0; tries < APPEAR_TRIES; tries += 1) {
    const look = await lookAtPane(ports.tmux, request.address)
    if (typeof look === 'string' || paneTrouble(request, look, ports) !== undefined) return false
    if (boxHolds(look.capture, text, request.screen)) return true
    await ports.pause(APPEAR_MS)
  }
  return false
}

async function enter(request: TypeRequest, text: string, ports: TypePorts): Promise<RingResult> {
  const look = await lookAtPane(ports.tmux, request.address)
  if (typeof look === 'string') return refused(look, true)
  const trouble = paneTrouble(request, look, ports)
  if (trouble !== undefined) return refused(trouble, true)
  if (!boxHolds(look.capture, text, request.screen)) {
    return refused('the input box holds more than the ring', true)
  }
  const { address } = request
  const refusal = await runInPane(ports.tmux, address, look, `send-keys -t ${address.pane} Enter`)
  if (refusal !== undefined) return refused(refusal, true)
  faultPoint('ring:entered')
  if (request.screen.paste && !(await isGiven(text, request, ports)))
    return refused('the agent has not taken the line yet', false)
  return { kind: 'rung' }
}

/** Whether the box comes to hold something else than this text. */
async function isGiven(text: string, request: TypeRequest, ports: TypePorts): Promise<boolean> {
  for (let tries = 0; tries < APPEAR_TRIES; tries += 1) {
    const look = await lookAtPane(ports.tmux, request.address)
    if (typeof look === 'string' || !boxHolds(look.capture, text, request.screen)) return true
    await ports.pause(APPEAR_MS)
  }
  return false
}

function refused(why: string, typed: boolean): Extract<RingResult, { kind: 'wait' }> {
  return { kind: 'wait', why, typed }
}

function leftInBox({ leftBehind, screen }: TypeRequest, look: PaneLook): Left | undefined {
  return leftBehind.find(({ typed }) => boxHolds(look.capture, typed, screen))
}

function paneTrouble(request: TypeRequest, look: PaneLook, ports: TypePorts): string | undefined {
  const agent = agentTrouble(request.session, look, ports.processes)
  if (agent !== undefined) return agent
  return stateTrouble(look) ?? request.forbidden(look)
}

function boxTrouble(look: PaneLook, { screen, tooSoon }: TypeRequest): string | undefined {
  const reading = readScreen(look.capture, screen)
  const soon = tooSoon(reading)
  return reading.box === 'empty' ? soon : reading.why
}
