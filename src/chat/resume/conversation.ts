import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { isConversation } from '../../agents/argumentsBack.ts'
import type { Bus } from '../../bus/bus.ts'
import type { LaunchRecord } from '../../session/launched.ts'
import { findState, readState } from '../../session/stateFile.ts'
import { argumentsOf } from '../../system/commandLine.ts'
import { unless } from '../../system/errno.ts'
import { namesIn } from '../../system/files.ts'
import { fieldOf, jsonOf, readJson } from '../../system/json.ts'
import { linesFromEnd } from '../../system/lines.ts'
import { sameProcess } from '../../system/processes.ts'
import { runQuietly } from '../../system/run.ts'

/** A conversation, and the configuration folder of the agent that keeps it. */
export type Conversation = { id: string; agent: Agent; config: string }

/** How long an agent may take to list what it runs in the background. In milliseconds. */
const LIST_MS = 20_000

/** The agent's own configuration folder. */
export function configOf({ resume }: Agent, { config }: LaunchRecord, userHome: string): string {
  return config ?? join(userHome, resume?.folder.below ?? '')
}

/**
 * The conversation that a session was in, by what its hooks told, else by the arguments that chose
 * it. Of another start than this one, what hooks told does not count.
 */
export function conversationIn(
  { home }: Pick<Bus, 'home'>,
  name: string,
  launch: LaunchRecord,
  chosen: string | undefined,
): string | undefined {
  const state = readState(home, name)
  const isOfIt = state && (sameProcess(state.agent, launch.agent) || state.since >= launch.started)
  const told = isOfIt ? state.session_id : undefined
  return isConversation(told) ? told : chosen
}

/**
 * Why the agent cannot go on with a conversation, by what it has kept of it; undefined where it can.
 */
export function whyNotKept({ id, agent, config }: Conversation): string | undefined {
  if (!agent.resume) return undefined
  const { records, answered } = agent.resume
  const folder = join(config, records.folder)
  const all = unless(['ENOENT', 'ENOTDIR', 'EACCES'], () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  )
  const files = (all ?? [])
    .map((file) => `${folder}/${file}`)
    .filter((path) => path.endsWith(records.file(id)) && isFile(path))
  if (files.length === 0) return 'nothing of its conversation is kept'
  return answered === undefined || files.some((path) => hasLine(path, answered))
    ? undefined
    : 'its conversation has no answer yet'
}

/** A link that leads nowhere is none. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function hasLine(path: string, pattern: RegExp): boolean {
  for (const line of linesFromEnd(path)) if (pattern.test(line)) return true
  return false
}

/**
 * Where a conversation runs now, in words; undefined where it does not. `but`: processes that are
 * the one that has just gone on with it.
 */
export function runsIn(
  { id, agent, config }: Conversation,
  { home, processes }: Bus,
  but: (pid: number) => boolean = () => false,
): string | undefined {
  const state = findState(
    home,
    ({ session_id, agent: its }) =>
      session_id === id && its !== null && processes.isAlive(its) && !but(its.pid),
  )
  if (state) return `@${state.name} has it open`
  const { running } = agent.resume ?? {}
  for (const file of running ? namesIn(join(config, running)) : []) {
    const value = readJson(join(config, running ?? '', file))
    const pid = Number(fieldOf(value, 'pid') ?? file.replace(/\.json$/, ''))
    if (fieldOf(value, 'sessionId') !== id || but(pid)) continue
    const start = fieldOf(value, 'procStart')
    const found = processes.find(pid)
    if (found && (start === undefined || found.started.endsWith(`-${start}`)))
      return `process ${pid} has it open`
  }
  for (const { pid } of processes.all())
    if (!but(pid) && isOpenedBy(argumentsOf(pid) ?? [], id, agent))
      return `process ${pid} has it open`
  return undefined
}

/** Whether this command line is the agent's, with this conversation. */
function isOpenedBy(words: string[], id: string, { programs }: Agent): boolean {
  return (
    words.some((word) => word === id || word.endsWith(`=${id}`)) &&
    words.slice(0, 2).some((word) => programs.includes(basename(word)))
  )
}

/**
 * The conversations that an agent runs in the background; `not said` where it should list them and
 * does not. One that is too old to have a list runs none.
 */
export async function inBackground(
  { agent, config }: Pick<Conversation, 'agent' | 'config'>,
  env: NodeJS.ProcessEnv,
): Promise<string[] | 'not said'> {
  const { lists, folder } = agent.resume ?? {}
  if (!lists || !folder) return []
  const { code, stdout, stderr } = await runQuietly(
    [agent.programs[0], ...lists],
    { ...env, [folder.variable]: config },
    LIST_MS,
  )
  if (code !== 0) return /unknown (option|command)/i.test(stderr) ? [] : 'not said'
  const value = jsonOf(stdout)
  if (!Array.isArray(value)) return 'not said'
  return value.map((one) => fieldOf(one, 'sessionId')).filter(isConversation)
}
