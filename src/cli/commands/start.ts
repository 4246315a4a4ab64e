import type { Command } from 'commander'
import { AGENTS } from '../../agents/agents.ts'
import { goToRunning, isKnown, runningElsewhere, similarSession } from '../../chat/launch/goTo.ts'
import { launchHere } from '../../chat/launch/here.ts'
import { type Launched, launchInTmux } from '../../chat/launch/inTmux.ts'
import { agentCommand } from '../../chat/launch/needs.ts'
import { beginInPane, endInPane } from '../../chat/launch/pane.ts'
import { CodedError } from '../../errors.ts'
import { parseSessionName } from '../../message/name.ts'
import { paneOf } from '../../session/identity.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

type Flags = {
  agent?: string
  cmd?: string
  detach?: boolean
  tmux?: boolean
  force?: boolean
  handover?: string
  become?: string
  ended?: string
  team?: boolean
  yes?: boolean
  json?: boolean
}

export function startCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'start',
    'agent-chat start backend\nagent-chat start frontend -- --model opus\nagent-chat start reviewer --agent codex --detach\nagent-chat start --team',
  )
    .argument('[name]', 'the name of the session')
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
    .option('--team', "start the sessions of this repository's .agent-chat/team.md")
    .option('--yes', 'with --team: do not ask')
    .addOption(program.createOption('--handover <path>').hideHelp())
    .addOption(program.createOption('--become <pid>').hideHelp())
    .addOption(program.createOption('--ended <code>').hideHelp())
    .action(async (name: string | undefined, agentArgs: string[], options: Flags) => {
      if (options.team || options.yes) requireAlone(name, options)
      ports.setExitCode(
        options.team
          ? await (await import('./startTeam.ts')).startTeamHere(options, ports)
          : await start(parseSessionName(named(name)), agentArgs, options, ports),
      )
    })
}

/** A team file says all of its sessions. */
function requireAlone(
  name: string | undefined,
  { team, yes: _, json: __, tmux, ...others }: Flags,
) {
  if (team && name === undefined && tmux && Object.keys(others).length === 0) return
  throw new CodedError('USAGE', '--team and --yes go with no name and no option but --json', {
    hint: 'agent-chat start --team --yes',
  })
}

function named(name: string | undefined): string {
  if (name !== undefined) return name
  throw new CodedError('USAGE', "missing required argument 'name'", {
    hint: 'for example: agent-chat start backend; see: agent-chat start --help',
  })
}

/**
 * Starts or re-attaches a session, and gives the exit code: the agent's own where it ran in this
 * terminal.
 */
async function start(
  name: string,
  agentArgs: string[],
  flags: Flags,
  ports: Ports,
): Promise<number> {
  if (flags.handover !== undefined) return inPane(name, flags.handover, flags, ports)
  if (flags.tmux === false && flags.detach)
    throw new CodedError('USAGE', '--no-tmux and --detach exclude each other', {
      hint: 'leave one out',
    })
  const handover = {
    env: ports.env,
    agentArgs,
    ...agentCommand(name, flags, ports.env),
    force: flags.force === true,
  }
  const similar = isKnown(name, ports) ? undefined : await similarSession(name, ports)
  if (similar)
    ports.notice(
      `a session of a similar name is running, @${similar}: agent-chat attach ${similar}`,
    )
  if (flags.tmux === false) return launchHere(name, handover, ports, false)
  if (paneOf(ports.env) !== undefined && !flags.detach) {
    const there = flags.force ? undefined : await runningElsewhere(name, ports)
    return there ? goToRunning(there, flags, ports) : launchHere(name, handover, ports, true)
  }
  const launched = await launchInTmux(name, handover, { detach: flags.detach === true }, ports)
  if (typeof launched === 'number') return launched
  ports.print(`${flags.json ? JSON.stringify(launched) : said(launched)}\n`)
  return 0
}

/** Begins, or ends, a session in a pane of the launcher's. */
async function inPane(
  name: string,
  path: string,
  { become, ended }: Flags,
  ports: Ports,
): Promise<number> {
  if (ended !== undefined) await endInPane(name, path, Number(ended), ports)
  else ports.print(await beginInPane(name, path, Number(become), ports))
  return 0
}

/** What has become of a launch, as it is said of the name. */
const OUTCOMES: Record<Launched['outcome'], (launched: Launched) => string> = {
  started: ({ name, tmux_session }) => `started @${name} in tmux session ${tmux_session}`,
  'at work': ({ name }) => `@${name} is already running`,
  'joined again': ({ name }) => `@${name} had left; it is registered again`,
}

function said(launched: Launched): string {
  return `${OUTCOMES[launched.outcome](launched)}; attach with: agent-chat attach ${launched.name}`
}
