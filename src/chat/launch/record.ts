import type { Agent } from '../../agents/agent.ts'
import { agentOf, agentOfProgram } from '../../agents/agents.ts'
import { CLAUDE } from '../../agents/claude.ts'
import type { Session } from '../../bus/names/registry.ts'
import { isoTime } from '../../message/time.ts'
import { noteLaunch, tmuxServerOf } from '../../session/launched.ts'
import { argumentsOf, environmentOf } from '../../system/commandLine.ts'
import { reasonOf } from '../../system/errno.ts'
import type { ProcessRef } from '../../system/processes.ts'
import type { Ports } from '../ports.ts'

type Start = {
  known: Agent | undefined
  command: string | null
  args: string[] | null
  env: NodeJS.ProcessEnv
  cwd: string
  agent: ProcessRef
  /** ISO 8601; now where it is not known. */
  started: string | undefined
}

type RecordPorts = Pick<Ports, 'bus' | 'notice'>

/** Keeps what a session was started with, so that `agent-chat resume` can bring it back. */
export function noteStart(name: string, start: Start, { bus: open, notice }: RecordPorts): void {
  const bus = open()
  const { known, env, started, ...kept } = start
  const folder = known?.resume && env[known.resume.folder.variable]
  try {
    noteLaunch(bus, name, {
      ...kept,
      program: known?.name ?? null,
      config: folder || null,
      server: tmuxServerOf(env, bus),
      started: started ?? isoTime(bus.clock.now()),
    })
  } catch (error) {
    notice(`@${name} cannot be brought back by agent-chat resume: ${reasonOf(error)}`)
  }
}

/**
 * Keeps the same of a session that joined by itself, as far as its process tells. An agent that
 * nobody knows is not kept.
 */
export function noteJoined(
  { agent, cwd, name, joined_at, program }: Session,
  ports: RecordPorts & Pick<Ports, 'self'>,
): void {
  const info = agent && ports.bus().processes.find(agent.pid)
  if (!info) return
  const words = argumentsOf(info.pid) ?? []
  const at = [0, 1].find((place) => agentOfProgram(words[place]) !== undefined)
  const named = agentOfProgram(at === undefined ? info.command : words[at])
  const known = program === undefined ? named : agentOf(program)
  if (!known) return
  const own = [ports.self.root, `${ports.self.root}/room`]
  noteStart(
    name,
    {
      ...{ known, agent: { pid: info.pid, started: info.started }, cwd, started: joined_at },
      command: known === CLAUDE ? null : known.programs[0],
      args: at === undefined || named !== known ? null : withoutOurs(words.slice(at + 1), own),
      env: environmentOf(info.pid) ?? {},
    },
    ports,
  )
}

/** A rule that `start` puts before our plugins: see `MAIL_RULES`. */
const RULE = /^Bash\(agent-chat [a-z]+:\*\)$/

/** What `start` adds comes back with every start: our plugins, and the rules before them. */
export function withoutOurs(words: string[], plugins: string[]): string[] {
  const isOurs = (at: number) =>
    words[at] === '--plugin-dir' && plugins.includes(words[at + 1] ?? '')
  const first = words.findIndex((_, at) => isOurs(at))
  let from = first
  while (from > 0 && RULE.test(words[from - 1] ?? '')) from -= 1
  if (from < first && words[from - 1] === '--allowedTools') from -= 1
  else from = first
  return words.filter((_, at) => !isOurs(at) && !isOurs(at - 1) && !(at >= from && at < first))
}
