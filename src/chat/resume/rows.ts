import { statSync } from 'node:fs'
import { agentOf } from '../../agents/agents.ts'
import { type ArgumentsBack, argumentsBack } from '../../agents/argumentsBack.ts'
import { CLAUDE } from '../../agents/claude.ts'
import { openTasks } from '../../bus/index/tasks.ts'
import { unreadCount } from '../../bus/mail/unread.ts'
import { programOf } from '../../launcher/commandLine.ts'
import type { Task } from '../../message/task.ts'
import { isoTime } from '../../message/time.ts'
import { endedLaunches, endedWithMachine, type LaunchRecord } from '../../session/launched.ts'
import { unless } from '../../system/errno.ts'
import type { Ports } from '../ports.ts'
import { type Conversation, configOf, conversationIn, whyNotKept } from './conversation.ts'

/**
 * A session that ended, and not by choice. `with_machine`: the machine, or the tmux server that it
 * was in, ended with it; else only it did. `conversation`: what it goes on with, null for a new one,
 * and `fresh` says why. `options`: the names of those that come back; `asks`, those of them that
 * load code or lift permissions; `left`, those that do not come back. `not`: why it cannot.
 */
export type EndedRow = {
  name: string
  folder: string
  agent: string
  last_seen: string
  unread: number
  open_tasks: number
  mode: string | null
  options: string[]
  asks: string[]
  left: string[]
  with_machine: boolean
  conversation: string | null
  fresh: string | null
  not: string | null
}

/** A row, and what its session is started with. */
export type Ended = { row: EndedRow; launch: LaunchRecord; back: string[]; goesOn?: Conversation }

type RowPorts = Pick<Ports, 'bus' | 'env'>

/** The sessions that ended and not by choice, in the order of names. */
export function endedSessions(ports: RowPorts): Ended[] {
  const bus = ports.bus()
  const tasks = openTasks(bus.home)
  return endedLaunches(bus).map((ended) => endedOf(ended, tasks, ports))
}

function endedOf(
  { name, launch, seen }: ReturnType<typeof endedLaunches>[number],
  tasks: Task[],
  ports: RowPorts,
): Ended {
  const bus = ports.bus()
  const { command } = launch
  const agent = command === null ? CLAUDE : agentOf(launch.program)
  // Words of a command line of the user's own are not looked at.
  const own = command !== null && !agent?.programs.includes(command)
  const back: ArgumentsBack = argumentsBack(launch.args ?? [], agent?.resume)
  const id = conversationIn(bus, name, launch, back.conversation)
  const conversation =
    id !== undefined && agent?.resume
      ? { id, agent, config: configOf(agent, launch, ports.env.HOME ?? '') }
      : undefined
  const notKept = conversation && whyNotKept(conversation)
  const goesOn = notKept === undefined ? conversation : undefined
  const row: EndedRow = {
    name,
    folder: launch.cwd,
    agent: agent?.name ?? programOf(command ?? '', ports.env.HOME) ?? 'your own command',
    last_seen: isoTime(seen),
    unread: unreadCount(bus.home, name),
    open_tasks: tasks.filter(({ message }) => message.to === name).length,
    mode: back.mode ?? null,
    options: back.names,
    asks: [...(own ? ['--cmd'] : []), ...back.asks],
    left: back.left,
    with_machine: endedWithMachine(launch, bus),
    conversation: goesOn?.id ?? null,
    fresh: goesOn ? null : (notKept ?? whyFresh(id, agent?.title)),
    not: isDirectory(launch.cwd) ? null : 'its folder is gone',
  }
  return { row, launch, back: back.back, ...(goesOn && { goesOn }) }
}

function isDirectory(path: string): boolean {
  const look = () => statSync(path, { throwIfNoEntry: false })?.isDirectory()
  return unless(['ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'], look) === true
}

function whyFresh(id: string | undefined, title: string | undefined): string {
  if (title === undefined) return 'nobody knows how this agent goes on'
  return id === undefined ? 'it had no conversation yet' : `${title} is not asked to go on`
}
