import type { Command } from 'commander'
import { AGENTS } from '../../agents/agents.ts'
import { spawnWatcher } from '../../doorbell/startWatcher.ts'
import { CodedError } from '../../errors.ts'
import { becomePlan } from '../../launcher/paneShell.ts'
import { agentArgv, agentEnv, paneEnv } from '../../launcher/plan.ts'
import { leaveEnded, supervise } from '../../launcher/supervise.ts'
import {
  dropHandover,
  type Handover,
  noteAgent,
  notForUsers,
  readHandover,
  requireHandover,
} from '../../launcher/tmuxSession.ts'
import { parseSessionName } from '../../message/name.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { paneOf } from '../../session/identity.ts'
import { type JoinPorts, join } from '../../session/join.ts'
import { endOf } from '../../system/signals.ts'
import type { PaneAddress } from '../../system/tmux.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { startOf } from './launchAgent.ts'
import { launchInTmux } from './launchInTmux.ts'
import { agentCommand, isClosed, requireAgent } from './launchNeeds.ts'

export type LaunchOptions = {
  agent?: string
  cmd?: string
  detach?: boolean
  tmux?: boolean
  force?: boolean
  handover?: string
  become?: string
  ended?: string
  json?: boolean
}

export function startCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'start',
    'agent-chat start backend\nagent-chat start frontend -- --model opus\nagent-chat start reviewer --agent codex --detach',
  )
    .argument('<name>', 'the name of the session')
    .argument('[agent-arguments...]', 'after --, the arguments of the agent')
    .addOption(
      program
        .createOption('--agent <agent>', 'the agent to start (default: claude)')
        .choices(AGENTS.map(({ name }) => name)),
    )
    .option('--cmd <command>', 'start this agent instead of Claude Code ($AGENT_CHAT_CMD)')
    .option('--detach', 'do not attach to the tmux session')
    .option('--no-tmux', 'run the agent in this terminal')
    .option('--force', 'take over the name from a running session')
    .addOption(program.createOption('--handover <path>').hideHelp())
    .addOption(program.createOption('--become <pid>').hideHelp())
    .addOption(program.createOption('--ended <code>').hideHelp())
    .action(async (name: string, agentArgs: string[], options: LaunchOptions) => {
      ports.setExitCode(await runLaunch(parseSessionName(name), agentArgs, options, ports))
    })
}

/**
 * Starts or re-attaches a session, and gives the exit code: the agent's own where it ran in this
 * terminal.
 */
export async function runLaunch(
  name: string,
  agentArgs: string[],
  options: LaunchOptions,
  ports: Ports,
): Promise<number> {
  if (options.handover !== undefined) return inPane(name, options.handover, options, ports)
  if (options.tmux === false && options.detach)
    throw new CodedError('USAGE', '--no-tmux and --detach exclude each other', {
      hint: 'leave one out',
    })
  const handover = {
    env: ports.env,
    agentArgs,
    ...agentCommand(name, options, ports.env),
    force: options.force === true,
  }
  if (options.tmux === false) return launchHere(name, handover, ports, false)
  if (paneOf(ports.env) !== undefined && !options.detach)
    return launchHere(name, handover, ports, true)
  return launchInTmux(
    name,
    handover,
    { detach: options.detach === true, json: options.json === true },
    ports,
  )
}

/** Begins, or ends, a session in a pane of the launcher's. */
async function inPane(
  name: string,
  path: string,
  { become, ended }: LaunchOptions,
  ports: Ports,
): Promise<number> {
  requireHandover(path)
  try {
    if (ended === undefined) await becomeAgent(name, readHandover(path), Number(become), ports)
    else await afterAgent(name, Number(ended), ports)
    return 0
  } finally {
    dropHandover(path)
  }
}

/**
 * Registers the process `pid`, a shell that is about to become the agent, and prints what it needs
 * for that. A pane has the environment of its tmux server, which may be older, and of another home,
 * than the caller's.
 */
async function becomeAgent(
  name: string,
  handover: Handover,
  pid: number,
  ports: Ports,
): Promise<void> {
  const env = paneEnv(handover.env, ports.env)
  const own = ports.withEnv(env)
  const pane = paneOf(ports.env)
  const plan = await planned(name, { ...handover, env }, own, pane)
  const info = own.bus().processes.find(pid)
  if (info === undefined) throw notForUsers(undefined)
  const agent = { pid, started: info.started }
  await join({ ...plan.request, agent }, joinPorts(own))
  if (pane) await noteAgent(own.tmux, pane, plan.request)
  ports.print(becomePlan(plan.argv, plan.env, ports.env))
}

async function afterAgent(name: string, code: number, ports: Ports): Promise<void> {
  const pane = paneOf(ports.env)
  if (!pane) return
  const screen = await ports.tmux.run(['capture-pane', '-p', '-J', '-t', pane.pane], pane.socket)
  await leaveEnded(name, { ...endOf(code), pane, screen: screen.stdout }, ports.bus())
}

/**
 * An agent in this terminal, or this pane, which gets back its shell: this process waits for it.
 */
async function launchHere(
  name: string,
  handover: Handover,
  ports: Ports,
  inTmux: boolean,
): Promise<number> {
  const { request, argv, env } = await planned(
    name,
    handover,
    ports,
    inTmux ? paneOf(ports.env) : undefined,
  )
  const { startHere } = await import('../../system/start.ts')
  const ended = await supervise(request, {
    ...joinPorts(ports),
    startAgent: () => startHere(argv, { env, cwd: ports.cwd }),
    onStop: ports.onStop,
  })
  return ended.code
}

/**
 * What is joined with and what is started. Throws `PROGRAM_MISSING` for an agent that is not there.
 */
async function planned(
  name: string,
  { command, agent, agentArgs, force, env }: Handover,
  ports: Ports,
  pane: PaneAddress | undefined,
) {
  const { known, start, seen } = startOf({ command, agent, agentArgs, env }, ports)
  requireAgent(
    pane ? name : `${name} --no-tmux`,
    command,
    agentEnv(env, name, ports.self.root),
    ports.cwd,
  )
  const closed = await isClosed(command, agentArgs, env)
  const request = {
    ...{ name, pane, force, cwd: ports.cwd },
    native: command === null,
    doorbell: parseDoorbell(env.AGENT_CHAT_DOORBELL),
    prompt: env.AGENT_CHAT_PROMPT,
    watch: true,
    launched: true as const,
    program: command === null ? undefined : known?.name,
    server: start.server?.socket ?? start.input,
  }
  const argv = agentArgv({ name, agentArgs, command: command ?? undefined }, start, closed)
  return { request, argv, env: { ...agentEnv(env, name, ports.self.root), ...seen } }
}

function joinPorts(ports: Ports): JoinPorts {
  return {
    bus: ports.bus(),
    tmux: ports.tmux,
    warn: (text) => ports.notice(text),
    startWatcher: () => spawnWatcher(ports),
  }
}
