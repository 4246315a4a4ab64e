import { agentArgv, agentEnv } from '../../launcher/plan.ts'
import { supervise } from '../../launcher/supervise.ts'
import type { Handover } from '../../launcher/tmuxSession.ts'
import { parseDoorbell } from '../../session/doorbellChoice.ts'
import { ownPane } from '../../session/pane.ts'
import type { PaneAddress } from '../../system/tmux.ts'
import { joinPorts } from '../join.ts'
import type { Ports } from '../ports.ts'
import { startOf } from './agent.ts'
import { isClosed, requireAgent } from './needs.ts'
import { noteStart } from './record.ts'

/**
 * Runs an agent in this terminal, or with `inPane` in the pane that holds it, waits for its end, and
 * gives its exit code. The pane then has its shell again.
 */
export async function launchHere(
  name: string,
  handover: Handover,
  ports: Ports,
  inPane: boolean,
): Promise<number> {
  const { env: own, tmux, notice: warn } = ports
  const { processes } = ports.bus()
  const held = inPane ? await ownPane({ env: own, tmux, processes, warn }) : undefined
  const pane = held?.pane
  const { request, argv, env, start } = await planned(name, handover, ports, pane)
  // Inside tmux the screen is looked at; here nobody but the person sees it.
  if (pane === undefined && handover.command === null)
    ports.notice('only you see this terminal: what Claude Code asks at its start is on no list')
  const { startHere } = await import('../../system/start.ts')
  const ended = await supervise(
    { ...request, paneProcess: held?.first },
    {
      ...joinPorts(ports),
      startAgent: () => startHere(argv, { env, cwd: ports.cwd }),
      onAgent: (agent) => noteStart(name, { ...start, agent, started: undefined }, ports),
      onStop: ports.onStop,
    },
  )
  return ended.code
}

/**
 * What is joined with and what is started. Throws `PROGRAM_MISSING` for an agent that is not there.
 */
export async function planned(
  name: string,
  { command, agent, agentArgs, force, env }: Handover,
  ports: Ports,
  pane: PaneAddress | undefined,
) {
  const { known, start: how, seen } = startOf({ command, agent, agentArgs, env }, ports)
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
    server: how.server?.socket ?? how.input,
  }
  const argv = agentArgv({ name, agentArgs, command: command ?? undefined }, how, closed)
  return {
    ...{ request, argv, env: { ...agentEnv(env, name, ports.self.root), ...seen } },
    start: { known, command, args: agentArgs, env, cwd: ports.cwd },
  }
}
