import { agentOf } from '../../agents/agents.ts'
import type { Bus } from '../../bus/bus.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { HUMAN } from '../../message/name.ts'
import { ancestors } from '../../session/agent.ts'
import { findIdentity, type Identity } from '../../session/identity.ts'
import { believedState } from '../../session/stateFile.ts'
import type { Turn } from '../../session/turn.ts'
import { type ProcessRef, sameProcess } from '../../system/processes.ts'
import { parseMode } from '../sendGate/rules.ts'
import { clientTrees, lookUp, systemEyes } from './look.ts'
import { judgeTree, type Seen, type Tree } from './tree.ts'

/**
 * Who gave this command: you, by a place of yours (`popup`: a terminal whose program started this
 * without a shell that you type into); a session, in a turn of yours (`own`) or not; an agent that
 * never joined; or nobody that can be told, `unit`: started by systemd. `why` goes on from "is for
 * your user only, and".
 */
export type Person =
  | { is: 'you'; by: 'terminal' | 'popup' | 'panel' | 'web' }
  | { is: 'joined'; name: string; own: boolean; why: string }
  | { is: 'agent'; why: string }
  | { is: 'nobody'; unit: boolean; why: string }

export type PersonPorts = {
  env: NodeJS.ProcessEnv
  bus: () => Bus
  /** A person pressed or typed this in the room inside Claude Code: `pressedIn()` says so. */
  pressed?: true | undefined
  /** A surface knows the human by more than the process: the cookie, or the keys of a console. */
  typed?: 'terminal' | 'web' | undefined
}

/**
 * The one answer to whether the person is here, for every command that is theirs, every surface,
 * every `--as human` and every answer to a decision.
 */
export function personHere(ports: PersonPorts): Person {
  if (ports.pressed) return { is: 'you', by: 'panel' }
  if (ports.typed) return { is: 'you', by: ports.typed }
  const bus = ports.bus()
  const me = identityOf(ports.env, bus)
  const tree = me?.source === 'agent' ? undefined : fromTree(ports.env, bus)
  if (me && tree?.is === 'agent' && isElsewhere(me, ports.env, bus)) return tree
  return sessionOf(bus, me, tree) ?? tree ?? fromTree(ports.env, bus)
}

/**
 * Whether a name is that of an agent below which this command would be found, and an agent is above
 * it that is another one. A command that says that it is Claude Code's own is judged by those above.
 */
function isElsewhere({ name }: Identity, env: NodeJS.ProcessEnv, bus: Bus): boolean {
  const { home, processes } = bus
  const agent = findSession(readSessions(home), name)?.agent
  if (processes.hidden || !agent) return false
  if (Number(env.CLAUDE_PID) !== agent.pid) return true
  const chain = lookUp(processes.self().pid, systemEyes(processes))
  return judgeTree(chain.slice(1)).is === 'agent'
}

/**
 * Why words in the human's name are not proven to be theirs; undefined where they are. What a
 * session runs in a turn of yours is not what you typed, nor is what tmux started by itself.
 */
export function whyUnproven(ports: PersonPorts): string | undefined {
  const person = personHere(ports)
  if (person.is !== 'you') return person.why
  return person.by === 'popup' ? 'no shell that you type into started this' : undefined
}

function identityOf(env: NodeJS.ProcessEnv, { home, processes }: Bus): Identity | undefined {
  return findIdentity({
    ...{ env, processes, home },
    sessions: () => readSessions(home),
    warn: () => {},
  })
}

/**
 * A name that no hook tells of, and that no agent above has, is only a variable or a pane. A turn is
 * that of the agent that told of it: what it does not run has no right of it.
 */
function sessionOf(bus: Bus, me: Identity | undefined, tree?: Person): Person | undefined {
  if (me === undefined || me.name === HUMAN) return undefined
  const { name, source } = me
  const state = believedState(bus.home, name, bus.processes)
  if (!state && source !== 'agent') return undefined
  if (source !== 'agent' && !isRunBy(state?.agent, bus) && !isNeverSeen(name, bus)) {
    // In its pane somebody may type beside it, as after Ctrl-Z.
    if (tree?.is === 'you' && me.confirmed !== false) return undefined
    const why = `nothing shows that the agent of @${name} runs this`
    return { is: 'joined', name, own: false, why }
  }
  const own = state !== undefined && (parseMode(state.gate) === 'off' || isOwn(state.turn))
  const why = state
    ? 'they have not typed anything in this turn'
    : 'nothing shows whose turn this is'
  return { is: 'joined', name, own, why }
}

/** Whether the agent of a session runs each command where no other process is seen. */
function isNeverSeen(name: string, { home, processes }: Bus): boolean {
  const program = findSession(readSessions(home), name)?.program
  return processes.hidden === true && agentOf(program)?.hidesProcesses === true
}

/** In a sandbox no process is that of an agent outside. */
function isRunBy(agent: ProcessRef | null | undefined, { processes }: Bus): boolean {
  const above = [...ancestors(processes, processes.self().pid)]
  return Boolean(agent) && above.some((one) => sameProcess(agent, one))
}

/**
 * Whether the human has spoken in the turn. A yes to one call is none to what comes after the turn.
 */
function isOwn(turn: Turn | undefined): boolean {
  return turn === undefined || turn.began === 'human' || turn.opened === 'prompt'
}

function fromTree(env: NodeJS.ProcessEnv, { processes }: Bus): Person {
  if (processes.hidden)
    return { is: 'agent', why: 'this sandbox does not show which program started it' }
  const eyes = systemEyes(processes)
  const chain = lookUp(processes.self().pid, eyes)
  return personOf(
    judgeTree(chain, () => clientTrees(env, chain, eyes)),
    chain,
  )
}

function personOf(tree: Tree, chain: Seen[]): Person {
  if (tree.is === 'typed') return { is: 'you', by: 'terminal' }
  if (tree.is === 'direct') return { is: 'you', by: 'popup' }
  if (tree.is === 'agent') return { is: 'agent', why: tree.why }
  return { is: 'nobody', unit: chain[1]?.command === 'systemd', why: tree.why }
}
