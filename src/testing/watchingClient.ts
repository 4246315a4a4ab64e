import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../bus/bus.ts'
import { ensureHome, homeAt } from '../bus/home.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { systemClock } from '../system/clock.ts'
import { type ProcessRef, systemProcesses } from '../system/processes.ts'
import { DIST } from './cli.ts'
import { tempDirectory } from './home.ts'
import { hookLine, startClient } from './startClient.ts'

const DATA = '.claude/plugins/data/agent-chat-inline'

export type Place = { root: string; bus: Bus }

/** A user's directory, with no home in it yet. */
export function place(): Place {
  const root = tempDirectory()
  const home = homeAt(join(root, 'agent-chat'))
  return { root, bus: { home, clock: systemClock(), processes: systemProcesses() } }
}

/**
 * A Claude Code, as 2.1.329 watches: it takes up a list of directories that is another than the one
 * before, of those that are there then, and hears of a directory until it is gone.
 */
export async function watchingClient(
  { root }: Place,
  { data = join(root, DATA), ...given }: Record<string, string> = {},
) {
  const own = { PATH: process.env.PATH ?? '', HOME: root, ...given }
  const { ref, run } = await startClient(own)
  const env = { ...own, CLAUDE_PID: String(ref.pid) }
  let list: string[] = []
  let watched: { path: string; is: string; knows: Map<string, number> }[] = []
  const take = (paths: string[]) => {
    if (paths.length === 0 || JSON.stringify(paths) === JSON.stringify(list)) return
    list = paths
    watched = paths.map((path) => ({ path, is: identity(path), knows: filesOf(path) }))
  }
  const hook = async (word: string, payload: object = {}) => {
    const given = { ...env, CLAUDE_PLUGIN_DATA: data }
    const ran = await run(hookLine(word), given, JSON.stringify(payload))
    take(ran.stdout ? (JSON.parse(ran.stdout).hookSpecificOutput?.watchPaths ?? []) : [])
    return ran
  }
  /** Runs the hooks for all files that have changed, and gives what woke it. */
  const hears = async () => {
    const woken: string[] = []
    for (const { path, is, knows } of watched) {
      if (identity(path) !== is) continue
      for (const [file, time] of filesOf(path)) {
        if (knows.get(file) === time) continue
        knows.set(file, time)
        const event = { file_path: file, event: 'add', hook_event_name: 'FileChanged' }
        await hook('joined', event)
        const rung = await hook('bell', event)
        if (rung.status === 2) woken.push(rung.stderr)
      }
    }
    return woken
  }
  const chat = (args: string[], moved: Record<string, string> = {}) =>
    run([RUNTIME, join(DIST, 'main.js'), ...args], { ...env, ...moved })
  const bell = join(data, 'bells', String(ref.pid))
  return { ref, bell, hook, hears, chat, list: () => list }
}

export type WatchingClient = Awaited<ReturnType<typeof watchingClient>>

const identity = (path: string) => {
  const { ino, birthtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return `${ino} ${birthtimeMs}`
}

function filesOf(path: string): Map<string, number> {
  const names = statSync(path, { throwIfNoEntry: false }) ? readdirSync(path) : []
  return new Map(names.map((name) => [join(path, name), statSync(join(path, name)).mtimeMs]))
}

/** Its SessionStart. */
export const start = (it: WatchingClient) => it.hook('session-start', { source: 'startup' })

/** Another program registers a session, and makes the home for that: this client, or another's. */
export function registers({ home }: Bus, agent: ProcessRef | null = null): void {
  ensureHome(home)
  const name = agent ? 'carol' : 'other'
  const session = { name, agent, native: true, doorbell: 'auto' }
  writeFileSync(`${home.sessions}.new`, JSON.stringify({ [name]: session }))
  renameSync(`${home.sessions}.new`, home.sessions)
}

/** The home is removed with all that is in it. */
export const away = ({ bus }: Place) => rmSync(bus.home.root, { recursive: true })

/** Runs `join` in the client, and gives what it said on standard error. */
export const joins = async (it: WatchingClient, here: Place) => {
  mkdirSync(here.bus.home.root, { recursive: true, mode: 0o700 })
  const ran = await it.chat(['join', 'carol', '--no-watch'])
  expect(ran).toMatchObject({ status: 0, stdout: 'joined as @carol\n' })
  return ran.stderr
}

/** Another session sends a message. */
export const send = ({ bus }: Place) =>
  sendMessage(bus, { from: 'other', to: 'carol', kind: 'note', body: 'ready' })
