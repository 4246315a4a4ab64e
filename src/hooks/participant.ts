import { findSession, readSessions, type Session, type Sessions } from '../bus/registry.ts'
import { isBelow } from '../session/agent.ts'
import { findIdentity, type Identity } from '../session/identity.ts'
import type { SessionState } from '../session/state.ts'
import { readState } from '../session/stateFile.ts'
import type { ProcessRef } from '../system/processes.ts'
import type { HookPorts } from './ports.ts'

/** A registered session that this hook's agent is, and what hooks had told of it by then. */
export type Participant = {
  name: string
  session: Session
  source: Identity['source']
  agent: ProcessRef | null
  state: SessionState | undefined
}

/**
 * The session that this hook speaks for, or undefined. An agent that a session's agent started (a `claude -p` in its shell, say) inherits
 * the name, but it is not the session.
 */
export function participant(
  ports: HookPorts,
  sessions: Sessions = readSessions(ports.bus().home),
): Participant | undefined {
  const { processes, home } = ports.bus()
  const identity = findIdentity({ env: ports.env, sessions: () => sessions, warn: () => {}, processes, home })
  const session = identity && findSession(sessions, identity.name)
  if (!identity || !session) return undefined
  const agent = hookAgent(ports)
  const state = readState(home, session.name)
  const known = state?.agent && processes.isAlive(state.agent) ? state.agent : undefined
  const ours = agent === null || (known ? same(known, agent) : mayBe(session, agent, ports))
  return ours ? { name: session.name, session, source: identity.source, agent, state } : undefined
}

/** The Claude Code that runs this hook, by the pid that it gives. */
export function hookAgent(ports: HookPorts): ProcessRef | null {
  const pid = Number(ports.env.CLAUDE_PID)
  const info = Number.isSafeInteger(pid) && pid > 1 ? ports.bus().processes.find(pid) : undefined
  return info ? { pid: info.pid, started: info.started } : null
}

/** Before an agent has told anything: the registered process itself or one below it, a wrapper's child for example. */
function mayBe(session: Session, agent: ProcessRef, ports: HookPorts): boolean {
  const { processes } = ports.bus()
  return session.agent === null || !processes.isAlive(session.agent) || isBelow(processes, agent.pid, session.agent.pid)
}

function same(a: ProcessRef, b: ProcessRef): boolean {
  return a.pid === b.pid && a.started === b.started
}
