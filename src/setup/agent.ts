import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent, AgentHooks } from '../agents/agent.ts'
import type { Bus } from '../bus/bus.ts'
import { ensureHome } from '../bus/home.ts'
import { makeDirectory, replaceFile } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { findProgram } from '../system/programs.ts'
import { runQuietly } from '../system/run.ts'
import { userHome } from '../system/user.ts'
import {
  type Edited,
  putText,
  textAt,
  withBlock,
  withHooks,
  withoutBlock,
  withoutHooks,
} from './agentFiles.ts'
import { isTrusted, trustHooks, withoutTrust } from './agentTrust.ts'
import type { Check } from './check.ts'
import { atLeast } from './programs.ts'

export type AgentSetupPorts = {
  env: NodeJS.ProcessEnv
  self: { root: string }
  bus: () => Bus
  /** Whether a person agrees; undefined where nobody is there. */
  ask: ((question: string) => Promise<boolean>) | undefined
}

/** What setup has done for an agent: the files that it changed, and what marks its hooks as trusted. */
type Done = { files: Edited[]; trust: Record<string, string> }

const VERSION_MS = 15_000

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
  const hint = `set them up with: agent-chat setup --agent ${agent.name}`
  const missing = (detail: string): Check[] => [
    { name: agent.name, status: 'warning', detail: `${program.detail}; ${detail}`, hint },
  ]
  const path = hooksPath(agent.hooks, ports)
  const text = textAt(path)
  if (agent.hooks.source !== undefined && text !== wanted(agent, agent.hooks, ports)[0]?.add(null))
    return missing(`its extension is not set up: no bell, no state, and ${NO_GATE}`)
  const commands = commandsOf(agent, agent.hooks, ports).map(({ command }) =>
    JSON.stringify(command),
  )
  if (commands.length > 0 && !commands.some((command) => text?.includes(command)))
    return missing(`its hooks are not set up: no state, and ${NO_GATE}`)
  if (!commands.every((command) => text?.includes(command)))
    return missing('its hooks are not complete')
  const { config } = agent.hooks
  if (config && !isTrusted(textAt(join(directoryOf(agent.hooks, ports), config)), done.trust))
    return missing(`it does not trust the hooks of agent-chat and runs none of them: ${NO_GATE}`)
  const lacks = Object.values(agent.lacks).length
  const more = lacks === 0 ? '' : `; ${lacks} things differ from Claude Code: docs/agents.md`
  return [
    { ...program, detail: `${program.detail}, hooks set up${config ? ' and trusted' : ''}${more}` },
  ]
}

const NO_GATE = 'nobody is asked before a message changes something'

async function checkProgram(agent: Agent, env: NodeJS.ProcessEnv): Promise<Check> {
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
  return { name: agent.name, status: 'ok', detail: version }
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

type Place = {
  path: string
  cut: (text: string | null) => string | null
  add: (text: string | null) => string
}

/** The files that are changed, and how. */
function wanted(agent: Agent, hooks: AgentHooks, ports: AgentSetupPorts): Place[] {
  const path = hooksPath(hooks, ports)
  const hookFile: Place = {
    path,
    cut: (text) => withoutHooks(path, text, (command) => isOwnCommand(agent, command)),
    add: (text) => withHooks(path, text, commandsOf(agent, hooks, ports)),
  }
  const { source } = hooks
  if (source !== undefined) {
    const text = readFileSync(join(ports.self.root, source), 'utf8')
    hookFile.cut = () => null
    hookFile.add = () =>
      text
        .replaceAll('@ROOT@', () => JSON.stringify(ports.self.root).slice(1, -1))
        .replaceAll('@AGENT@', agent.name)
  }
  if (hooks.own) {
    hookFile.cut = () => null
    hookFile.add = () => withHooks(path, JSON.stringify(hooks.own), commandsOf(agent, hooks, ports))
  }
  const { policy } = agent
  const own: Place[] = policy
    ? [
        {
          path: join(directoryOf(hooks, ports), policy.file),
          ...{ cut: () => null, add: () => policy.text },
        },
      ]
    : []
  if (!agent.instructions) return [hookFile, ...own]
  const skill = readFileSync(join(ports.self.root, 'skills', 'agent-chat', 'SKILL.md'), 'utf8')
  const words = skill.replace(/^---\n[\s\S]*?\n---\n/, '')
  const instructions: Place = {
    path: join(directoryOf(hooks, ports), agent.instructions.file),
    ...(agent.instructions.skill
      ? { cut: (text) => (text === skill ? null : text), add: () => skill }
      : { cut: withoutBlock, add: (text) => withBlock(text, words) }),
  }
  return [hookFile, instructions, ...own]
}

function commandsOf(agent: Agent, hooks: AgentHooks, { self }: AgentSetupPorts) {
  const script = `'${join(self.root, 'dist', 'hook.js').replaceAll("'", "'\\''")}'`
  const entryOf = hooks.entry ?? claudeEntry
  return hooks.events.map(({ event, word, timeout }) => {
    const command = `node ${script} ${word} ${agent.name}`
    return { event, command, entry: entryOf(command, timeout) }
  })
}

function claudeEntry(command: string, timeout: number): object {
  return { hooks: [{ type: 'command', command, timeout }] }
}

/** Also one that another version, in another place, has added. */
function isOwnCommand(agent: Agent, command: string): boolean {
  return /\/dist\/hook\.js' [a-z-]+ [a-z]+$/.test(command) && command.endsWith(` ${agent.name}`)
}

function directoryOf({ directory }: AgentHooks, { env }: AgentSetupPorts): string {
  const { variable = '', home = '', below } = directory
  const { XDG_CONFIG_HOME: config } = env
  if (config && below.startsWith('.config/')) return join(config, below.slice('.config/'.length))
  return env[variable] || join(env[home] || env.HOME || userHome(), below)
}

function hooksPath(hooks: AgentHooks, ports: AgentSetupPorts): string {
  return join(directoryOf(hooks, ports), hooks.file)
}

function recordOf(agent: Agent, ports: AgentSetupPorts): string {
  return ports.bus().home.agentSetup(agent.name)
}

function readDone(agent: Agent, ports: AgentSetupPorts): Done {
  const value = readJson(recordOf(agent, ports)) as Partial<Done> | undefined
  return { files: value?.files ?? [], trust: value?.trust ?? {} }
}

function writeDone(agent: Agent, done: Done, ports: AgentSetupPorts): void {
  makeDirectory(ports.bus().home.agentSetups)
  replaceFile(recordOf(agent, ports), `${JSON.stringify(done)}\n`)
}
