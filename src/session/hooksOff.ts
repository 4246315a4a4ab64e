import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { findSession, readSessions, type Session } from '../bus/names/registry.ts'
import { isCoded } from '../errors.ts'
import { argumentsOf, directoryOf, environmentOf } from '../system/commandLine.ts'
import { fieldOf, readJson } from '../system/json.ts'
import {
  type Processes,
  type ProcessInfo,
  type ProcessRef,
  sameProcess,
} from '../system/processes.ts'
import { userHome } from '../system/user.ts'
import { isBelow } from './agent.ts'
import { type ClientPlace, type Settings, settingsOf } from './clientSettings.ts'
import type { SessionState } from './state.ts'
import { believedState, findState } from './stateFile.ts'
import { isMarkedStranger } from './strangers.ts'

type Asked = Pick<Session, 'agent' | 'name'> & Partial<Pick<Session, 'program' | 'cwd' | 'native'>>

type Place = {
  home: Parameters<typeof believedState>[0] & Parameters<typeof findState>[0]
  processes: Pick<Processes, 'find' | 'isAlive' | 'all'>
}

/** Claude Code by its name: the native program, or what Node runs. */
const CLAUDE = /(?:^|\/)claude(?:[-.][\w.-]*)?(?:\/cli\.js)?$/

/** Flags under which Claude Code runs no plugin's hooks. */
const FLAGS = ['--bare', '--safe-mode']

/** Fields of an administrator's settings that allow no plugin's hooks. */
const RULES = ['allowManagedHooksOnly', 'disableAllHooks']

/**
 * Why our hooks do not run in a session whose agent should have them: a Claude Code with this
 * plugin. Undefined where they run, and for an agent that never had any. What cannot be judged is
 * not woken by typing, and is not handed what others wrote.
 */
export function hooksReason(session: Asked, place: Place): string | undefined {
  return guardOf(session, place).no_hooks
}

/** Of a Claude Code that has our plugin, and of which nothing has come yet. */
const UNHEARD = 'no hook of this Claude Code has been heard: agent-chat doctor'

/** Why nothing guards a session: its hooks do not run, or its program has none of ours. */
export type Guard = { no_hooks?: string; no_guardrails?: string }

/** Of a program that brings no hooks of ours, whatever it is. */
export const UNGUARDED: Guard = { no_guardrails: 'it runs no hooks of agent-chat' }

/**
 * As `hooksReason`, and tells of a program that has no hooks of ours. Nothing is known of another
 * agent than Claude Code, nor of a session without a process.
 */
export function guardOf(session: Asked, { home, processes }: Place): Guard {
  if (session.program !== undefined) return {}
  const told = heardOf(session, { home, processes })
  const client = told?.agent ?? clientOf(session, processes)
  // One that is registered as a Claude Code with this plugin has hooks, whatever it looks like.
  const none = session.native || !isThere(session, processes) ? {} : UNGUARDED
  if (!client) return none
  const place = placeOf(client.pid, session)
  const heard = told !== undefined || wasHeard(client, place, home)
  const settings = settingsOf(place)
  const off = hooksOff(place, settings) ?? pluginGone(told)
  if (!heard && !bringsPlugin(place, settings)) return none
  if (off !== undefined) return { no_hooks: `hooks do not run here: ${off}` }
  return heard ? {} : { no_hooks: UNHEARD }
}

/** What hooks told of the registered process, or of one below it while that lives. */
function heardOf(session: Asked, { home, processes }: Place): SessionState | undefined {
  const told = believedState(home, session.name, processes)
  const agent = told?.agent
  if (!agent || !session.agent || !isThere(session, processes)) return told
  const isOurs =
    sameProcess(agent, session.agent) || isBelow(processes, agent.pid, session.agent.pid)
  return isOurs ? told : undefined
}

/** Claude Code starts no hook of a plugin whose folder was moved or removed (2.1.329). */
function pluginGone(told: SessionState | undefined): string | undefined {
  const isGone = told?.plugin !== undefined && !existsSync(told.plugin)
  return isGone ? `the plugin’s folder ${told.plugin} is gone` : undefined
}

/** Whether hooks told of this Claude Code before it had this name: as another session, or as none. */
function wasHeard(client: ProcessRef, place: ClientPlace, home: Place['home']): boolean {
  const isIt = ({ agent }: SessionState) => sameProcess(agent, client)
  return isMarkedStranger(client, place) || findState(home, isIt) !== undefined
}

function isThere({ agent }: Asked, processes: Place['processes']): boolean {
  return agent !== null && processes.isAlive(agent)
}

/** As `hooksReason`, by a name; undefined for nobody's, and where the registry cannot be read. */
export function hooksReasonOf(name: string, bus: Bus): string | undefined {
  const session = sessionOf(name, bus.home)
  return session && hooksReason(session, bus)
}

/**
 * Why a message to this session wakes nobody, or undefined. A worker starts its client when it wants
 * to, and waits itself until a hook of it was heard: only what keeps hooks from running is told.
 */
export function whyNotWoken(name: string, bus: Bus): string | undefined {
  const session = sessionOf(name, bus.home)
  const why = session && hooksReason(session, bus)
  return why === UNHEARD && session?.worker ? undefined : why
}

function sessionOf(name: string, home: Bus['home']): Session | undefined {
  try {
    return findSession(readSessions(home), name)
  } catch (error) {
    if (isCoded(error, 'REGISTRY_BROKEN')) return undefined
    throw error
  }
}

/** What keeps a Claude Code from running our hooks, by its flags and settings; else undefined. */
export function hooksOff(place: ClientPlace, settings = settingsOf(place)): string | undefined {
  const flag = FLAGS.find((one) => place.argv.includes(one))
  if (flag !== undefined) return `it was started with ${flag}`
  for (const { whose, path, value } of settings) {
    const rules = whose === 'managed' ? RULES : ['disableAllHooks']
    const rule = rules.find((name) => fieldOf(value, name) === true)
    if (rule !== undefined) return `${path} has ${rule}`
  }
  const last = switches(settings).at(-1)
  if (last === undefined || last.on || isNamed(place.argv)) return undefined
  return `${last.path} has ${last.key} switched off in enabledPlugins`
}

/** The registered process where it is a Claude Code, or the one below it. */
function clientOf({ agent }: Asked, processes: Place['processes']): ProcessRef | undefined {
  if (!agent || !processes.isAlive(agent)) return undefined
  const isClaude = ({ pid, command }: ProcessInfo) =>
    CLAUDE.test(command) ||
    (argumentsOf(pid)
      ?.slice(0, 2)
      .some((word) => CLAUDE.test(word)) ??
      false)
  const own = processes.find(agent.pid)
  if (own && isClaude(own)) return agent
  const all = processes.all()
  const below = new Set([agent.pid])
  for (let size = 0; size !== below.size; ) {
    size = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  return all.find((info) => below.has(info.pid) && isClaude(info))
}

function placeOf(pid: number, { cwd }: Asked): ClientPlace {
  const env = environmentOf(pid) ?? {}
  const argv = argumentsOf(pid) ?? []
  return { env, userHome: userHome(env), cwd: directoryOf(pid) ?? cwd ?? '', argv }
}

/** Whether any settings bring our plugin into this Claude Code, or its command line does. */
function bringsPlugin({ argv }: ClientPlace, settings: Settings[]): boolean {
  return isNamed(argv) || switches(settings).some(({ on }) => on)
}

/** Whether our folder is named on the command line: settings do not switch that one off. */
function isNamed(argv: readonly string[]): boolean {
  const named = argv.flatMap((word, at) => (argv[at - 1] === '--plugin-dir' ? [word] : []))
  const paths = named.map((path) => `${path}/.claude-plugin/plugin.json`)
  return paths.some((path) => fieldOf(readJson(path), 'name') === 'agent-chat')
}

/** What settings say of our plugin, the strongest last. */
function switches(settings: Settings[]): { path: string; key: string; on: boolean }[] {
  return settings.flatMap(({ path, value }) => {
    const plugins = fieldOf(value, 'enabledPlugins')
    if (typeof plugins !== 'object' || plugins === null) return []
    return Object.entries(plugins)
      .filter(([key]) => key.startsWith('agent-chat@'))
      .map(([key, on]) => ({ path, key, on: on !== false }))
  })
}
