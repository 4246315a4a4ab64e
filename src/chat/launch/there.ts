import { tellAgent } from '../../bus/mail/bell.ts'
import { namesEver } from '../../bus/names/names.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { CodedError } from '../../errors.ts'
import { tmuxSessionName } from '../../launcher/plan.ts'
import { type Standing, standingOf } from '../../launcher/standing.ts'
import {
  type Handover,
  renameTmuxSession,
  START_MS,
  tmuxSessionExists,
  tmuxTarget,
} from '../../launcher/tmuxSession.ts'
import { nameBeside } from '../../message/name.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { join } from '../../session/join.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import { joinPorts } from '../join.ts'
import type { Ports } from '../ports.ts'
import { noteJoined } from './record.ts'

/**
 * How the tmux session stands, once what another launcher has begun there is settled; undefined
 * where there is none.
 */
export async function settledStanding(
  name: string,
  ports: Ports,
): Promise<Exclude<Standing, { is: 'starting' }> | undefined> {
  const look = () => standingOf(name, { bus: ports.bus(), tmux: ports.tmux })
  let there = (await look()) ?? ((await takeAlong(name, ports)) ? await look() : undefined)
  for (const left = timeLeft(START_MS); there?.is === 'starting'; there = await look()) {
    if (left() <= 0) throw tooLong(name)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return there
}

/**
 * The tmux session of a session that was renamed has the new name a moment later; this does not
 * wait for it.
 */
async function takeAlong(
  name: string,
  { bus, tmux }: Pick<Ports, 'bus' | 'tmux'>,
): Promise<boolean> {
  const { home } = bus()
  const session = findSession(readSessions(home), name)
  if (!session) return false
  const [, ...former] = namesEver(home, name)
  for (const from of former) await renameTmuxSession(tmux, from, session)
  return former.length > 0 && tmuxSessionExists(tmux, name)
}

/** Registers the agent that works on in the pane of a session which has left. */
export async function joinAgain(
  name: string,
  { pane, agent }: Extract<Standing, { is: 'left' }>,
  { env, force }: Handover,
  ports: Ports,
): Promise<void> {
  const doorbell = parseDoorbell(env.AGENT_CHAT_DOORBELL)
  const { stdout } = await ports.tmux.run([
    'display-message',
    '-p',
    '-t',
    pane.pane,
    '#{pane_current_path}',
  ])
  const { session } = await join(
    {
      ...{ name, pane, agent, doorbell, force },
      ...pane.runs,
      // It has been up for long: what its hooks have noted says whether it listens to its bell.
      native: false,
      cwd: stdout.trim() || ports.cwd,
      watch: true,
      launched: true,
      prompt: env.AGENT_CHAT_PROMPT,
    },
    joinPorts(ports),
  )
  noteJoined(session, ports)
  tellAgent(ports.bus().home, agent.pid)
}

/** The error of a pane that took longer than `START_MS`. */
export function tooLong(name: string): CodedError {
  return new CodedError('TIMED_OUT', `@${name} did not start within ${START_MS / 1000} s`, {
    hint: `look at it with: tmux attach -t ${tmuxSessionName(name)}`,
  })
}

/**
 * The error of a tmux session that has the launcher's name and is none of this session's; `--force`
 * takes over names, and no tmux session.
 */
export function foreignSession(
  name: string,
  { holder, home }: Extract<Standing, { is: 'foreign' }>,
): CodedError {
  const whose = holder === undefined ? whoseHome(home) : `has @${holder} in it`
  const target = `'${tmuxTarget(name)}'`
  return new CodedError('NAME_TAKEN', `the tmux session ${tmuxSessionName(name)} ${whose}`, {
    hint: `choose another name, for example ${nameBeside(name)}; look at it with: tmux attach -t ${target}; or end it with: tmux kill-session -t ${target}`,
  })
}

function whoseHome(home: string | undefined): string {
  return home === undefined
    ? 'is there already, and no agent of this home in it'
    : `belongs to another home: ${home}`
}
