import type { Command } from 'commander'
import { CodedError } from '../../errors.ts'
import { agentArgv, agentEnv, paneEnv } from '../../launcher/plan.ts'
import { supervise } from '../../launcher/supervise.ts'
import { type Handover, takeHandover } from '../../launcher/tmuxSession.ts'
import { parseSessionName } from '../../message/name.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { paneOf } from '../../session/identity.ts'
import { spawnHere } from '../../system/spawn.ts'
import type { Ports } from '../ports.ts'
import { spawnWatcher } from './join.ts'
import { launchInTmux } from './launchInTmux.ts'
import { agentCommand, isClosed, requireAgent } from './launchNeeds.ts'

export type LaunchOptions = {
  cmd?: string
  detach?: boolean
  tmux?: boolean
  force?: boolean
  handover?: string
  json?: boolean
}

export function launchCommand(program: Command, ports: Ports, run = runLaunch): void {
  program
    .usage('<name> [options] [-- <agent arguments>]\n       agent-chat <command> [options]')
    .argument('[name]', 'start a session of this name: Claude Code with this plugin, in a tmux session of its own')
    .argument('[agent-arguments...]', 'after --: what the agent itself is given')
    .option('--cmd <command>', 'start another agent ($AGENT_CHAT_CMD)')
    .option('--detach', 'do not attach to the tmux session')
    .option('--no-tmux', 'run the agent in this terminal')
    .option('--force', 'take the name over from a session that is alive elsewhere')
    .addOption(program.createOption('--handover <path>').hideHelp())
    .option('--json', 'print data, and errors, as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  agent-chat backend\n  agent-chat frontend -- --model opus\n  agent-chat send @frontend "GET /tasks is ready"',
    )
    .action(async (name: string | undefined, agentArgs: string[], options: LaunchOptions) => {
      if (name === undefined || name === 'help') return program.outputHelp()
      ports.setExitCode(await run(parseSessionName(name), agentArgs, options, ports))
    })
}

/** Starts or re-attaches a session, and gives the exit code: the agent's own where it ran in this terminal. */
export async function runLaunch(
  name: string,
  agentArgs: string[],
  options: LaunchOptions,
  ports: Ports,
): Promise<number> {
  if (options.handover !== undefined) return launchFromHandover(name, takeHandover(options.handover), ports)
  if (options.tmux === false && options.detach)
    throw new CodedError('USAGE', '--no-tmux and --detach disagree', { hint: 'leave one of them out' })
  // An agent may change its directory, which a home given by a relative path would follow.
  const home = ports.env.AGENT_CHAT_HOME ? { AGENT_CHAT_HOME: ports.bus().home.root } : {}
  const command = agentCommand(name, options.cmd, ports.env)
  const handover = {
    env: { ...ports.env, ...home },
    agentArgs,
    command: command ?? null,
    force: options.force === true,
  }
  if (options.tmux === false) return launchHere(name, handover, ports, false)
  if (paneOf(ports.env) !== undefined && !options.detach) return launchHere(name, handover, ports, true)
  return launchInTmux(name, handover, { detach: options.detach === true, json: options.json === true }, ports)
}

/** A pane has the environment of its tmux server, which may be older, and of another home, than the caller's. */
async function launchFromHandover(name: string, handover: Handover, ports: Ports): Promise<number> {
  const env = paneEnv(handover.env, ports.env)
  return launchHere(name, { ...handover, env }, ports.withEnv(env), true)
}

async function launchHere(name: string, handover: Handover, ports: Ports, inTmux: boolean): Promise<number> {
  const { command, agentArgs, force, env } = handover
  requireAgent(inTmux ? name : `${name} --no-tmux`, command, agentEnv(env, name, ports.self.root), ports.cwd)
  const bus = ports.bus()
  const doorbell = parseDoorbell(env.AGENT_CHAT_DOORBELL)
  const closed = await isClosed(command, agentArgs, env)
  const argv = agentArgv({ name, agentArgs, command: command ?? undefined }, ports.self.root, closed)
  const ended = await supervise(
    { name, pane: inTmux ? paneOf(ports.env) : undefined, native: command === null, doorbell, cwd: ports.cwd, force },
    {
      bus,
      tmux: ports.tmux,
      warn: (text) => ports.say(`agent-chat: ${text}`),
      startWatcher: (who) => spawnWatcher(who, { ...ports, env }),
      startAgent: () => spawnHere(argv, agentEnv(env, name, ports.self.root), ports.cwd),
      onStop: ports.onStop,
    },
  )
  return ended.code
}
