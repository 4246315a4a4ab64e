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
import { parseDoorbell } from '../session/doorbellChoice.ts'
import { paneOf } from '../session/identity.ts'
import { type Joined, type JoinPorts as JoinsWith, join } from '../session/join.ts'
import { forgetLaunch } from '../session/launched.ts'
import { leave } from '../session/leave.ts'
import { resolvePane } from '../session/pane.ts'
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

/** A session that has left, and how many unread messages its inbox keeps. */
export type Left = { name: string; unread: number }

type JoinPorts = Pick<Ports, 'env' | 'cwd' | 'bus' | 'tmux' | 'notice' | 'self'>

/**
 * Registers the session of whoever acts, or the one in the pane that was named. Throws `NAME_TAKEN`
 * for the name of a worker that runs, and from below one.
 */
export async function joinAs(request: JoinRequest, ports: JoinPorts): Promise<Joined> {
  const name = parseSessionName(request.name)
  const doorbell = parseDoorbell(request.doorbell ?? ports.env.AGENT_CHAT_DOORBELL)
  const bus = ports.bus()
  refuseOfWorker(bus, name)
  refuseBelowWorker(bus)
  const here = paneOf(ports.env)
  const pane = request.pane === undefined ? here : await resolvePane(request.pane, ports)
  const agent = await findAgent(pane, here, ports)
  const watch = request.watch !== false
  const native = agent?.pid === Number(ports.env.CLAUDE_PID)
  const joined = await join(
    {
      ...{ name, pane, agent, native, doorbell, watch, cwd: ports.cwd },
      force: request.force === true,
      prompt: ports.env.AGENT_CHAT_PROMPT,
    },
    joinPorts(ports),
  )
  noteJoined(joined.session, ports)
  if (native) tellAgent(bus.home, agent.pid)
  return joined
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
  if (!(await leave(name, { bus }))) throw unknownSession(name, Object.keys(readSessions(bus.home)))
  forgetLaunch(bus, name)
  const claude = Number(ports.env.CLAUDE_PID)
  if (!isOther && Number.isSafeInteger(claude) && claude > 1) tellAgent(bus.home, claude)
  return { name, unread: unreadCount(bus.home, name) }
}

/**
 * The agent's process: Claude Code names itself; else what runs this command in its pane, or stands
 * in front in a pane that was named.
 */
async function findAgent(
  pane: PaneAddress | undefined,
  here: PaneAddress | undefined,
  ports: JoinPorts,
): Promise<ProcessRef | undefined> {
  const { processes } = ports.bus()
  const self = processes.self()
  const own = pane === undefined || (pane.pane === here?.pane && pane.socket === here.socket)
  const claude = Number(ports.env.CLAUDE_PID)
  const above = own && isBelow(processes, self.pid, claude) ? processes.find(claude) : undefined
  if (above) return { pid: above.pid, started: above.started }
  if (pane === undefined) return undefined
  const { stdout } = await ports.tmux.run(
    ['display-message', '-p', '-t', pane.pane, `#{pane_pid} #{${HOME_OPTION}}`],
    pane.socket,
  )
  const [first, home = ''] = stdout.trim().split(' ')
  const panePid = Number(first)
  if (!Number.isSafeInteger(panePid) || panePid <= 0) return undefined
  if (own) return agentAbove(processes, self.pid, panePid)
  return (home && agentBelow(processes, panePid)) || agentInFront(processes, panePid)
}
