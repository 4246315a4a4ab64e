import { existsSync } from 'node:fs'
import { tellAgent } from '../bus/mail/bell.ts'
import { unreadCount } from '../bus/mail/unread.ts'
import { nameNow } from '../bus/names/names.ts'
import { readSessions } from '../bus/names/registry.ts'
import { spawnWatcher } from '../doorbell/startWatcher.ts'
import { CodedError } from '../errors.ts'
import { agentBelow } from '../launcher/standing.ts'
import { HOME_OPTION } from '../launcher/tmuxSession.ts'
import { parseName, parseSessionName } from '../message/name.ts'
import { agentAbove, agentInFront, isBelow } from '../session/agent.ts'
import { findClientBell, hearsOf, ringClient } from '../session/clientBell.ts'
import { parseDoorbell, ringsNatively } from '../session/doorbellChoice.ts'
import { paneOf } from '../session/identity.ts'
import { type Joined, type JoinPorts as JoinsWith, join } from '../session/join.ts'
import { forgetLaunch } from '../session/launched.ts'
import { leave } from '../session/leave.ts'
import { ownPane, resolvePane } from '../session/pane.ts'
import { refuseBelowWorker, refuseOfWorker } from '../session/workers.ts'
import type { ProcessRef } from '../system/processes.ts'
import type { PaneAddress } from '../system/tmux.ts'
import { personHere } from '../trust/human/person.ts'
import { requireHuman } from './human.ts'
import { whoAmI, whoMaybe } from './identity.ts'
import { noteJoined } from './launch/record.ts'
import type { Ports } from './ports.ts'
import { unknownSession } from './recipient.ts'

/** `pane`: a tmux target, by default one's own pane. `watch`: false starts no watcher. */
export type JoinRequest = {
  name: string
  pane?: string | undefined
  force?: boolean | undefined
  watch?: boolean | undefined
  doorbell?: string | undefined
}

/**
 * Why the Claude Code of a session does not listen to its bell: it began without a home, or its
 * hooks look into another one.
 */
export type Deaf = 'until it starts again' | { otherHome: string }

/** A session that has left, and how many unread messages its inbox keeps. */
export type Left = { name: string; unread: number }

type JoinPorts = Pick<Ports, 'env' | 'cwd' | 'bus' | 'tmux' | 'notice' | 'self'>

/**
 * Registers the session of whoever acts, or the one in the pane that was named. Throws `NAME_TAKEN`
 * for the name of a worker that runs, and from below one.
 */
export async function joinAs(
  request: JoinRequest,
  ports: JoinPorts,
): Promise<Joined & { deaf?: Deaf }> {
  const name = parseSessionName(request.name)
  const doorbell = parseDoorbell(request.doorbell ?? ports.env.AGENT_CHAT_DOORBELL)
  const bus = ports.bus()
  refuseOfWorker(bus, name)
  refuseBelowWorker(bus)
  const { pane, paneProcess, agent } = await placeOf(request, ports)
  const watch = request.watch !== false
  const native = agent?.pid === Number(ports.env.CLAUDE_PID)
  const joined = await join(
    {
      ...{ name, pane, paneProcess, agent, native, doorbell, watch, cwd: ports.cwd },
      force: request.force === true,
      prompt: ports.env.AGENT_CHAT_PROMPT,
    },
    joinPorts(ports),
  )
  noteJoined(joined.session, ports)
  if (!native) return joined
  const deaf = tellClient(agent, ports)
  return deaf === undefined || joined.watcher || !ringsNatively(joined.session)
    ? joined
    : { ...joined, deaf }
}

/**
 * Has the Claude Code that runs this command listen to its session's bell. Why it cannot, where that
 * is known.
 */
function tellClient(
  client: ProcessRef,
  { bus, env }: Pick<Ports, 'bus' | 'env'>,
): Deaf | undefined {
  const { home, clock } = bus()
  // A client that watches it has made it.
  const isNew = !existsSync(home.joinsBell)
  const bell = findClientBell(client, env)
  const hears = bell && hearsOf(bell, client, home, [home.joinsBell])
  tellAgent(home, client.pid)
  if (bell && hears === 'later') ringClient(bell, clock.now())
  if (typeof hears === 'object') return hears
  return !hears && isNew ? 'until it starts again' : undefined
}

/** What a session joins with, from the ports of whoever acts. */
export function joinPorts(
  ports: Pick<Ports, 'env' | 'bus' | 'tmux' | 'notice' | 'self'>,
): JoinsWith {
  return {
    bus: ports.bus(),
    tmux: ports.tmux,
    warn: ports.notice,
    startWatcher: () => spawnWatcher(ports),
  }
}

/**
 * Unregisters a session. Throws `SESSION_UNKNOWN` where none of that name is registered, `USAGE`
 * where another is asked for than the one that the caller speaks for, and `NAME_TAKEN` for a worker
 * that runs.
 */
export async function leaveAs(
  argument: string | undefined,
  ports: Pick<Ports, 'env' | 'bus' | 'notice'>,
): Promise<Left> {
  const bus = ports.bus()
  const hint = 'name the session: agent-chat leave <name>; see them with: agent-chat who'
  const me = whoMaybe(ports)
  const own = me?.name ?? whoAmI(ports, argument, hint).name
  const asked = argument === undefined ? own : parseName(argument)
  const isOther = asked !== own && nameNow(bus.home, asked) !== own
  const person = personHere(ports)
  if (me === undefined || (isOther && person.is === 'joined' && person.own))
    requireHuman('leave of another', ports)
  else if (isOther)
    throw new CodedError('USAGE', `this session is @${own}: it cannot unregister @${asked}`, {
      hint: `to leave yourself: agent-chat leave; your user can run in a terminal of their own: agent-chat leave ${asked}`,
    })
  const name = isOther ? nameNow(bus.home, asked) : own
  refuseOfWorker(bus, name)
  const left = await leave(name, { bus })
  if (!left && !existsSync(bus.home.launched(name)))
    throw unknownSession(name, Object.keys(readSessions(bus.home)))
  forgetLaunch(bus, name)
  const claude = Number(ports.env.CLAUDE_PID)
  if (!isOther && Number.isSafeInteger(claude) && claude > 1) tellAgent(bus.home, claude)
  return { name, unread: unreadCount(bus.home, name) }
}

type Place = Pick<Parameters<typeof join>[0], 'pane' | 'paneProcess' | 'agent'>

/**
 * The pane and the agent. The own pane is the one that holds this process, and the agent in it is
 * above this process; Claude Code names itself. In another pane, it is the one in front.
 */
async function placeOf(request: JoinRequest, ports: JoinPorts): Promise<Place> {
  const { processes } = ports.bus()
  const { env, tmux, notice: warn } = ports
  const self = processes.self()
  const named = request.pane === undefined ? undefined : await resolvePane(request.pane, ports)
  const here = paneOf(env)
  const isHere = !named || (named.pane === here?.pane && named.socket === here.socket)
  const own = isHere
    ? await ownPane({ env, tmux, processes, warn: named ? () => {} : warn })
    : undefined
  if (named && !own) return inPane(named, ports)
  const claude = Number(env.CLAUDE_PID)
  const above = isBelow(processes, self.pid, claude) ? processes.find(claude) : undefined
  const agent = above
    ? { pid: above.pid, started: above.started }
    : own && agentAbove(processes, self.pid, own.first.pid)
  return { pane: own?.pane, paneProcess: own?.first, agent }
}

async function inPane(pane: PaneAddress, ports: JoinPorts): Promise<Place> {
  const { processes } = ports.bus()
  const { stdout } = await ports.tmux.run(
    ['display-message', '-p', '-t', pane.pane, `#{pane_pid} #{${HOME_OPTION}}`],
    pane.socket,
  )
  const [pid, home = ''] = stdout.trim().split(' ')
  const first = processes.find(Number(pid))
  if (!first) return { pane, agent: undefined }
  const agent = (home && agentBelow(processes, first.pid)) || agentInFront(processes, first.pid)
  return { pane, paneProcess: { pid: first.pid, started: first.started }, agent }
}
