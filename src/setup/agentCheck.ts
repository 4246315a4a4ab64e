import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent, AgentHooks } from '../agents/agent.ts'
import { readJson } from '../system/json.ts'
import { findProgram } from '../system/programs.ts'
import { runQuietly } from '../system/run.ts'
import { textAt } from './agentFiles.ts'
import {
  type AgentSetupPorts,
  commandsOf,
  type Done,
  directoryOf,
  hooksPath,
  readDone,
  wanted,
} from './agentPlaces.ts'
import { isTrusted } from './agentTrust.ts'
import type { Check } from './check.ts'
import { atLeast } from './programs.ts'

const VERSION_MS = 15_000

/**
 * What an installed agent can do here and what is missing; nothing for one that is not installed and
 * was never set up.
 */
export async function checkAgent(agent: Agent, ports: AgentSetupPorts): Promise<Check[]> {
  const done = readDone(agent, ports)
  if (
    !agent.hooks ||
    (findProgram(agent.programs[0], ports.env) === undefined && !done.files.length)
  )
    return []
  const program = await checkProgram(agent, ports.env)
  if (program.status !== 'ok') return [{ ...program, status: 'warning' }]
  const warning = ({ detail, hint }: Missing): Check => ({
    ...{ name: agent.name, status: 'warning', hint },
    detail: `${program.detail}; ${detail}`,
  })
  const hooks = hooksTrouble(agent, agent.hooks, done, ports)
  const runtime = await runtimeTrouble(ports)
  const missing = [hooks, runtime, sandboxTrouble(agent, agent.hooks, ports)]
  const warnings = missing.filter((one) => one !== undefined).map(warning)
  if (warnings.length > 0) return warnings
  const { config } = agent.hooks
  const lacks = Object.values(agent.lacks).length
  const more = lacks === 0 ? '' : `; ${lacks} things differ from Claude Code: docs/agents.md`
  return [
    { ...program, detail: `${program.detail}, hooks set up${config ? ' and trusted' : ''}${more}` },
  ]
}

type Missing = { detail: string; hint: string }

function hooksTrouble(
  agent: Agent,
  hooks: AgentHooks,
  done: Done,
  ports: AgentSetupPorts,
): Missing | undefined {
  const hint = `set them up with: agent-chat setup --agent ${agent.name}`
  const text = textAt(hooksPath(hooks, ports))
  if (hooks.source !== undefined && text !== wanted(agent, hooks, ports)[0]?.add(null))
    return { detail: `its extension is not set up: no bell, no state, and ${NO_GATE}`, hint }
  const commands = commandsOf(agent, hooks, ports)
  const isFormer = ({ former }: (typeof commands)[number]) => former.some((one) => has(text, one))
  const isThere = (one: (typeof commands)[number]) => has(text, one.command) || isFormer(one)
  if (commands.length > 0 && !commands.some(isThere))
    return { detail: `its hooks are not set up: no state, and ${NO_GATE}`, hint }
  if (!commands.every(isThere)) return { detail: 'its hooks are not complete', hint }
  if (commands.some(isFormer))
    return {
      detail: `an earlier version has set up its hooks: where they cannot run, ${NO_GATE}`,
      hint: `set them up again with: agent-chat setup --agent ${agent.name}`,
    }
  const { config } = hooks
  if (config && !isTrusted(textAt(join(directoryOf(hooks, ports), config)), done.trust))
    return {
      detail: `it does not trust the hooks of agent-chat and runs none of them: ${NO_GATE}`,
      hint: `${hint} --yes`,
    }
  return undefined
}

/** Hooks are run by the native program, or the `node` of the agent's own PATH. */
async function runtimeTrouble({ env, self }: AgentSetupPorts): Promise<Missing | undefined> {
  if (findProgram('node', env) !== undefined) return undefined
  const program = join(self.root, 'bin', 'agent-chat')
  if ((await runQuietly(['/bin/sh', program, '--version'], env, VERSION_MS)).code === 0)
    return undefined
  return {
    detail:
      'node is not on PATH, and its hooks need it: every call of a session asks or is refused',
    hint: 'install Node 20.19 or newer, or add the directory of node to PATH',
  }
}

function has(text: string | null, command: string): boolean {
  return text?.includes(JSON.stringify(command)) ?? false
}

function sandboxTrouble(
  { sandbox }: Agent,
  hooks: AgentHooks,
  ports: AgentSetupPorts,
): Missing | undefined {
  if (!sandbox) return undefined
  const path = join(directoryOf(hooks, ports), sandbox.file)
  if (!sandbox.closed.test(textAt(path) ?? '')) return undefined
  return {
    detail: 'commands in its sandbox cannot write: send and inbox do not work there',
    hint: `in ${path}, ${sandbox.remedy}`,
  }
}

const NO_GATE = 'nobody is asked before a message changes something'

/** Whether its program is there, in a version that is known to work. */
export async function checkProgram(agent: Agent, env: NodeJS.ProcessEnv): Promise<Check> {
  const [program] = agent.programs
  const path = findProgram(program, env)
  const hint = `install it with: ${agent.install.join(' ')}`
  if (path === undefined)
    return { name: agent.name, status: 'failed', detail: `${program} is not installed`, hint }
  const version =
    packageVersion(path) ??
    /\d+(\.\d+)+/.exec((await runQuietly([path, '--version'], env, VERSION_MS)).stdout)?.[0]
  const { oldest } = agent.versions
  if (version === undefined)
    return {
      name: agent.name,
      status: 'failed',
      detail: `${path} does not print its version`,
      hint,
    }
  if (!atLeast(version, numbers(oldest)))
    return {
      name: agent.name,
      status: 'failed',
      detail: `${version} is older than ${oldest}`,
      hint,
    }
  const { tested } = agent.versions
  const newer = version !== tested && atLeast(version, numbers(tested))
  const detail = newer ? `${version} (agent-chat is tested with ${tested})` : version
  return { name: agent.name, status: 'ok', detail }
}

/** The version of the npm package that a program is from: some take seconds to say theirs. */
function packageVersion(path: string): string | undefined {
  let at = realpathSync(path)
  for (let up = 0; up < 4; up += 1) {
    at = dirname(at)
    const { version, bin } = Object(readJson(join(at, 'package.json')))
    if (bin !== undefined && typeof version === 'string') return version
  }
  return undefined
}

function numbers(version: string): [number, number] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return [major, minor]
}
