import type { Agent } from '../agents/agent.ts'
import { findSession, readSessions, type Session, type Sessions } from '../bus/names/registry.ts'
import { isCoded } from '../errors.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { ancestors, isBelow, isShell } from '../session/agent.ts'
import { findIdentity, type Identity } from '../session/identity.ts'
import type { SessionState } from '../session/state.ts'
import { findState, readState } from '../session/stateFile.ts'
import { isErrno } from '../system/errno.ts'
import { readJson } from '../system/json.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import type { HookPorts } from './ports.ts'

/** A registered session that this hook's agent is, and what hooks had told of it by then. */
export type Participant = {
  name: string
  session: Pick<Session, 'agent' | 'doorbell' | 'cwd'>
  agent: ProcessRef | null
  state: SessionState | undefined
  /** Whether it is a worker: nobody types there, whatever its prompts look like. */
  worker: boolean
  /** Every registered session; none where the registry cannot be read. */
  sessions: Sessions
}

/**
 * The session that this hook speaks for, or undefined. An agent that a session's agent started (a
 * `claude -p` in its shell, say) inherits the name, but it is not the session. A registry that
 * cannot be read makes nobody a stranger: the states tell who told them.
 */
export function participant(ports: HookPorts): Participant | undefined {
  const { processes, home } = ports.bus()
  const agent = hookAgent(ports)
  if (ports.agent && agent === null) return undefined
  let found: Found | undefined
  try {
    found = registered(ports)
  } catch (error) {
    found = isCoded(error, 'REGISTRY_BROKEN') ? told(ports, agent) : undefined
    if (!found) throw error
  }
  if (!found) return undefined
  const { name, session, sessions = {} } = found
  const state = readState(home, name)
  // The agent of this hook runs, and need not be looked up again.
  const isKnown =
    state?.agent && (sameProcess(state.agent, agent) || processes.isAlive(state.agent))
  const known = isKnown ? state.agent : undefined
  const ours = agent === null || (known ? sameProcess(known, agent) : mayBe(found, agent, ports))
  return ours
    ? { name, session, agent, state, worker: isWorker(ports, found), sessions }
    : undefined
}

/**
 * The worker's process says so to its client; should a setting of the host's take that away, the
 * worker's own file tells.
 */
function isWorker({ env, bus }: HookPorts, { name, session }: Found): boolean {
  if (env.AGENT_CHAT_WORKER) return true
  const told = readJson(bus().home.worker(name))
  return (
    session.agent !== null &&
    typeof told === 'object' &&
    told !== null &&
    'process' in told &&
    sameProcess(session.agent, told.process as ProcessRef)
  )
}

/**
 * Whether this hook's agent is, or may be, a session, as far as anything in the home can still be
 * read: after a fault. Where all of it is out of reach, the name that a launcher gave tells. Of a
 * home that cannot even be opened, nobody of this account is a session.
 */
export function mayBeParticipant(ports: HookPorts): boolean {
  const looks = [
    () => {
      const found = registered(ports)
      const agent = hookAgent(ports)
      return found && (agent === null || mayBe(found, agent, ports))
    },
    () => told(ports, hookAgent(ports)) !== undefined,
  ]
  let unseen = false
  for (const look of looks) {
    try {
      if (look()) return true
    } catch (error) {
      // Too many open files, or a disk that fails now: nothing is known of the home.
      if (isCoded(error, 'HOME_UNUSABLE')) return isErrno(error.cause, 'EMFILE', 'ENFILE', 'EIO')
      unseen = true
    }
  }
  return unseen && NAME_PATTERN.test(ports.env.AGENT_CHAT_NAME ?? '')
}

/** The agent that runs this hook: Claude Code gives its pid, another is found above. */
export function hookAgent(ports: HookPorts): ProcessRef | null {
  if (ports.agent) return registeredAbove(ports, ports.agent)
  const pid = Number(ports.env.CLAUDE_PID)
  const info = Number.isSafeInteger(pid) && pid > 1 ? ports.bus().processes.find(pid) : undefined
  return info ? { pid: info.pid, started: info.started } : null
}

/**
 * The registered agent above this hook, with nothing but its own processes in between: another one
 * there is one that the session's tools have started, by a shell, and nobody here.
 */
function registeredAbove({ bus }: HookPorts, { name, programs }: Agent): ProcessRef | null {
  const { processes, home } = bus()
  const ours = Object.values(readSessions(home)).filter(({ program }) => program === name)
  let own = true
  let servers = 0
  for (const above of ancestors(processes, processes.self().pid)) {
    const session = ours.find(({ agent }) => sameProcess(agent, above))
    const shell = isShell(above.command)
    if (session) return servers > 1 ? null : session.agent
    if (programs.includes(above.command)) servers += 1
    // The shell that the hook runs in comes first.
    if (shell && !own) return null
    own = own && shell
  }
  return null
}

/** The gate of this agent. A worker's is never off: its definition says what it is trusted with. */
export function gateOf({ env }: HookPorts, { worker }: Pick<Participant, 'worker'>): string {
  return worker ? 'enforce' : env.AGENT_CHAT_GATE || 'enforce'
}

type Found = Pick<Participant, 'name' | 'session'> & {
  by?: Identity['source']
  sessions?: Sessions
}

/** The session that this process belongs to, by the registry. */
function registered({ env, bus }: HookPorts): Found | undefined {
  const { processes, home } = bus()
  const sessions = readSessions(home)
  const clues = { env, sessions: () => sessions, warn: () => {}, processes, home }
  const identity = findIdentity(clues)
  const session = identity && findSession(sessions, identity.name)
  return session && { name: session.name, session, by: identity.source, sessions }
}

/** The session of which this agent's own hooks have told. */
function told(ports: HookPorts, agent: ProcessRef | null): Found | undefined {
  const found = findState(ports.bus().home, (state, name) =>
    agent ? sameProcess(state.agent, agent) : name === ports.env.AGENT_CHAT_NAME,
  )
  if (!found) return undefined
  const doorbell = found.state.native ? 'auto' : 'tmux'
  return { name: found.name, session: { agent, doorbell, cwd: '' } }
}

/**
 * Before an agent has told anything: the registered process itself or one below it, a wrapper's
 * child for example. Where that has ended, another agent in its pane is nobody until it joins.
 */
function mayBe({ session, by }: Found, agent: ProcessRef, { bus }: HookPorts): boolean {
  const { processes } = bus()
  if (session.agent === null) return true
  if (!processes.isAlive(session.agent)) return by !== 'pane'
  return isBelow(processes, agent.pid, session.agent.pid)
}
