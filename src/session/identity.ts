import type { Home } from '../bus/home.ts'
import { nameNow } from '../bus/names/names.ts'
import { findSession, type Sessions } from '../bus/names/registry.ts'
import { CodedError, isCoded } from '../errors.ts'
import { HUMAN, parseName, parseSessionName } from '../message/name.ts'
import type { Processes } from '../system/processes.ts'
import { sameProcess } from '../system/processes.ts'
import type { PaneAddress } from '../system/tmux.ts'
import { ancestors } from './agent.ts'

/**
 * Where a name was found. The first of these tells: the registered agent that runs this process,
 * which cannot speak as another; `$AGENT_CHAT_NAME`; the tmux pane of a registered session; the
 * command's argument; for some commands, the human at a terminal that is no agent's.
 */
export type Identity = {
  name: string
  source: 'environment' | 'agent' | 'pane' | 'argument' | 'terminal' | 'room'
}

export type IdentityClues = {
  env: NodeJS.ProcessEnv
  /** A name given on the command line, `@` or not. */
  argument?: string | undefined
  /** The registry, read only where the environment names nobody. */
  sessions: () => Sessions
  processes: Pick<Processes, 'self' | 'find' | 'isAlive' | 'hidden'>
  /** The home with the list of renames: a session's earlier name still tells who it is. */
  home: Pick<Home, 'names'>
  /** Learns of two clues that disagree, one line. */
  warn: (text: string) => void
}

/**
 * The session that is speaking, or undefined. Throws `NAME_INVALID` for a clue that is no name, and
 * `NAME_RESERVED` for a name that no session can have.
 */
export function findIdentity(clues: IdentityClues): Identity | undefined {
  const argument = clues.argument === undefined ? undefined : nameOf(clues, clues.argument)
  const named = fromEnvironment(clues)
  const found = fromAgent(clues, named) ?? ownName(clues, named) ?? fromPane(clues)
  if (found === undefined)
    return argument === undefined ? undefined : { name: argument, source: 'argument' }
  if (named !== undefined && named.name !== found.name && found.source === 'agent') {
    clues.warn(
      `this session is @${found.name} (by ${SOURCES[found.source]}); AGENT_CHAT_NAME=${named.name} is not used`,
    )
  }
  if (argument !== undefined && argument !== found.name) {
    clues.warn(
      `this session is @${found.name} (by ${SOURCES[found.source]}); @${argument} is not used`,
    )
  }
  return found
}

/** As `findIdentity`. Throws `IDENTITY_UNKNOWN` with `hint` where nothing tells. */
export function requireIdentity(clues: IdentityClues, hint: string): Identity {
  const found = findIdentity(clues)
  if (found) return found
  throw identityUnknown(hint)
}

export function identityUnknown(hint: string): CodedError {
  return new CodedError('IDENTITY_UNKNOWN', 'not inside a session', { hint })
}

/** The pane that this process runs in, from what tmux puts into the environment. */
export function paneOf(env: NodeJS.ProcessEnv): PaneAddress | undefined {
  const socket = env.TMUX?.split(',')[0]
  const pane = env.TMUX_PANE
  return socket && pane && /^%\d+$/.test(pane) ? { socket, pane } : undefined
}

/** How a source of a name is said. */
export const SOURCES = {
  environment: 'AGENT_CHAT_NAME',
  agent: 'the agent that runs this',
  pane: 'its tmux pane',
  argument: 'the argument',
  terminal: 'its terminal',
  room: 'the room in Claude Code',
} as const

function fromEnvironment(clues: IdentityClues): Identity | undefined {
  const { AGENT_CHAT_NAME: given } = clues.env
  if (!given) return undefined
  try {
    return { name: nameOf(clues, given), source: 'environment' }
  } catch (error) {
    if (!isCoded(error, 'NAME_INVALID') && !isCoded(error, 'NAME_RESERVED')) throw error
    const { code, message, hint } = error
    throw new CodedError(code, `AGENT_CHAT_NAME: ${message}`, { hint, cause: error })
  }
}

/** No session has a reserved name, so for one that is registered the commands are not looked at. */
function nameOf(clues: IdentityClues, given: string): string {
  const name = parseName(given)
  const isSession = Object.hasOwn(sessionsFor(clues, { name, source: 'environment' }), name)
  if (isSession) return name
  if (name !== HUMAN) parseSessionName(name)
  return nameNow(clues.home, name)
}

/** A session that nobody launched has no name in its environment; the agent above tells. */
function fromAgent(clues: IdentityClues, named: Identity | undefined): Identity | undefined {
  const agents = Object.values(sessionsFor(clues, named)).filter(({ agent }) => agent !== null)
  if (agents.length === 0) return undefined
  // A sandbox does not show the agent, which has told it its pid.
  const told = clues.processes.hidden ? Number(clues.env.CLAUDE_PID) : undefined
  const session = agents.find(({ agent }) => agent?.pid === told)
  if (session) return { name: session.name, source: 'agent' }
  for (const above of ancestors(clues.processes, clues.processes.self().pid)) {
    const session = agents.find(({ agent }) => sameProcess(agent, above))
    if (session) return { name: session.name, source: 'agent' }
  }
  return undefined
}

/**
 * The name that the environment gives, unless the registry says that it is another live agent's: a
 * Claude Code hands the name that it once had to whatever it runs after it was resumed.
 */
function ownName(clues: IdentityClues, named: Identity | undefined): Identity | undefined {
  const agent = named && findSession(sessionsFor(clues, named), named.name)?.agent
  const claude = Number(clues.env.CLAUDE_PID)
  if (!agent || !claude || agent.pid === claude || !clues.processes.isAlive(agent)) return named
  clues.warn(
    `@${named.name} is another Claude Code (process ${agent.pid}); AGENT_CHAT_NAME=${named.name} is not used`,
  )
  return undefined
}

/** A session that has a name goes on with it where the registry cannot be read. */
function sessionsFor(clues: IdentityClues, named: Identity | undefined): Sessions {
  try {
    return clues.sessions()
  } catch (error) {
    if (named !== undefined && isCoded(error, 'REGISTRY_BROKEN')) return {}
    throw error
  }
}

function fromPane(clues: IdentityClues): Identity | undefined {
  const here = paneOf(clues.env)
  if (here === undefined) return undefined
  const session = Object.values(clues.sessions()).find(
    ({ pane, tmux_socket }) => pane === here.pane && tmux_socket === here.socket,
  )
  return session ? { name: session.name, source: 'pane' } : undefined
}
