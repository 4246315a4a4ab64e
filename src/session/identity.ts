import type { Home } from '../bus/home.ts'
import { nameNow } from '../bus/names/names.ts'
import type { Session, Sessions } from '../bus/names/registry.ts'
import { CodedError, isCoded } from '../errors.ts'
import { HUMAN, parseName, parseSessionName } from '../message/name.ts'
import type { Processes } from '../system/processes.ts'
import { sameProcess } from '../system/processes.ts'
import type { PaneAddress } from '../system/tmux.ts'
import { ancestors } from './agent.ts'
import { evidenceFor, holdsPane, type Seen, sessionOfPane } from './evidence.ts'

/**
 * Where a name was found. The first of these tells: the registered agent that runs this process,
 * which cannot speak as another; `$AGENT_CHAT_NAME`; the tmux pane of a registered session; the
 * command's argument; for some commands, the human at a terminal that is no agent's. Variables are
 * hints, which the processes above may contradict. `confirmed` is false where these do not show
 * whether the variable is right.
 */
export type Identity = {
  name: string
  source: 'environment' | 'agent' | 'pane' | 'argument' | 'terminal' | 'room'
  confirmed?: false
}

export type IdentityClues = {
  env: NodeJS.ProcessEnv
  /** A name given on the command line, `@` or not. */
  argument?: string | undefined
  /** The registry, read only where the environment names nobody. */
  sessions: () => Sessions
  processes: Pick<Processes, 'self' | 'find' | 'isAlive' | 'hidden'>
  /**
   * The home, for its list of renames (a session's earlier name still tells who it is), and for what
   * a session's hooks and its launcher have told.
   */
  home: Pick<Home, 'names' | 'state' | 'launched'>
  argumentsOf?: Seen['argumentsOf']
  /** Learns of two clues that disagree, one line. */
  warn: (text: string) => void
}

/**
 * The session that is speaking, or undefined: nobody, also where the processes above contradict the
 * variable that names one. Throws `NAME_INVALID` for a clue that is no name, and `NAME_RESERVED` for
 * a name that no session can have.
 */
export function findIdentity(clues: IdentityClues): Identity | undefined {
  const argument = clues.argument === undefined ? undefined : nameOf(clues, clues.argument)
  const named = fromEnvironment(clues)
  const seen = look(clues)
  const found =
    fromAgent(clues, named, seen) ?? (named ? ownName(clues, named, seen()) : fromPane(clues, seen))
  if (found === undefined)
    // A name that is contradicted is not this session's by saying it twice.
    return argument === undefined || argument === named?.name
      ? undefined
      : { name: argument, source: 'argument' }
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
  const isSession = Object.hasOwn(sessionsFor(clues, { name, source: 'environment' }) ?? {}, name)
  if (isSession) return name
  if (name !== HUMAN) parseSessionName(name)
  return nameNow(clues.home, name)
}

/** Looks at the processes above this one, once, when that is asked for. */
function look({ env, processes, home, argumentsOf }: IdentityClues): () => Seen {
  let seen: Seen | undefined
  return () => {
    const above = () => [...ancestors(processes, processes.self().pid)]
    seen ??= {
      ...{ env, processes, home, argumentsOf, here: paneOf(env) },
      above: processes.hidden ? undefined : above(),
    }
    return seen
  }
}

/** A session that nobody launched has no name in its environment; the agent above tells. */
function fromAgent(
  clues: IdentityClues,
  named: Identity | undefined,
  seen: () => Seen,
): Identity | undefined {
  const agents = Object.values(sessionsFor(clues, named) ?? {}).filter(({ agent }) => agent)
  if (agents.length === 0) return undefined
  for (const above of seen().above ?? []) {
    const session = agents.find(({ agent }) => sameProcess(agent, above))
    if (session) return { name: session.name, source: 'agent' }
  }
  return undefined
}

/**
 * The name that the environment gives, unless it was inherited: a daemon, an editor or a Claude Code
 * hands the name that it once had to whatever it runs.
 */
function ownName(clues: IdentityClues, named: Identity, seen: Seen): Identity | undefined {
  if (named.name === HUMAN) return named
  const evidence = evidenceFor(named.name, sessionsFor(clues, named), seen)
  if (evidence.is !== 'contradicted')
    return evidence.is === 'confirmed' ? named : { ...named, confirmed: false }
  clues.warn(`AGENT_CHAT_NAME=${named.name} is not used: ${evidence.by}, not @${named.name}`)
  return undefined
}

/** A session that has a name goes on with it where the registry cannot be read. */
function sessionsFor(clues: IdentityClues, named: Identity | undefined): Sessions | undefined {
  try {
    return clues.sessions()
  } catch (error) {
    if (named !== undefined && isCoded(error, 'REGISTRY_BROKEN')) return undefined
    throw error
  }
}

function fromPane(clues: IdentityClues, seen: () => Seen): Identity | undefined {
  if (paneOf(clues.env) === undefined) return undefined
  const sessions = clues.sessions()
  const session = sessionOfPane(sessions, seen())
  if (!session) return undefined
  const { name, pane } = session
  const against = whyNotPane(session, sessions, seen())
  if (against === undefined) return { name, source: 'pane' }
  clues.warn(`the pane of @${name}, TMUX_PANE=${pane}, is not used: ${against}`)
  return undefined
}

function whyNotPane(session: Session, sessions: Sessions, seen: Seen): string | undefined {
  if (!holdsPane(session, seen)) return 'it does not hold this process'
  const evidence = evidenceFor(session.name, sessions, seen)
  return evidence.is === 'contradicted' ? evidence.by : undefined
}
