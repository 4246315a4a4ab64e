import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { readSessions, type Session } from '../../bus/names/registry.ts'
import { isCoded } from '../../errors.ts'
import { canNotify } from '../../system/desktop.ts'
import { isOwnTerminal, terminalOf } from '../../system/terminals.ts'
import type { Tmux } from '../../system/tmux.ts'
import { attachedClients, type Client } from './clients.ts'
import { type Means, parseMeans } from './means.ts'

/** Where the human can be looked for. */
export type HumanPorts = { bus: Bus; env: NodeJS.ProcessEnv; tmux: Tmux }

/**
 * Where the human can be told now: the tmux clients that show a line, the terminals that ring, each
 * once, and whether a desktop can tell.
 */
export type Ways = { clients: Client[]; terminals: string[]; desktop: boolean }

/**
 * Looks where the human can be told, by the means that `AGENT_CHAT_NOTIFY` leaves. None while all
 * doorbells are paused. At most half a second goes into servers that do not answer.
 */
export async function findWays({ bus, env, tmux }: HumanPorts): Promise<Ways> {
  const means = meansNow(bus, env)
  const sessions = registered(bus)
  const byTmux = means.includes('tmux') || means.includes('bell')
  const clients = byTmux ? await attachedClients(tmux, serversOf(sessions, env)) : []
  const terminals = means.includes('bell') ? terminalsOf(sessions, bus) : []
  const ways = waysBy(means, { clients, terminals, desktop: canNotify(env) })
  return { ...ways, terminals: ways.terminals.filter(isOwnTerminal) }
}

/**
 * Whether it is worth a look for the human: some means is left, and there is a tmux server, an
 * agent's terminal or a desktop for it. Asks no server, for a sender who does not wait for that.
 */
export function mayFind({ bus, env }: Pick<HumanPorts, 'bus' | 'env'>): boolean {
  const means = meansNow(bus, env)
  if (means.includes('desktop') && canNotify(env)) return true
  if (!means.includes('tmux') && !means.includes('bell')) return false
  const sessions = registered(bus)
  return (
    serversOf(sessions, env).length > 0 ||
    (means.includes('bell') && terminalsOf(sessions, bus).length > 0)
  )
}

function meansNow({ home }: Bus, env: NodeJS.ProcessEnv): Means[] {
  return existsSync(home.paused) ? [] : parseMeans(env.AGENT_CHAT_NOTIFY)
}

/**
 * What of all that was found the means may use. A terminal in which tmux shows its windows rings as
 * others do.
 */
export function waysBy(means: readonly Means[], found: Ways): Ways {
  const terminals = [...found.clients.map(({ tty }) => tty), ...found.terminals]
  return {
    clients: means.includes('tmux') ? found.clients : [],
    terminals: means.includes('bell') ? [...new Set(terminals)] : [],
    desktop: means.includes('desktop') && found.desktop,
  }
}

/** The tmux servers that a session lives on, or this process. Each once. */
export function serversOf(
  sessions: readonly Pick<Session, 'tmux_socket'>[],
  env: NodeJS.ProcessEnv,
): string[] {
  const sockets = [...sessions.map(({ tmux_socket }) => tmux_socket), env.TMUX?.split(',')[0]]
  return [...new Set(sockets.flatMap((socket) => socket || []))]
}

/**
 * The terminals of agents that run in no pane. The terminal of a pane is no place of the human's:
 * tmux may show it to nobody.
 */
function terminalsOf(sessions: Session[], { processes }: Bus): string[] {
  return sessions.flatMap(({ pane, agent }) =>
    pane === null && agent !== null && processes.isAlive(agent)
      ? (terminalOf(agent.pid) ?? [])
      : [],
  )
}

/**
 * A registry that cannot be read names no places; this process's own, and the desktop, are there
 * all the same.
 */
function registered({ home }: Bus): Session[] {
  try {
    return Object.values(readSessions(home))
  } catch (error) {
    if (isCoded(error, 'REGISTRY_BROKEN')) return []
    throw error
  }
}
