import { existsSync, linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { ancestors, isShell } from '../session/agent.ts'
import { markIn, strangersIn } from '../session/strangers.ts'
import { unless } from '../system/errno.ts'
import { isThere, makeDirectory, namesIn } from '../system/files.ts'
import { type ProcessRef, processList, sameProcess } from '../system/processes.ts'
import { ownPid } from '../system/user.ts'
import { hookAgent, participant } from './participant.ts'
import type { HookPorts } from './ports.ts'

/**
 * Marks this Claude Code as a stranger where it is no session of ours: the guards in `hooks.json`
 * then start nothing for it. `strangers/<pid>/` in the plugin's own directory has `now`, which leads
 * to the registry, and a second name of the registry that was judged: the start of the client.
 *
 * Whoever joins or leaves replaces the registry. The two are then two files, and the next hook is
 * judged again: no join has a mark to write or to take away. `begins`: a session does; else only a
 * mark that is there is renewed.
 */
export function markStranger(ports: HookPorts, begins: boolean): void {
  const { CLAUDE_PLUGIN_DATA: data = '', CLAUDE_PID: pid } = ports.env
  const all = strangersIn(data)
  const place = `${all}/${Number(pid)}`
  if (ports.agent || !isAbsolute(data)) return
  try {
    if (!begins && !isThere(place)) return
    if (begins) forget(place)
    if (begins) for (const one of [all, `${data}/bells`]) forgetEnded(ports, one)
    const client = clientAbove(ports)
    if (!client || !isMarked(ports, all, client)) forget(place)
  } catch {
    // Without a mark each hook starts Node, as in a session of ours.
  }
}

/** The Claude Code that started this hook, with nothing but shells between; undefined for any other. */
function clientAbove(ports: HookPorts): ProcessRef | undefined {
  const { env, bus } = ports
  const { processes } = bus()
  // The guards look at Linux's /proc, and start Node for whoever has a name.
  const isLooked = processList() !== undefined && !processes.hidden
  if (!isLooked || (env.AGENT_CHAT_NAME ?? env.AGENT_CHAT_WORKER) !== undefined) return undefined
  const client = hookAgent(ports)
  if (!client) return undefined
  for (const above of ancestors(processes, processes.self().pid)) {
    if (sameProcess(above, client)) return client
    if (!isShell(above.command)) return undefined
  }
  return undefined
}

/** Judges this session, and marks a stranger. */
function isMarked(ports: HookPorts, all: string, client: ProcessRef): boolean {
  const { sessions } = ports.bus().home
  const mark = markIn(all, client)
  const place = dirname(mark)
  const judged = `${mark}.${ownPid()}`
  makeDirectory(place)
  // Before it is judged: who joins meanwhile replaces it.
  if (existsSync(sessions)) linkSync(sessions, judged)
  else writeFileSync(judged, '')
  if (participant(ports)) return false
  renameSync(judged, mark)
  // Two names of one file are left as they are.
  rmSync(judged, { force: true })
  unless(['EEXIST'], () => symlinkSync(sessions, `${place}/now`))
  return true
}

/** Removes what is of clients that have ended. */
function forgetEnded({ bus }: HookPorts, all: string): void {
  const pids = namesIn(all).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) if (!bus().processes.find(Number(pid))) forget(`${all}/${pid}`)
}

function forget(place: string): void {
  rmSync(place, { recursive: true, force: true })
}
