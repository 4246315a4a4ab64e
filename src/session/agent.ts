import type { Processes, ProcessInfo, ProcessRef } from '../system/processes.ts'
import { wordList } from '../system/wordList.ts'

/** Programs that wait for a command line of their own: text typed into one of them would be run. */
const SHELLS = wordList(
  'sh bash dash ash zsh fish ksh mksh tcsh csh nu xonsh elvish pwsh login su sudo busybox tmux screen ssh mosh-client',
)

export function isShell(command: string): boolean {
  return SHELLS.has(command.replace(/^-/, ''))
}

/** The processes above `pid` up to `top`, the nearest first; each is looked at when asked for. */
export function* ancestors(
  processes: Pick<Processes, 'find'>,
  pid: number,
  top?: number,
): Generator<ProcessInfo> {
  let next = processes.find(pid)?.parent
  for (let height = 0; next !== undefined && next > 1 && height <= 200; height += 1) {
    const info = processes.find(next)
    if (!info) return
    yield info
    if (info.pid === top) return
    next = info.parent
  }
}

/** Whether `pid` is `top` or runs below it. */
export function isBelow(processes: Pick<Processes, 'find'>, pid: number, top: number): boolean {
  if (pid === top) return true
  for (const info of ancestors(processes, pid, top)) if (info.pid === top) return true
  return false
}

/** The agent above `pid` in a pane: the uppermost process, the pane's own too, that is no shell. */
export function agentAbove(
  processes: Processes,
  pid: number,
  panePid: number,
): ProcessRef | undefined {
  const chain = [...ancestors(processes, pid, panePid)]
  if (chain.at(-1)?.pid !== panePid) return undefined
  return refOf(chain.findLast((info) => !isShell(info.command)))
}

/** The program that a pane's terminal listens to now, where it is no shell. */
export function agentInFront(processes: Processes, panePid: number): ProcessRef | undefined {
  const group = processes.find(panePid)?.foreground
  if (group === undefined || group <= 0) return undefined
  const leader = processes.find(group)
  if (leader) return isShell(leader.command) ? undefined : refOf(leader)
  return refOf(processes.all().find((info) => info.group === group && !isShell(info.command)))
}

/** Whether the terminal listens to this agent, not to a shell that suspended it or its editor. */
export function isInFront(processes: Processes, agent: ProcessRef): boolean {
  const info = processes.find(agent.pid)
  return info !== undefined && info.started === agent.started && info.group === info.foreground
}

function refOf(info: ProcessInfo | undefined): ProcessRef | undefined {
  return info && { pid: info.pid, started: info.started }
}
