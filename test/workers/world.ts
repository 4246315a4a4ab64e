import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { preloading, RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../../src/bus/bus.ts'
import type { WorkerState } from '../../src/session/workerState.ts'
import { readWorkerState } from '../../src/session/workerState.ts'
import { unless } from '../../src/system/errno.ts'
import { makeDirectory } from '../../src/system/files.ts'
import { holderOf } from '../../src/system/pidlock.ts'
import type { ProcessRef } from '../../src/system/processes.ts'
import { cleanEnv, DIST, outcome, type Run } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'
import { isOwners, runAsHuman } from '../../src/testing/human.ts'
import { until } from '../../src/testing/until.ts'
import { endProcesses } from '../e2e/harness/processes.ts'
import { type TmuxServer, tmuxServer } from '../e2e/harness/tmux.ts'

/**
 * A home, and the program, in which `work` is a stand-in unless it is to be `real`, with a stand-in
 * for its client; and a tmux server of its own unless there is to be none. All that was started there ends with the test.
 */
export type Workers = {
  bus: Bus
  /** What the program is run with there, beside the home. */
  env: Record<string, string>
  tmux: TmuxServer | undefined
  run: (...args: string[]) => Promise<Run>
  /** As `run`, with its streams open. */
  open: (...args: string[]) => ChildProcess
  /** Writes a definition, and how its stand-in is to behave. */
  define: (name: string, settings?: string, behaviour?: string) => void
  behave: (name: string, behaviour: string) => void
  state: (name: string) => WorkerState | undefined
  /** Waits until a worker does this, with a process that runs, and gives its state. */
  runs: (name: string, activity?: string) => Promise<WorkerState>
  /** Waits for another process of it than that one. */
  other: (name: string, than: WorkerState) => Promise<WorkerState>
  /** Waits until it is so. */
  is: (name: string, activity: string, ms?: number) => Promise<WorkerState>
  supervisor: () => ProcessRef | undefined
  /** How often a worker was started. */
  starts: (name: string) => number
}

export async function workersWorld({
  inTmux = false,
  real = false,
  env = {} as NodeJS.ProcessEnv,
} = {}): Promise<Workers> {
  const bus = tempBus()
  const { home, processes } = bus
  const directory = dirname(home.root)
  onTestFinished(() => endProcesses('AGENT_CHAT_HOME', home.root))
  const tmux = inTmux ? await tmuxServer() : undefined
  if (tmux) onTestFinished(() => tmux.kill())
  const standIn = real ? {} : preloading(join(import.meta.dirname, 'standInFirst.mjs'))
  const bin = binOf(join(directory, 'bin'), inTmux)
  const more = { PATH: bin, ...tmuxEnv(tmux), ...standIn, ...env }
  const open = (...args: string[]) => startProgram(args, home.root, more)
  const behave = (name: string, behaviour: string) => {
    mkdirSync(join(directory, 'behave'), { recursive: true })
    writeFileSync(join(directory, 'behave', name), behaviour)
  }
  const state = (name: string) => readWorkerState(home, name)
  const is: Workers['is'] = (name, activity, ms) =>
    until(
      `@${name} is ${activity}`,
      () => {
        const now = state(name)
        return now?.activity === activity && now
      },
      ms,
    )
  return {
    bus,
    env: optionsFor(home.root, more).env,
    tmux,
    behave,
    state,
    is,
    open,
    run: (...args) => {
      if (isOwners(args)) return runAsHuman(args, optionsFor(home.root, more))
      const child = open(...args)
      child.stdin?.end()
      return outcome(child)
    },
    define: (name, settings = '', behaviour = '') => {
      makeDirectory(home.agents)
      writeFileSync(home.agentFile(name), definition(name, settings))
      behave(name, behaviour)
    },
    runs: (name, activity = 'idle') =>
      until(`@${name} runs and is ${activity}`, () => {
        const now = state(name)
        return now?.activity === activity && processes.isAlive(now.process) && now
      }),
    other: (name, than) =>
      until(`another process of @${name}`, () => {
        const now = state(name)
        const isOther = now !== undefined && now.process.pid !== than.process.pid
        return isOther && processes.isAlive(now.process) && now
      }),
    supervisor: () => {
      const holder = holderOf(home.supervisorPid)
      return holder && processes.isAlive(holder) ? holder : undefined
    },
    starts: (name) => {
      const text = unless(['ENOENT'], () => readFileSync(join(directory, 'starts'), 'utf8')) ?? ''
      return text.split('\n').filter((line) => line.startsWith(`${name} `)).length
    },
  }
}

function startProgram(args: string[], home: string, more: NodeJS.ProcessEnv): ChildProcess {
  const options = optionsFor(home, more)
  return spawn(RUNTIME, [join(DIST, 'main.js'), ...args], {
    env: cleanEnv(options),
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: options.limitMs,
  })
}

function optionsFor(home: string, more: NodeJS.ProcessEnv) {
  const env = { ...more, SECRET: "it's\na secret", STAND_IN_DIR: join(dirname(home), 'client') }
  return { home, env: env as Record<string, string>, cwd: dirname(home), limitMs: 60_000 }
}

function tmuxEnv(tmux: TmuxServer | undefined): Record<string, string> {
  return tmux ? { TMUX: `${tmux.socket},0,0` } : {}
}

/** A path with what a worker needs: a stand-in for Claude Code, a shell, and tmux or none. */
function binOf(directory: string, withTmux: boolean): string {
  mkdirSync(directory, { recursive: true })
  const client = join(import.meta.dirname, '../worker/client.mjs')
  symlinkSync(client, join(directory, 'claude'))
  symlinkSync(process.execPath, join(directory, 'node'))
  if (withTmux) return `${directory}:${process.env.PATH}`
  for (const program of ['sh', 'tee', 'mv', 'rm', 'env'])
    symlinkSync(`/usr/bin/${program}`, join(directory, program))
  return directory
}

function definition(name: string, settings: string): string {
  return [
    ...(settings === '' ? [] : ['---', settings, '---']),
    `# ${name}`,
    '## Description\n\nDoes as it is told.',
    '## Allowed Tools\n\n- read',
    '## System Prompt\n\nAnswer.',
    '',
  ].join('\n')
}
