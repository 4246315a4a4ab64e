import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { type Ask, liveAsks } from '../../bus/index/asks.ts'
import { openTasks } from '../../bus/index/tasks.ts'
import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import type { Task } from '../../message/task.ts'
import { type DoorbellName, doorbellInUse } from '../../session/doorbellInUse.ts'
import { lastSeen } from '../../session/lastSeen.ts'
import { ownBell } from '../../session/noBell.ts'
import { handledCount } from '../../session/reads.ts'
import { readRings } from '../../session/ringsFile.ts'
import { countUnread, type SessionRow } from '../../session/sessionRows.ts'
import { believedState } from '../../session/stateFile.ts'
import { taskSeen } from '../../session/withheld.ts'
import { questionsToHuman } from '../../trust/sendGate/questions.ts'
import { taskTitle } from '../tasks/task.ts'

/** A task that a session holds, as it stands since `since` (ISO 8601). */
type HeldTask = { id: string; from: string; title: string; state: string; since: string }

/** A question to the human; `decision` is the number of one that was escalated. */
type OpenQuestion = {
  id: string
  from: string
  at: string
  title: string
  decision: number | null
}

/**
 * `in_use` rings first now, null where none can; `last_ring` is of the agent that runs, `presented`
 * when it is known to have got it.
 */
export type DoorbellRow = {
  choice: string
  in_use: DoorbellName | null
  paused: boolean
  last_ring: { by: string; at: string; presented: string | null } | null
}

/**
 * All that `status` tells of one name. `state` is that of `who`, `left` for a session that is
 * registered no more, `human` for the human; both have null for what only a session has. Times are
 * ISO 8601: `since` of the state, `last_seen` of its last trace. `handled` counts the messages that
 * it has ever read, `tasks_given` the open tasks that it gave to others, `asks` the answers that
 * its commands wait for.
 */
export type StatusRow = Omit<SessionRow, 'joined_at' | 'cwd'> & {
  joined_at: string | null
  cwd: string | null
  uptime_seconds: number | null
  handled: number
  last_seen: string | null
  tasks: HeldTask[]
  tasks_given: number
  asks: { to: string; id: string | null }[]
  doorbell: DoorbellRow | null
  questions?: OpenQuestion[]
}

type Seen = (message: Message) => Message

/** What is looked up once, whatever the number of sessions, each message as its reader is shown it. */
export type StatusFacts = { tasks: Task[]; asks: Ask[]; paused: boolean; seen: Seen }

/** A home that is not there has nothing, and is not made by looking. */
export function statusFacts(bus: Bus, seen: Seen = (message) => message): StatusFacts {
  if (!existsSync(bus.home.root)) return { tasks: [], asks: [], paused: false, seen }
  const tasks = openTasks(bus.home).map((task) => taskSeen(task, seen))
  return { tasks, asks: liveAsks(bus), paused: existsSync(bus.home.paused), seen }
}

/** The status of a registered session; `choice` is the doorbell that it was registered with. */
export function sessionStatus(
  row: SessionRow,
  choice: string,
  facts: StatusFacts,
  bus: Bus,
): SessionRow & StatusRow {
  const state = row.alive === 'gone' ? undefined : believedState(bus.home, row.name, bus.processes)
  const own = ownBell(row.program, row.no_bell)
  const using = {
    choice,
    native: state?.native === true,
    ...(own === undefined ? {} : { own }),
    watcher: row.watcher,
    pane: row.pane !== null,
  }
  const { by, at, presented = null } = readRings(bus.home, row.name).last ?? {}
  return {
    ...row,
    uptime_seconds: row.alive === 'alive' ? secondsSince(row.joined_at, bus) : null,
    ...traces(row.name, bus),
    ...work(row.name, facts),
    doorbell: {
      choice,
      in_use: row.alive === 'gone' ? null : doorbellInUse(using),
      paused: facts.paused,
      last_ring: by === undefined || at === undefined ? null : { by, at, presented },
    },
  }
}

/**
 * The status of somebody who is registered nowhere: the human, or a session that left its inbox
 * behind.
 */
export function otherStatus(name: string, facts: StatusFacts, bus: Bus): StatusRow {
  return {
    name,
    pane: null,
    tmux_socket: null,
    state: name === HUMAN ? 'human' : 'left',
    ...countUnread(bus, name),
    joined_at: null,
    alive: name === HUMAN ? 'alive' : 'gone',
    watcher: false,
    waiting: null,
    cwd: null,
    since: null,
    uptime_seconds: null,
    ...traces(name, bus),
    ...work(name, facts),
    doorbell: null,
    ...(name === HUMAN
      ? { questions: questionsToHuman(bus).map((message) => openQuestion(facts.seen(message))) }
      : {}),
  }
}

/** A registry of an earlier version does not say when, and is read as 1970. */
function secondsSince(iso: string, bus: Bus): number | null {
  const then = Date.parse(iso)
  return then > 0 ? Math.max(0, Math.floor((bus.clock.now() - then) / 1000)) : null
}

function traces(name: string, bus: Bus): Pick<StatusRow, 'last_seen' | 'handled'> {
  return { last_seen: lastSeen(bus.home, name) ?? null, handled: handledCount(bus, name) }
}

function work(
  name: string,
  { tasks, asks }: StatusFacts,
): Pick<StatusRow, 'tasks' | 'tasks_given' | 'asks'> {
  return {
    tasks: tasks.filter(({ message }) => message.to === name).map(heldTask),
    tasks_given: tasks.filter(({ message }) => message.from === name && message.to !== name).length,
    asks: asks.filter(({ from }) => from === name).map(({ to, id }) => ({ to, id })),
  }
}

function heldTask(task: Task): HeldTask {
  const { message, state, since } = task
  return { id: message.id, from: message.from, title: taskTitle(task), state, since }
}

function openQuestion(message: Message): OpenQuestion {
  const { id, from, timestamp } = message
  return {
    id,
    from,
    at: timestamp,
    title: taskTitle({ message }),
    decision: escalationOf(message)?.number ?? null,
  }
}
