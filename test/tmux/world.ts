import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { readWaiting, type Waiting } from '../../src/session/waiting.ts'
import { liveWatcher } from '../../src/session/watcher.ts'
import type { ProcessRef } from '../../src/system/processes.ts'
import { type Run, type RunOptions, runCli } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import { endProcesses } from '../e2e/harness/processes.ts'
import { type TmuxServer, tmuxServer } from '../e2e/harness/tmux.ts'

/** An agent of the test's own in a pane: what its terminal gave it so far, piece by piece. */
export type StandIn = { pane: Pane; pieces: () => string[]; command: string }

/**
 * A home and a tmux server of the running test's own; all that was started with them ends with the
 * test.
 */
export type World = {
  bus: Bus
  server: TmuxServer
  /** Runs the built program as from a pane of this server, outside of any pane. */
  run: (args: string[], options?: Partial<RunOptions>) => Promise<Run>
  /** A directory beside the home. */
  directory: string
}

/** The prompt of `READY`, for `AGENT_CHAT_PROMPT`. */
export const PROMPT = '> '

/** An agent for `--cmd` that shows its input box at once: the launcher need not wait for more. */
export const READY = `sh -c 'printf "${PROMPT}"; exec cat'`

export async function tmuxWorld(): Promise<World> {
  const bus = tempBus()
  onTestFinished(() => endProcesses('AGENT_CHAT_HOME', bus.home.root))
  const server = await serverForTest()
  const run: World['run'] = (args, options = {}) =>
    runCli(args, {
      home: bus.home.root,
      ...options,
      env: { TMUX: `${server.socket},0,0`, ...options.env },
    })
  return { bus, server, run, directory: dirname(bus.home.root) }
}

/** A tmux server that ends with the running test. */
export async function serverForTest(): Promise<TmuxServer> {
  const server = await tmuxServer()
  onTestFinished(() => server.kill())
  return server
}

/**
 * Starts the stand-in in a pane, by itself or, with `inShell`, from a bash that stays when it ends.
 */
export async function standIn(
  world: World,
  options: { inShell?: boolean; server?: TmuxServer } = {},
): Promise<StandIn> {
  const log = join(world.directory, `pieces-${started}`)
  started += 1
  const argv = [process.execPath, join(import.meta.dirname, 'agent.mjs'), log]
  const command = argv.join(' ')
  const server = options.server ?? world.server
  const pane = await server.newSession(options.inShell ? {} : { argv })
  if (options.inShell) await pane.submit(command)
  await pane.waitFor(/^❯/m)
  return { pane, command, pieces: () => piecesIn(log) }
}

let started = 0

/** Joins the session in the pane, and gives its watcher once that watches. */
export async function joinPane(
  world: World,
  name: string,
  pane: Pane,
  ...args: string[]
): Promise<ProcessRef> {
  const { code, stderr } = await world.run(['join', name, pane.id, ...args])
  if (code !== 0) throw new Error(`join ended with ${code}: ${stderr}`)
  return watching(world, name)
}

/** The session's watcher, once it watches. */
export function watching(world: World, name: string): Promise<ProcessRef> {
  const { bus } = world
  return until(`a watcher of @${name}`, () => {
    const watcher = liveWatcher(bus, name)
    return watcher && logOf(world, name).includes('watching the inbox') ? watcher : undefined
  })
}

/** What the session's watcher has logged. */
export function logOf({ bus }: World, name: string): string {
  return textOf(bus.home.watcherLog(name))
}

/** Sends a message without a process of its own; gives its id. */
export function send({ bus }: World, from: string, to: string): string {
  return sendMessage(bus, { from, to, kind: 'handover', body: 'ready' }).message.id
}

/** Waits until the session's doorbell says that it waits, and why. */
export function waits({ bus }: World, name: string, why: RegExp): Promise<Waiting> {
  return until(`@${name} to wait: ${why}`, () => {
    const waiting = readWaiting(bus.home, name)
    return waiting && why.test(waiting.why) ? waiting : undefined
  })
}

/** Waits until this process has ended. */
export async function ended({ bus }: World, what: ProcessRef): Promise<void> {
  await until(`process ${what.pid} to end`, () => !bus.processes.isAlive(what))
}

/** Stops these processes, one after the other, those that still run; gives what has them go on. */
export async function stopped(...all: (ProcessRef | undefined)[]): Promise<() => void> {
  const signal = (pid: number, name: NodeJS.Signals) => {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended by itself.
    }
  }
  const pids = all.flatMap((one) => one?.pid ?? [])
  for (const pid of pids) {
    signal(pid, 'SIGSTOP')
    await until(
      `process ${pid} to stand still`,
      () => !/\) [^TZX] /.test(textOf(`/proc/${pid}/stat`)),
    )
  }
  return () => {
    for (const pid of pids) signal(pid, 'SIGCONT')
  }
}

/** A process of this machine by its pid. */
export function refOf({ bus }: World, pid: number | undefined): ProcessRef {
  const info = pid === undefined ? undefined : bus.processes.find(pid)
  if (!info) throw new Error(`there is no process ${pid}`)
  return { pid: info.pid, started: info.started }
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A terminal may give text in any pieces; a key that came by itself stays a piece of its own. */
function piecesIn(log: string): string[] {
  const pieces: string[] = []
  let open = false
  for (const line of textOf(log).split('\n').filter(Boolean)) {
    const piece = String(JSON.parse(line))
    const text = !/[\r\n\x15]/.test(piece)
    if (open && text) pieces.push(`${pieces.pop()}${piece}`)
    else pieces.push(piece)
    open = text
  }
  return pieces
}
