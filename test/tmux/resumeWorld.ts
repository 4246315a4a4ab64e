import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { readSessions } from '../../src/bus/names/registry.ts'
import { readState } from '../../src/session/stateFile.ts'
import { ROOT, type Run } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'
import { until } from '../../src/testing/until.ts'
import { endProcesses } from '../e2e/harness/processes.ts'
import { type TmuxServer, tmuxServer } from '../e2e/harness/tmux.ts'

type Start = { args: string[]; session_id: string; cwd: string; config: string | null }

/**
 * A home, a tmux server, and a stand-in for Claude Code that is on PATH as `claude`. `reads`: its
 * sessions read their inbox when they are rung.
 */
export async function world({ reads = false } = {}) {
  const bus = tempBus()
  onTestFinished(() => endProcesses('AGENT_CHAT_HOME', bus.home.root))
  const dir = join(bus.home.root, '..')
  const [bin, home, work, heard] = ['bin', 'user', 'work', 'heard'].map((name) =>
    join(dir, name),
  ) as [string, string, string, string]
  for (const folder of [bin, home, work, heard]) mkdirSync(folder)
  symlinkSync(join(import.meta.dirname, 'resumeAgent.mjs'), join(bin, 'claude'))
  const starts = join(dir, 'starts')
  writeFileSync(starts, '')
  let server: TmuxServer = await tmuxServer()
  onTestFinished(() => server.kill())
  const env = () => ({
    ...server.env,
    ...{ HOME: home, AC_STARTS: starts, AC_BIN: join(ROOT, 'bin', 'agent-chat') },
    ...(reads ? { AC_TOLD: heard } : {}),
    PATH: [bin, process.env.PATH].join(delimiter),
  })
  const run = (args: string[], options = {}): Promise<Run> =>
    runAsOwner(args, { home: bus.home.root, cwd: work, env: env(), ...options })
  const started = (): Start[] =>
    readFileSync(starts, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const start = async (name: string, ...args: string[]) => {
    const behind = args.length > 0 ? ['--', ...args] : []
    expect(await run(['start', name, '--detach', ...behind])).toMatchObject({ code: 0 })
    return until(`the hooks of @${name}`, () => readState(bus.home, name)?.session_id ?? undefined)
  }
  /** What the sessions have read, each text with the conversation that read it. */
  const readings = () =>
    readdirSync(heard).map((file) => ({
      session_id: file.slice(0, 36),
      text: readFileSync(join(heard, file), 'utf8'),
    }))
  const pidOf = (name: string) => readSessions(bus.home)[name]?.agent?.pid as number
  /** The tmux server, its panes and their agents. */
  const everything = () => {
    const server_pid = Number(
      execFileSync('tmux', ['-S', server.socket, 'display-message', '-p', '#{pid}'], {
        encoding: 'utf8',
      }),
    )
    const all = bus.processes.all()
    const below = (pid: number): number[] => [
      pid,
      ...all.filter(({ parent }) => parent === pid).flatMap((one) => below(one.pid)),
    ]
    return below(server_pid)
  }
  const newServer = async () => {
    await server.kill()
    server = await tmuxServer()
  }
  return {
    ...{ bus, dir, home, work, env, run, start, started, readings, pidOf, everything, newServer },
    server: () => server,
  }
}

export type World = Awaited<ReturnType<typeof world>>

export async function gone({ bus }: World, pids: number[]): Promise<void> {
  await until('all to end', () => pids.every((pid) => bus.processes.find(pid) === undefined))
}

/** Sends a signal to all that the tmux server runs, and waits for its end. */
export const signalAll = (signal: NodeJS.Signals) => async (here: World) => {
  const pids = here.everything()
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended with the one before.
    }
  }
  if (signal !== 'SIGKILL')
    await here
      .server()
      .tmux('kill-server')
      .catch(() => '')
  await gone(here, pids)
}

/** What a power cut leaves, and a tmux server for what comes then. */
export async function crash(here: World): Promise<void> {
  await signalAll('SIGKILL')(here)
  await here.newServer()
}
