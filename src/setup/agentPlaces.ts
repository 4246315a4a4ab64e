import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, AgentHooks } from '../agents/agent.ts'
import type { Bus } from '../bus/bus.ts'
import { makeDirectory, replaceFile } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { shellQuoted } from '../system/shellQuoted.ts'
import { userHome } from '../system/user.ts'
import { type Edited, withBlock, withHooks, withoutBlock, withoutHooks } from './agentFiles.ts'
import { ASKED, judges, REFUSED, STARTS } from './hookGuard.ts'

export type AgentSetupPorts = {
  env: NodeJS.ProcessEnv
  self: { root: string }
  bus: () => Bus
  /** Whether a person agrees; undefined where nobody is there. */
  ask: ((question: string) => Promise<boolean>) | undefined
}

/** What setup has done for an agent: the files that it changed, and what marks its hooks as trusted. */
export type Done = { files: Edited[]; trust: Record<string, string> }

type Place = {
  path: string
  cut: (text: string | null) => string | null
  add: (text: string | null) => string
}

/** The files that are changed, and how. */
export function wanted(agent: Agent, hooks: AgentHooks, ports: AgentSetupPorts): Place[] {
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

/**
 * The hooks by their events: `bin/agent-chat` runs the native program where there is one, else Node.
 * `former`: what earlier versions wrote, without a guard.
 */
export function commandsOf(agent: Agent, hooks: AgentHooks, { self }: AgentSetupPorts) {
  const script = shellQuoted(join(self.root, 'bin', 'agent-chat'))
  const before = shellQuoted(join(self.root, 'dist', 'hook.js'))
  const entryOf = hooks.entry ?? claudeEntry
  return hooks.events.map(({ event, word, timeout }) => {
    const guard = shellQuoted(isJudge(word) ? judges(unjudged(agent, hooks)) : STARTS)
    const command = `/bin/sh -c ${guard} ${script} --hook ${word} ${agent.name}`
    const former = [
      `sh ${script} --hook ${word} ${agent.name}`,
      `node ${before} ${word} ${agent.name}`,
    ]
    return { event, command, former, entry: entryOf(command, timeout) }
  })
}

function isJudge(word: string): boolean {
  return word === 'pre-tool-use' || word === 'early-tool-use'
}

/** What this agent is told of a call that nobody could judge, as `fitted()` has it. */
function unjudged({ ask }: Agent, { answer }: AgentHooks): object {
  const asks = ask === 'dialog'
  const said = {
    hookEventName: 'PreToolUse',
    permissionDecision: asks ? 'ask' : 'deny',
    permissionDecisionReason: asks ? ASKED : REFUSED,
  }
  return answer(said, undefined)
}

function claudeEntry(command: string, timeout: number): object {
  return { hooks: [{ type: 'command', command, timeout }] }
}

const OWN = /\/(dist\/hook\.js'|bin\/agent-chat' --hook) [a-z-]+ [a-z]+$/

/** Also one that another version, in another place, has added: `node '…/dist/hook.js' stop codex`. */
export function isOwnCommand(agent: Agent, command: string): boolean {
  return OWN.test(command) && command.endsWith(` ${agent.name}`)
}

export function directoryOf({ directory }: AgentHooks, { env }: AgentSetupPorts): string {
  const { variable = '', home = '', below } = directory
  const { XDG_CONFIG_HOME: config } = env
  if (config && below.startsWith('.config/')) return join(config, below.slice('.config/'.length))
  return env[variable] || join(env[home] || env.HOME || userHome(), below)
}

export function hooksPath(hooks: AgentHooks, ports: AgentSetupPorts): string {
  return join(directoryOf(hooks, ports), hooks.file)
}

export function recordOf(agent: Agent, ports: AgentSetupPorts): string {
  return ports.bus().home.agentSetup(agent.name)
}

export function readDone(agent: Agent, ports: AgentSetupPorts): Done {
  const value = readJson(recordOf(agent, ports)) as Partial<Done> | undefined
  return { files: value?.files ?? [], trust: value?.trust ?? {} }
}

export function writeDone(agent: Agent, done: Done, ports: AgentSetupPorts): void {
  makeDirectory(ports.bus().home.agentSetups)
  replaceFile(recordOf(agent, ports), `${JSON.stringify(done)}\n`)
}
