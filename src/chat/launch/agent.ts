import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Agent, AgentStart } from '../../agents/agent.ts'
import { agentOf, agentOfProgram } from '../../agents/agents.ts'
import { CLAUDE } from '../../agents/claude.ts'
import { ensureHome } from '../../bus/home.ts'
import { programOf } from '../../launcher/commandLine.ts'
import type { Handover } from '../../launcher/tmuxSession.ts'
import { makeDirectory } from '../../system/files.ts'
import { PROCESSES_VARIABLE, processList } from '../../system/processes.ts'
import type { Ports } from '../ports.ts'

/**
 * Which agent a launch starts, where that is known, and what its command line gets besides what the
 * user typed. A command line of the user's own that starts Claude Code is left as it is.
 */
export function startOf(
  { command, agent, agentArgs, env }: Pick<Handover, 'command' | 'agent' | 'agentArgs' | 'env'>,
  ports: Ports,
): { known: Agent | undefined; start: AgentStart; seen: NodeJS.ProcessEnv } {
  const program = command === null ? undefined : programOf(command, ports.env.HOME)
  const named = agentOf(agent) ?? agentOfProgram(program)
  const known = command === null ? CLAUDE : named === CLAUDE ? undefined : named
  if (!known) return { known, start: { before: [], behind: [] }, seen: {} }
  const { home } = ports.bus()
  // Not by the session's name: a rename leaves that to another.
  const own = join(home.servers, randomBytes(4).toString('hex'))
  const start = known.launch({
    ...{ root: ports.self.root, home: home.root },
    ...{ socket: `${own}.sock`, input: `${own}.jsonl` },
    program: program ?? known.programs[0],
    room: env.AGENT_CHAT_ROOM !== 'off',
    given: [...(command?.split(/\s+/) ?? []), ...agentArgs],
  })
  if (start.server || start.input) {
    ensureHome(home)
    makeDirectory(home.servers)
  }
  const list = processList()
  return { known, start, seen: list ? { [PROCESSES_VARIABLE]: list } : {} }
}
