import type { StartDialog } from '../../agents/agent.ts'
import { ensureHome } from '../../bus/home.ts'
import { wakeWatcher } from '../../bus/mail/bell.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { paneArgv } from '../../launcher/paneShell.ts'
import { agentEnv, tmuxSessionName } from '../../launcher/plan.ts'
import {
  createTmuxSession,
  dropHandover,
  type Handover,
  START_MS,
  tmuxSessionExists,
  tmuxTarget,
  writeHandover,
} from '../../launcher/tmuxSession.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { dialogSaid } from '../../session/startDialog.ts'
import { startDialogOf } from '../../session/startScreen.ts'
import { believedState } from '../../session/stateFile.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import type { Ports } from '../ports.ts'
import { begun, endedError, endOf, type Launch, LOOK_MS, LOOKS_A_SCREEN } from './ended.ts'
import { goToRunning, hasTerminal, runningSession } from './goTo.ts'
import { requireAgent, requireTmux } from './needs.ts'
import { foreignSession, joinAgain, settledStanding, tooLong } from './there.ts'

/** A session in its tmux session, and what has become of the launch. */
export type Launched = {
  name: string
  outcome: 'started' | 'at work' | 'joined again'
  tmux_session: string
  pane: string
}

/**
 * Starts a session in a tmux session of its own, or finds the one that is there, and gives it. With
 * a terminal, and without `detach`, it shows the session there, and gives tmux's exit code once the
 * user has left.
 */
export async function launchInTmux(
  name: string,
  handover: Handover,
  options: { detach: boolean },
  ports: Ports,
): Promise<Launched | number> {
  requireTmux(name, ports.env)
  const there = await settledStanding(name, ports)
  const since = ports.bus().clock.now()
  const goTo = (outcome: Launched['outcome'], pane: string, command: string | null = null) =>
    attachOrGive(
      { name, outcome, tmux_session: tmuxSessionName(name), pane },
      { name, since, command },
      options,
      ports,
    )
  if (there?.is === 'at work') {
    if (handover.force)
      ports.notice(
        `--force takes over a name from elsewhere; to end this agent: agent-chat stop ${name}`,
      )
    return goTo('at work', there.pane.pane)
  }
  if (there?.is === 'left') {
    await joinAgain(name, there, handover, ports)
    return goTo('joined again', there.pane.pane)
  }
  const running = handover.force ? undefined : await runningSession(name, ports)
  // Another launcher may have been faster.
  if (running && !there && (await settledStanding(name, ports))?.is === 'at work')
    return launchInTmux(name, handover, options, ports)
  if (running) return goToRunning(running, options, ports)
  requireAgent(name, handover.command, agentEnv(handover.env, name, ports.self.root), ports.cwd)
  parseDoorbell(handover.env.AGENT_CHAT_DOORBELL)
  if (there) throw foreignSession(name, there)
  const pane = await start(name, handover, ports)
  // Another launcher may have been faster.
  if (pane === undefined) return launchInTmux(name, handover, options, ports)
  return goTo('started', pane, handover.command)
}

/**
 * Starts a launcher in a tmux session of its own, and gives its pane once it has joined; undefined
 * where that tmux session is there already.
 */
async function start(name: string, handover: Handover, ports: Ports): Promise<string | undefined> {
  const { home, clock } = ports.bus()
  ensureHome(home)
  const since = clock.now()
  const path = writeHandover(home, name, handover)
  try {
    const argv = paneArgv({ ...ports.self, home: home.root }, name, path)
    if (!(await createTmuxSession(ports.tmux, name, { cwd: ports.cwd, home: home.root, argv })))
      return undefined
    return await joined(name, since, handover.command, ports)
  } finally {
    dropHandover(path)
  }
}

/** The session is there: goes to it, or waits until it is worth going to. */
async function attachOrGive(
  launched: Launched,
  launch: Launch,
  { detach }: { detach: boolean },
  ports: Ports,
): Promise<Launched | number> {
  if (!detach && (await hasTerminal(ports))) return attach(launched, launch, ports)
  const at = launched.outcome === 'started' ? await begun(launch, ports) : undefined
  if (at !== undefined) ports.notice(at)
  return launched
}

/** What the session's agent asks before its first prompt, where no hook has told of it yet. */
async function dialogNow(name: string, ports: Ports): Promise<StartDialog | undefined> {
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  if (!session || believedState(bus.home, name, bus.processes)) return undefined
  const dialog = await startDialogOf(session, ports.tmux)
  if (dialog) wakeWatcher(bus)
  return dialog
}

/**
 * Waits until the session in the pane has joined, and gives that pane. Throws where its agent ended
 * before anyone could look.
 */
async function joined(
  name: string,
  since: number,
  command: string | null,
  ports: Ports,
): Promise<string> {
  const bus = ports.bus()
  const left = timeLeft(START_MS)
  for (let looks = 1; left() > 0; looks += 1) {
    const session = findSession(readSessions(bus.home), name)
    if (session?.pane && Date.parse(session.joined_at) >= since) return session.pane
    if (looks % LOOKS_A_SCREEN === 0 && !(await tmuxSessionExists(ports.tmux, name))) {
      const launch = { name, since, command }
      throw endedError(launch, endOf(launch, ports))
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw tooLong(name)
}

async function attach({ name, outcome }: Launched, launch: Launch, ports: Ports): Promise<number> {
  const code = await ports.tmux.runHere(['attach-session', '-t', tmuxTarget(name)])
  if (await tmuxSessionExists(ports.tmux, name)) {
    const dialog = await dialogNow(name, ports)
    ports.notice(
      dialog
        ? `@${name} ${dialogSaid(name, dialog)}`
        : `@${name} keeps running; come back with: agent-chat attach ${name}`,
    )
    return code
  }
  const end = endOf(launch, ports)
  if (end?.stopped) {
    ports.notice(`@${name} was stopped`)
    return code
  }
  const early = outcome === 'started' && end?.screen !== undefined
  if (end && (early || end.code !== 0)) throw endedError(launch, end)
  return code
}
