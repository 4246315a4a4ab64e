import { eventsFromEnd } from '../../bus/history.ts'
import { ensureHome } from '../../bus/home.ts'
import { findSession, readSessions } from '../../bus/registry.ts'
import { CodedError } from '../../errors.ts'
import { agentEnv, tmuxSessionName } from '../../launcher/plan.ts'
import {
  createTmuxSession,
  dropHandover,
  type Handover,
  tmuxSessionExists,
  tmuxTarget,
  writeHandover,
} from '../../launcher/tmuxSession.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { takenHint } from '../../session/join.ts'
import { isAlive } from '../../session/roster.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import type { Ports } from '../ports.ts'
import { hereLine, requireAgent, requireTmux } from './launchNeeds.ts'
import { foreignSession, joinAgain, START_MS, settledStanding, tooLong } from './launchThere.ts'

/** Starts a session in a tmux session of its own, or goes to the one that is there, and gives the exit code. */
export async function launchInTmux(name: string, handover: Handover, detach: boolean, ports: Ports): Promise<number> {
  requireTmux(name, ports.env)
  const there = await settledStanding(name, ports)
  if (there?.is === 'at work') return goTo(name, 'is at work already', detach, ports)
  if (there?.is === 'left') {
    await joinAgain(name, there, handover, ports)
    return goTo(name, 'had left and is registered again', detach, ports)
  }
  requireAgent(name, handover.command, agentEnv(handover.env, name, ports.self.root))
  parseDoorbell(handover.env.AGENT_CHAT_DOORBELL)
  if (!handover.force) await refuseTaken(name, ports)
  if (there) throw foreignSession(name, there)
  // Another launcher may have been faster.
  if (!(await start(name, handover, ports))) return launchInTmux(name, handover, detach, ports)
  if (!detach && (await hasTerminal(ports))) return attach(name, ports, handover.command)
  ports.print(`started @${name} in tmux session ${tmuxSessionName(name)}; attach with: agent-chat ${name}\n`)
  return 0
}

/** Starts a launcher in a tmux session of its own, and waits until it has joined; false where that tmux session is there. */
async function start(name: string, handover: Handover, ports: Ports): Promise<boolean> {
  const { home, clock } = ports.bus()
  ensureHome(home)
  const since = clock.now()
  const path = writeHandover(home, name, handover)
  try {
    const { node, script } = ports.self
    // A tmux server that runs already gives a new pane its own environment, not the caller's: this tells the home.
    const argv = ['env', `AGENT_CHAT_HOME=${home.root}`, node, script, `@${name}`, '--handover', path]
    if (!(await createTmuxSession(ports.tmux, name, { cwd: ports.cwd, home: home.root, argv }))) return false
    await joined(name, since, handover.command, ports)
    return true
  } finally {
    dropHandover(path)
  }
}

/** The session is there: goes to it, or says how it is. */
async function goTo(name: string, how: string, detach: boolean, ports: Ports): Promise<number> {
  if (!detach && (await hasTerminal(ports))) return attach(name, ports)
  ports.print(`@${name} ${how}; attach with: agent-chat ${name}\n`)
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
  throw tooLong(name)
}

async function attach(name: string, ports: Ports, command: string | null = null): Promise<number> {
  const since = ports.bus().clock.now()
  const code = await ports.tmux.runHere(['attach-session', '-t', tmuxTarget(name)])
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
