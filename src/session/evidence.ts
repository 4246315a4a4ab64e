import { agentNameOfProcess, SHARES_SERVER } from '../agents/programs.ts'
import type { Home } from '../bus/home.ts'
import { findSession, type Session, type Sessions } from '../bus/names/registry.ts'
import { argumentsOf } from '../system/commandLine.ts'
import { fieldOf, readJson } from '../system/json.ts'
import {
  isProcessRef,
  type Processes,
  type ProcessInfo,
  type ProcessRef,
  sameProcess,
} from '../system/processes.ts'
import type { PaneAddress } from '../system/tmux.ts'

/**
 * What the processes above this one say about a session that a variable names. `contradicted`: they
 * show another agent, or the pane of another session, as `by` says. `unseen`: they show neither, as
 * after `nohup`, in a sandbox, or below a server that several windows share.
 */
export type Evidence = { is: 'confirmed' | 'unseen' } | { is: 'contradicted'; by: string }

/** `above`: the processes above this one, the nearest first; undefined in a sandbox. */
export type Seen = {
  env: NodeJS.ProcessEnv
  here: PaneAddress | undefined
  above: readonly ProcessInfo[] | undefined
  processes: Pick<Processes, 'isAlive'>
  home: Pick<Home, 'state' | 'launched'>
  argumentsOf?: typeof argumentsOf | undefined
}

/** Judges a name by the registry; `sessions` is undefined where that cannot be read. */
export function evidenceFor(name: string, sessions: Sessions | undefined, seen: Seen): Evidence {
  const session = sessions && findSession(sessions, name)
  const program = seen.above?.find((one) => agentIn(one, seen))
  if (program && isToldOf(name, program, seen)) return { is: 'confirmed' }
  if (program && sessions && isOther(name, session, program, seen))
    return { is: 'contradicted', by: `${program.command} (process ${program.pid}) runs this` }
  const client = Number(seen.env.CLAUDE_PID)
  if (client && session && isOtherClient(session, client, seen))
    return { is: 'contradicted', by: `Claude Code (process ${client}) runs this` }
  const pane = sessions && sessionOfPane(sessions, seen)
  if (!session || !pane?.pane_process || !holdsPane(pane, seen)) return { is: 'unseen' }
  if (pane.name === name) return { is: 'confirmed' }
  return session.pane === null
    ? { is: 'unseen' }
    : { is: 'contradicted', by: `this is the tmux pane of @${pane.name}` }
}

/** The session of the pane that the environment names. */
export function sessionOfPane(sessions: Sessions, { here }: Seen): Session | undefined {
  return Object.values(sessions).find(
    ({ pane, tmux_socket }) => here && pane === here.pane && tmux_socket === here.socket,
  )
}

/**
 * Whether the session's pane holds this process. An entry of an earlier version does not say what
 * its pane began with: there the tmux server that the environment names has to be above.
 */
export function holdsPane(session: Session, { env, above }: Seen): boolean {
  if (!above) return false
  const { pane_process: first } = session
  if (first) return above.some((one) => sameProcess(first, one))
  const server = Number(/,(\d+),\d*$/.exec(env.TMUX ?? '')?.[1] ?? 0)
  return server <= 1 || above.some(({ pid }) => pid === server)
}

function agentIn({ command, pid }: ProcessInfo, { argumentsOf: look = argumentsOf }: Seen) {
  return agentNameOfProcess(command, () => look(pid))
}

/** Whether the session's own hooks, or its launcher, have told that it is in this process. */
function isToldOf(name: string, process: ProcessRef, { home }: Seen): boolean {
  return toldOf(name, home).some((one) => sameProcess(one, process))
}

function toldOf(name: string, home: Seen['home']): ProcessRef[] {
  const paths = [home.state(name), home.launched(name)]
  return paths.map((path) => fieldOf(readJson(path), 'agent')).filter(isProcessRef)
}

/** Whether an agent above, which is not registered, cannot be the session's. */
function isOther(
  name: string,
  session: Session | undefined,
  program: ProcessInfo,
  seen: Seen,
): boolean {
  const agent = agentIn(program, seen)
  // Its server is above none of the windows.
  if (agent && SHARES_SERVER.includes(agent))
    return session?.native === true || ![agent, undefined].includes(session?.program)
  return session ? session.agent !== null : isInherited(name, program, seen)
}

/**
 * Whether a name that nobody has registered was handed on: an agent process that its session told of
 * lives elsewhere, or the program runs below another agent, as below a daemon of the client. A
 * program that you gave the name by hand is neither.
 */
function isInherited(name: string, program: ProcessRef, seen: Seen): boolean {
  const { above = [], home, processes } = seen
  if (toldOf(name, home).some((one) => processes.isAlive(one))) return true
  const place = above.findIndex((one) => sameProcess(one, program))
  return above.slice(place + 1).some((one) => agentIn(one, seen))
}

/** Whether the client that the environment names is not the session's, which runs elsewhere. */
function isOtherClient(session: Session, client: number, { processes, home }: Seen): boolean {
  const { agent, name } = session
  if (!agent || agent.pid === client || !processes.isAlive(agent)) return false
  const told = fieldOf(readJson(home.state(name)), 'agent')
  return !isProcessRef(told) || told.pid !== client || !processes.isAlive(told)
}
