import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, AgentHooks } from '../agents/agent.ts'
import { ensureHome } from '../bus/home.ts'
import { findProgram } from '../system/programs.ts'
import { checkProgram } from './agentCheck.ts'
import { type Edited, putText, textAt } from './agentFiles.ts'
import {
  type AgentSetupPorts,
  directoryOf,
  hooksPath,
  isOwnCommand,
  readDone,
  recordOf,
  wanted,
  writeDone,
} from './agentPlaces.ts'
import { trustHooks, withoutTrust } from './agentTrust.ts'
import type { Check } from './check.ts'

/**
 * Adds hooks and instructions to an agent's own files, and has the agent trust the hooks, once the
 * person agrees. Safe to run again.
 */
export async function setUpAgent(agent: Agent, ports: AgentSetupPorts): Promise<Check[]> {
  const program = await checkProgram(agent, ports.env)
  if (program.status === 'failed' || !agent.hooks) return [program]
  const { home } = ports.bus()
  ensureHome(home)
  const before = readDone(agent, ports)
  const files = wanted(agent, agent.hooks, ports).map(({ path, cut, add }): Edited => {
    const now = textAt(path)
    const known = before.files.find((file) => file.path === path)
    const bare = known?.after === now ? known.before : cut(now)
    return { path, before: bare, after: add(bare) }
  })
  // What is needed to take it out again is there before anything is changed.
  const others = before.files.filter(({ path }) => !files.some((file) => file.path === path))
  writeDone(agent, { files: [...files, ...others], trust: before.trust }, ports)
  for (const { path, after } of files) if (textAt(path) !== after) putText(path, after)
  const checks: Check[] = files.map(({ path }) => ({
    name: agent.name,
    status: 'ok',
    detail: `set up ${path}`,
  }))
  const { config } = agent.hooks
  const trusted = config ? [await trust(agent, agent.hooks, config, ports)] : []
  return [program, ...checks, ...trusted]
}

/** Takes all of that out of the agent's files again. */
export function removeAgent(agent: Agent, ports: AgentSetupPorts): Check[] {
  const done = readDone(agent, ports)
  const { hooks } = agent
  if (!hooks) return []
  const places = wanted(agent, hooks, ports)
  const paths = [...new Set([...done.files, ...places].map(({ path }) => path))]
  const checks = paths.flatMap((path): Check[] => {
    const now = textAt(path)
    const known = done.files.find((file) => file.path === path)
    const place = places.find((one) => one.path === path)
    const cut = place?.cut ?? ((text) => withoutTrust(text, done.trust))
    const bare = known && known.after === now ? known.before : cut(now)
    if (bare === now) return []
    putText(path, bare)
    return [{ name: agent.name, status: 'ok', detail: `removed agent-chat from ${path}` }]
  })
  rmSync(recordOf(agent, ports), { force: true })
  return checks.length > 0
    ? checks
    : [{ name: agent.name, status: 'ok', detail: 'nothing of agent-chat was set up' }]
}

async function trust(
  agent: Agent,
  hooks: AgentHooks,
  config: string,
  ports: AgentSetupPorts,
): Promise<Check> {
  const name = agent.name
  const hint = `run: agent-chat setup --agent ${name} --yes; or start ${agent.title}, and trust them there`
  const path = join(directoryOf(hooks, ports), config)
  const before = textAt(path)
  const program = findProgram(agent.programs[0], ports.env) ?? agent.programs[0]
  const isOurs = (command: string) => isOwnCommand(agent, command)
  const agree = async () =>
    (await ports.ask?.(`Let ${agent.title} run the hooks of agent-chat?`)) ?? false
  const at = { program, env: ports.env, hooks: hooksPath(hooks, ports) }
  const done = await trustHooks(at, isOurs, agree)
  if (typeof done === 'string') return { name, status: 'warning', detail: done, hint }
  const record = readDone(agent, ports)
  const known = record.files.find((file) => file.path === path)
  const bare = known && known.after === before ? known.before : before
  const after = textAt(path)
  const edited = after === null || after === before ? known : { path, before: bare, after }
  const others = record.files.filter((file) => file.path !== path)
  writeDone(agent, { files: [...others, ...(edited ? [edited] : [])], trust: done.trust }, ports)
  return done.agreed
    ? { name, status: 'ok', detail: `${agent.title} runs the hooks of agent-chat` }
    : {
        name,
        status: 'warning',
        detail: `${agent.title} does not trust the hooks yet, and runs none`,
        hint,
      }
}
