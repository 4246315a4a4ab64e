import type { Home } from '../bus/home.ts'
import { nameNow } from '../bus/names.ts'
import type { Sessions } from '../bus/registry.ts'
import { CodedError, isCoded } from '../errors.ts'
import { HUMAN, parseName, parseSessionName } from '../message/name.ts'
import type { Processes } from '../system/processes.ts'
import type { PaneAddress } from '../system/tmux.ts'
import { ancestors } from './agent.ts'

/**
 * Where a name was found: the registered agent that runs this process, which cannot speak as another; else `$AGENT_CHAT_NAME`, else the tmux pane
 * of a registered session, else the command's argument, else, for some commands, the human at a terminal that is no agent's.
 */
export type Identity = { name: string; source: 'environment' | 'agent' | 'pane' | 'argument' | 'terminal' }

export type IdentityClues = {
  env: NodeJS.ProcessEnv
  /** A name given on the command line, `@` or not. */
  argument?: string | undefined
  /** The registry, read only where the environment names nobody. */
  sessions: () => Sessions
  processes: Pick<Processes, 'self' | 'find'>
  /** Where it is written down which sessions were renamed: a name that was given before that still tells. */
  home: Pick<Home, 'names'>
  /** Learns of two clues that disagree, one line. */
  warn: (text: string) => void
}

/** Who is speaking, or undefined. Throws `NAME_INVALID` for a clue that is no name, `NAME_RESERVED` for one that no session can have. */
export function findIdentity(clues: IdentityClues): Identity | undefined {
  const argument = clues.argument === undefined ? undefined : nameOf(clues, clues.argument)
  const named = fromEnvironment(clues)
  const found = fromAgent(clues, named) ?? named ?? fromPane(clues)
  if (found === undefined) return argument === undefined ? undefined : { name: argument, source: 'argument' }
  if (named !== undefined && named.name !== found.name) {
    clues.warn(
      `this session is @${found.name} (by ${SOURCES[found.source]}); AGENT_CHAT_NAME=${named.name} is not used`,
    )
  }
  if (argument !== undefined && argument !== found.name) {
    clues.warn(`this session is @${found.name} (by ${SOURCES[found.source]}); @${argument} is not used`)
  }
  return found
}

/** As `findIdentity`. Throws `IDENTITY_UNKNOWN` with `hint` where nothing tells. */
export function requireIdentity(clues: IdentityClues, hint: string): Identity {
  const found = findIdentity(clues)
  if (found) return found
  throw new CodedError('IDENTITY_UNKNOWN', 'cannot tell which session this is', { hint })
}

/** The pane that this process runs in, from what tmux puts into the environment. */
export function paneOf(env: NodeJS.ProcessEnv): PaneAddress | undefined {
  const socket = env.TMUX?.split(',')[0]
  const pane = env.TMUX_PANE
  return socket && pane && /^%\d+$/.test(pane) ? { socket, pane } : undefined
}

const SOURCES = {
  environment: 'AGENT_CHAT_NAME',
  agent: 'the agent that runs this',
  pane: 'its tmux pane',
  argument: 'the argument',
  terminal: 'its terminal',
} as const

function fromEnvironment(clues: IdentityClues): Identity | undefined {
  const { AGENT_CHAT_NAME: given } = clues.env
  return given ? { name: nameOf(clues, given), source: 'environment' } : undefined
}

/** The registry is asked only where a session was ever renamed from that name. */
function nameOf(clues: IdentityClues, given: string): string {
  const name = parseName(given)
  if (name !== HUMAN) parseSessionName(name)
  const now = nameNow(clues.home, name)
  return now === name || Object.hasOwn(sessionsFor(clues, { name, source: 'environment' }), name) ? name : now
}

/** A session that joined from inside an agent that nobody launched has no name in its environment; its process tells. */
function fromAgent(clues: IdentityClues, named: Identity | undefined): Identity | undefined {
  const agents = Object.values(sessionsFor(clues, named)).filter(({ agent }) => agent !== null)
  if (agents.length === 0) return undefined
  for (const above of ancestors(clues.processes, clues.processes.self().pid)) {
    const session = agents.find(({ agent }) => agent?.pid === above.pid && agent.started === above.started)
    if (session) return { name: session.name, source: 'agent' }
  }
  return undefined
}

/** Who has a name goes on with it where the registry cannot be read. */
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
