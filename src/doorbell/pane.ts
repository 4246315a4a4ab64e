import type { Session } from '../bus/names/registry.ts'
import { agentInFront, isBelow, isInFront, isShell } from '../session/agent.ts'
import { argumentsOf } from '../system/commandLine.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import type { ScreenCapture } from './screen.ts'

/** A look at a pane: its first process, its state for tmux, what covers it, and its screen. */
export type PaneLook = {
  pid: number
  /** `OPEN`, or a word for why keys would go elsewhere or mean something else. */
  state: string
  alternate: boolean
  /** What the program has called the pane. */
  title: string
  capture: ScreenCapture
}

/** Why nothing is typed where nothing stands. */
export const PANE_GONE = 'the pane is gone'
const NO_ANSWER = 'its tmux server does not answer'

/**
 * A pane's state in one word. In a mode, a key runs what is bound to it; keys of a synchronized pane
 * go to the others in its window, too. What a client shows (a prompt, a menu) gets that client's
 * keys alone.
 */
const OPEN = 'open'
const STATE = [
  '#{?pane_dead,dead',
  '#{?pane_in_mode,#{pane_mode}',
  '#{?pane_input_off,off',
  `#{?#{&&:#{pane_synchronized},#{!=:#{window_panes},1}},shared,${OPEN}}}}}`,
].join(',')

const TROUBLE: Record<string, string> = {
  dead: PANE_GONE,
  off: 'the pane takes no input (tmux: input is off)',
  shared: 'other panes would get it too (tmux: synchronize-panes is on)',
}

const FORMAT = `#{pane_pid} ${STATE} #{alternate_on} #{cursor_x} #{cursor_y} #{pane_width} #{pane_height} #{cursor_flag} #{pane_title}`

/**
 * Looks at a pane in one call of tmux; gives why that cannot be where there is no such pane,
 * nothing runs in it any more, or its server does not answer.
 */
export async function lookAtPane(tmux: Tmux, address: PaneAddress): Promise<PaneLook | string> {
  const { code, stdout, late } = await tmux.run(
    [
      'display-message',
      '-p',
      '-t',
      address.pane,
      FORMAT,
      ';',
      'capture-pane',
      '-p',
      '-e',
      '-t',
      address.pane,
    ],
    address.socket,
  )
  const end = stdout.indexOf('\n')
  if (late) return NO_ANSWER
  if (code !== 0 || end < 0) return PANE_GONE
  const [first, state = '', ...words] = stdout.slice(0, end).split(' ')
  const pid = Number(first)
  if (!(pid > 0) || state === 'dead') return PANE_GONE
  const [alternate, cursorX = 0, cursorY = 0, width = 0, height = 0, cursor] = words.map(Number)
  const capture = {
    text: stdout.slice(end + 1),
    cursorX,
    cursorY,
    width,
    height,
    cursorVisible: cursor === 1,
  }
  const title = words.slice(6).join(' ')
  return { pid, state, alternate: alternate === 1, title, capture }
}

/** Why tmux would not give keys to this pane, and to it alone; undefined where it would. */
export function stateTrouble({ state }: Pick<PaneLook, 'state'>): string | undefined {
  return state === OPEN
    ? undefined
    : (TROUBLE[state] ?? `the pane is in ${state.replace('-', ' ')}`)
}

/**
 * Has tmux run this command for a pane where that still has the same first process, and would give
 * keys to it alone: tmux looks and does it in one go. Gives why it was not done.
 */
export async function runInPane(
  tmux: Tmux,
  { pane, socket }: PaneAddress,
  { pid }: Pick<PaneLook, 'pid'>,
  command: string,
): Promise<string | undefined> {
  const same = `#{==:#{pane_pid} ${STATE},${pid} ${OPEN}}`
  // Without this pane, tmux looks at another one.
  const tell = `display-message -p -t ${pane} '#{?#{==:#{pane_id},${pane}},${STATE},dead}'`
  const answer = await tmux.run(['if-shell', '-F', '-t', pane, same, command, tell], socket)
  const state = answer.stdout.trim()
  if (answer.late) return NO_ANSWER
  if (answer.code !== 0) return PANE_GONE
  if (state === '') return undefined
  return stateTrouble({ state }) ?? 'the pane has changed'
}

/**
 * Why nothing may be typed into a pane because of what runs in it; undefined where the session's
 * agent listens there.
 */
export function agentTrouble(
  session: Pick<Session, 'agent'>,
  look: PaneLook,
  processes: Processes,
): string | undefined {
  return session.agent === null
    ? unknownAgentTrouble(look, processes)
    : knownAgentTrouble(session.agent, look, processes)
}

function knownAgentTrouble(
  agent: ProcessRef,
  look: PaneLook,
  processes: Processes,
): string | undefined {
  if (!processes.isAlive(agent)) return 'the agent has ended'
  if (!isBelow(processes, agent.pid, look.pid)) return 'the agent does not run in this pane'
  const info = processes.find(agent.pid)
  // One that has its terminal for itself may be at its prompt; a command line of the launcher's is
  // never at one.
  const alone = info !== undefined && info.group === info.pid && isShell(info.command)
  if (alone && agentInFront(processes, look.pid) === undefined && !runsCommandLine(agent.pid))
    return 'a shell runs in the pane'
  return isInFront(processes, agent) ? undefined : 'another program is in front of the agent'
}

function runsCommandLine(pid: number): boolean {
  const [program, option] = argumentsOf(pid) ?? []
  return program === 'sh' && option === '-c'
}

function unknownAgentTrouble(look: PaneLook, processes: Processes): string | undefined {
  if (agentInFront(processes, look.pid) === undefined) return 'a shell runs in the pane'
  return look.alternate ? 'a full-screen program is open in the pane' : undefined
}
