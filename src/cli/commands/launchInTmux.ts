import { eventsFromEnd } from '../../bus/history.ts'
import { ensureHome } from '../../bus/home.ts'
import { namesEver } from '../../bus/names.ts'
import { findSession, readSessions } from '../../bus/registry.ts'
import { CodedError } from '../../errors.ts'
import { agentEnv, tmuxSessionName } from '../../launcher/plan.ts'
import {
  createTmuxSession,
  dropHandover,
  type Handover,
  renameTmuxSession,
  tmuxSessionExists,
  writeHandover,
} from '../../launcher/tmuxSession.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { takenHint } from '../../session/join.ts'
import { isAlive } from '../../session/roster.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import type { Ports } from '../ports.ts'
import { hereLine, requireAgent, requireTmux } from './launchNeeds.ts'

/** How long a new pane may take until its session has joined. In milliseconds. */
const START_MS = 15_000

/** Starts a session in a tmux session of its own, or goes to the one that is there, and gives the exit code. */
export async function launchInTmux(name: string, handover: Handover, detach: boolean, ports: Ports): Promise<number> {
  const bus = ports.bus()
  requireTmux(name, ports.env)
  if ((await tmuxSessionExists(ports.tmux, name)) || (await takeAlong(name, ports))) return joinIn(name, detach, ports)
  requireAgent(name, handover.command, agentEnv(handover.env, name, ports.self.root))
  parseDoorbell(handover.env.AGENT_CHAT_DOORBELL)
  if (!handover.force) await refuseTaken(name, ports)
  ensureHome(bus.home)
  const since = bus.clock.now()
  const path = writeHandover(bus.home, name, handover)
  try {
    const { node, script } = ports.self
    // A tmux server that runs already gives a new pane its own environment, not the caller's: this tells the home.
    const argv = ['env', `AGENT_CHAT_HOME=${bus.home.root}`, node, script, `@${name}`, '--handover', path]
    // Another launcher may have been faster.
    if (!(await createTmuxSession(ports.tmux, name, ports.cwd, argv))) return await joinIn(name, detach, ports)
    await joined(name, since, handover.command, ports)
  } finally {
    dropHandover(path)
  }
  if (!detach && (await hasTerminal(ports))) return attach(name, ports, handover.command)
  ports.print(`started @${name} in tmux session ${tmuxSessionName(name)}; attach with: agent-chat ${name}\n`)
  return 0
}

/** The tmux session of a session that was renamed has the new name a moment later; this does not wait for it. */
async function takeAlong(name: string, { bus, tmux }: Pick<Ports, 'bus' | 'tmux'>): Promise<boolean> {
  const { home } = bus()
  const session = findSession(readSessions(home), name)
  if (!session) return false
  const [, ...former] = namesEver(home, name)
  for (const from of former) await renameTmuxSession(tmux, from, session)
  return former.length > 0 && tmuxSessionExists(tmux, name)
}

/** The session is there: goes to it, or says so. */
async function joinIn(name: string, detach: boolean, ports: Ports): Promise<number> {
  if (!detach && (await hasTerminal(ports))) return attach(name, ports)
  ports.print(`@${name} is at work already; attach with: agent-chat ${name}\n`)
  return 0
}

async function hasTerminal(ports: Ports): Promise<boolean> {
  return (await ports.isTerminal('stdin')) && (await ports.isTerminal('stdout'))
}

async function refuseTaken(name: string, ports: Ports): Promise<void> {
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  if (!session || (await isAlive(session, { processes: bus.processes, tmux: ports.tmux })) !== 'alive') return
  const where = session.pane === null ? '' : ` in tmux pane ${session.pane}`
  throw new CodedError('NAME_TAKEN', `@${name} is already at work${where} (${session.cwd})`, {
    hint: takenHint(name),
  })
}

/** Waits until the pane's launcher has joined. Throws where its agent ended before anyone could look. */
async function joined(name: string, since: number, command: string | null, ports: Ports): Promise<void> {
  const bus = ports.bus()
  for (const left = timeLeft(START_MS); left() > 0; ) {
    const session = findSession(readSessions(bus.home), name)
    if (session && Date.parse(session.joined_at) >= since) return
    if (!(await tmuxSessionExists(ports.tmux, name))) throw endedEarly(name, since, command, ports)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new CodedError('TIMED_OUT', `@${name} did not start within ${START_MS / 1000} s`, {
    hint: `look at it with: tmux attach -t ${tmuxSessionName(name)}`,
  })
}

async function attach(name: string, ports: Ports, command: string | null = null): Promise<number> {
  const since = ports.bus().clock.now()
  const code = await ports.tmux.runHere(['attach-session', '-t', `=${tmuxSessionName(name)}`])
  if (await tmuxSessionExists(ports.tmux, name)) {
    ports.say(`agent-chat: @${name} goes on working; come back with: agent-chat ${name}`)
    return code
  }
  const exit = exitOf(name, since, ports)
  if (exit !== undefined && exit !== 0) throw endedEarly(name, since, command, ports)
  return code
}

function endedEarly(name: string, since: number, command: string | null, ports: Ports): CodedError {
  const exit = exitOf(name, since, ports)
  return new CodedError(
    'FAULT',
    `the agent of @${name} ended${exit === undefined ? ' before it joined' : ` with exit code ${exit}`}`,
    {
      hint: `see what it says with: ${hereLine(name, command)}`,
    },
  )
}

function exitOf(name: string, since: number, ports: Ports): number | undefined {
  for (const event of eventsFromEnd(ports.bus().home)) {
    if (Date.parse(event.at) < since) return undefined
    if (event.event === 'ended' && event.name === name && typeof event.code === 'number') return event.code
  }
  return undefined
}
