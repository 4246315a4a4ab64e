import { record } from '../bus/history.ts'
import { unreadCount } from '../bus/mail/unread.ts'
import {
  findSession,
  nameMeant,
  readSessions,
  type Session,
  type Sessions,
} from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'
import { panesIn } from '../launcher/tmuxSession.ts'
import { parseName } from '../message/name.ts'
import { forgetLaunch } from '../session/launched.ts'
import { leave } from '../session/leave.ts'
import { answersAsWorker } from '../session/workers.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import { timeLeft } from '../system/timeLeft.ts'
import { requireHuman } from './human.ts'
import type { Ports } from './ports.ts'
import { unknownSession } from './recipient.ts'

/**
 * A session that was stopped, and how many unread messages its inbox keeps. Its agent ended when
 * `asked` to, or had to be `killed`, or had ended `before`.
 */
export type Stopped = { name: string; ended: 'asked' | 'killed' | 'before'; unread: number }

type StopPorts = Pick<Ports, 'bus' | 'env' | 'tmux'>

/**
 * What an agent gets to end in when it is asked to, and its launcher to notice. In milliseconds.
 */
const END_MS = 5000

/**
 * Ends the agents of sessions that this home's launcher started, and has the sessions leave. Stops
 * none where one of them cannot be stopped. Throws `SESSION_UNKNOWN`, `USAGE` for an agent that
 * somebody else started, and `GATE_REFUSED` in a turn that is not the human's.
 */
export async function stopSessions(inputs: string[], ports: StopPorts): Promise<Stopped[]> {
  requireHuman('stop', ports)
  const sessions = readSessions(ports.bus().home)
  const named = inputs.map((input) => stoppable(input, sessions, ports))
  const once = new Map(named.map((one) => [one.session.name, one]))
  return Promise.all([...once.values()].map(({ session, agent }) => stop(session, agent, ports)))
}

function stoppable(
  input: string,
  sessions: Sessions,
  ports: StopPorts,
): { session: Session; agent: ProcessRef } {
  const { home } = ports.bus()
  const name = nameMeant(home, sessions, parseName(input))
  const session = findSession(sessions, name)
  if (!session) throw unknownSession(name, Object.keys(sessions))
  const agent = launchedAgent(session)
  if (agent) return { session, agent }
  if (answersAsWorker(ports.bus(), name))
    throw new CodedError('USAGE', `@${name} is a worker`, {
      hint: `end it with: agent-chat down ${name}`,
    })
  throw new CodedError('USAGE', `agent-chat did not start the agent of @${name}`, {
    hint: `end it in its own terminal; to unregister it: agent-chat leave ${name}`,
  })
}

/** Stops every session that this home's launcher started; `left` names the others. */
export async function stopAll(ports: StopPorts): Promise<{ stopped: Stopped[]; left: string[] }> {
  requireHuman('stop', ports)
  const sessions = Object.values(readSessions(ports.bus().home))
  const mine = sessions.flatMap((session) => {
    const agent = launchedAgent(session)
    return agent ? [stop(session, agent, ports)] : []
  })
  const left = sessions.filter((session) => !launchedAgent(session)).map(({ name }) => name)
  return { stopped: await Promise.all(mine), left }
}

function launchedAgent({ launched, agent }: Session): ProcessRef | undefined {
  return launched === true && agent ? agent : undefined
}

async function stop(
  { name, pane }: Session,
  agent: ProcessRef,
  { bus: open, tmux }: StopPorts,
): Promise<Stopped> {
  const bus = open()
  const { processes } = bus
  const gone = () => !processes.isAlive(agent)
  // Before it ends: an end by choice is not one that a session comes back from.
  forgetLaunch(bus, name)
  let ended: Stopped['ended'] = gone() ? 'before' : 'asked'
  // The process that notes the end reads here who asked for it.
  if (ended === 'asked') record(bus, 'stopped', { name })
  processes.signal(agent, 'SIGTERM')
  if (!(await within(END_MS, gone))) {
    ended = 'killed'
    processes.signal(agent, 'SIGKILL')
    await within(END_MS, gone)
  }
  const isIts = (session: Session) => sameProcess(session.agent, agent)
  const has = () => Object.values(readSessions(bus.home)).some(isIts)
  // Its launcher tells how it ended, and has it leave; one that was killed does not.
  if (!(await within(END_MS, () => !has()))) await leave(name, { bus }, isIts)
  // A pane of the user's own goes on with their shell.
  const hasPane = async () => (await panesIn(tmux, name)).some((one) => one.pane === pane)
  if (pane !== null) await within(END_MS, async () => !(await hasPane()))
  return { name, ended, unread: unreadCount(bus.home, name) }
}

/** Whether it is so within this time. */
async function within(ms: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const left = timeLeft(ms); left() > 0; ) {
    if (await isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return isSo()
}
