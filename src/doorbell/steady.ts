import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/names/registry.ts'
import { agentInFront } from '../session/agent.ts'
import type { ProcessRef } from '../system/processes.ts'
import { sameProcess } from '../system/processes.ts'
import type { PaneLook } from './pane.ts'

/**
 * A command that a shell runs is in front for a moment, and the shell's prompt above it may look
 * like an agent's empty box. In milliseconds.
 */
export const STEADY_MS = 1000

/**
 * Why nothing may be typed yet into the pane of a session whose agent is not known: what stands in
 * front has not stood there for long. An agent does, a command between two prompts does not. Asked
 * at every look at which nothing else is in the way.
 */
export function steadyFront({ clock, processes }: Pick<Bus, 'clock' | 'processes'>) {
  let known: { front: ProcessRef; at: number } | undefined
  return (
    { agent }: Pick<Session, 'agent'>,
    { pid }: Pick<PaneLook, 'pid'>,
  ): string | undefined => {
    const front = agent === null ? agentInFront(processes, pid) : undefined
    if (front === undefined) known = undefined
    else if (!sameProcess(known?.front, front)) known = { front, at: clock.now() }
    return known && clock.now() - known.at < STEADY_MS
      ? 'a program has just started in the pane'
      : undefined
  }
}
