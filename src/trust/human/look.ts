import { OTHERS_MARKS, TELLING_MARKS } from '../../agents/agents.ts'
import { argumentsOf, userOf, variableOf } from '../../system/commandLine.ts'
import type { Processes, ProcessInfo } from '../../system/processes.ts'
import { runNow } from '../../system/runNow.ts'
import { type Seen, UNREADABLE } from './tree.ts'

const MARKS = [...TELLING_MARKS, ...OTHERS_MARKS]

/** What is asked of the system about a process, beside its place in the tree. */
export type Eyes = {
  processes: Pick<Processes, 'self' | 'find'>
  argumentsOf: (pid: number) => string[] | undefined
  variableOf: (pid: number, names: readonly string[]) => string | null | undefined
  userOf: (pid: number) => number | undefined
}

/** A process and all above it, the nearest first, the last one included. */
export function lookUp(pid: number, eyes: Eyes): Seen[] {
  const me = eyes.userOf(eyes.processes.self().pid)
  const chain: Seen[] = []
  for (let next = pid; next > 0 && chain.length <= 200; next = chain.at(-1)?.parent ?? 0) {
    const info = eyes.processes.find(next)
    if (!info || chain.some((one) => one.pid === info.pid)) break
    chain.push(seen(info, me, eyes))
  }
  return chain
}

function seen(info: ProcessInfo, me: number | undefined, eyes: Eyes): Seen {
  const { pid, parent, command, group, foreground } = info
  const user = eyes.userOf(pid)
  const mark = eyes.variableOf(pid, MARKS)
  return {
    ...{ pid, parent, command, group, foreground },
    args: eyes.argumentsOf(pid),
    mark: mark === null ? UNREADABLE : mark,
    root: user === 0,
    mine: user === undefined || user === me,
  }
}

export function systemEyes(processes: Eyes['processes']): Eyes {
  return { processes, argumentsOf, variableOf, userOf }
}

/** No tmux that hangs keeps a command waiting. In milliseconds. */
const TMUX_MS = 2000

/**
 * The trees of the programs that show the tmux session of this process. What `$TMUX` says counts
 * only where its server is above this process.
 */
export function clientTrees(env: NodeJS.ProcessEnv, chain: Seen[], eyes: Eyes): Seen[][] {
  const match = /^(.+),(\d+),(\d+)$/.exec(env.TMUX ?? '')
  const server = match && chain.find(({ pid }) => pid === Number(match[2]))
  if (!match || !server || !/^tmux/.test(server.command)) return []
  const [, socket = '', , session] = match
  const format = ['-t', `$${session}`, '-F', '#{pid} #{client_pid}']
  const { stdout } = runNow(['tmux', '-S', socket, 'list-clients', ...format], '', env, TMUX_MS)
  return stdout.split('\n').flatMap((line) => {
    const [of, client] = line.split(' ').map(Number)
    return of === server.pid && client ? [lookUp(client, eyes)] : []
  })
}
