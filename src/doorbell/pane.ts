import type { Session } from '../bus/names/registry.ts'
import { agentInFront, isBelow, isInFront, isShell } from '../session/agent.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import type { ScreenCapture } from './screen.ts'

/** A look at a pane: its first process, what covers it, and its screen. */
export type PaneLook = {
  pid: number
  inMode: boolean
  alternate: boolean
  /** What the program has called the pane. */
  title: string
  capture: ScreenCapture
}

/** Why nothing is typed where nothing stands. */
export const PANE_GONE = 'the pane is gone'

const FORMAT =
  '#{pane_pid} #{pane_in_mode} #{pane_dead} #{alternate_on} #{cursor_x} #{cursor_y} #{pane_width} #{pane_height} #{cursor_flag} #{pane_title}'

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
  if (late) return 'its tmux server does not answer'
  if (code !== 0 || end < 0) return PANE_GONE
  const words = stdout.slice(0, end).split(' ')
  const [
    pid = 0,
    inMode,
    dead,
    alternate,
    cursorX = 0,
    cursorY = 0,
    width = 0,
    height = 0,
    cursor,
  ] = words.map(Number)
  if (pid <= 0 || dead === 1) return PANE_GONE
  const capture = {
    text: stdout.slice(end + 1),
    cursorX,
    cursorY,
    width,
    height,
    cursorVisible: cursor === 1,
  }
  const title = words.slice(9).join(' ')
  return { pid, inMode: inMode !== 0, alternate: alternate === 1, title, capture }
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
  // One that has its terminal for itself may be at its prompt; a command line of the launcher's has
  // none.
  const alone = info !== undefined && info.group === info.pid && isShell(info.command)
  if (alone && agentInFront(processes, look.pid) === undefined) return 'a shell runs in the pane'
  return isInFront(processes, agent) ? undefined : 'another program is in front of the agent'
}

function unknownAgentTrouble(look: PaneLook, processes: Processes): string | undefined {
  if (agentInFront(processes, look.pid) === undefined) return 'a shell runs in the pane'
  return look.alternate ? 'a full-screen program is open in the pane' : undefined
}
