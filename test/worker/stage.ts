import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { asHuman } from '../../scripts/asHuman.mjs'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { type Home, homeAt } from '../../src/bus/home.ts'
import { messageAt } from '../../src/bus/mail/inbox.ts'
import { idOfFile } from '../../src/message/id.ts'
import type { Message } from '../../src/message/message.ts'
import type { WorkerState } from '../../src/session/workerState.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { carriersOf } from '../../src/system/tree.ts'
import { DIST, outcome, type Run } from '../../src/testing/cli.ts'
import { filesIn, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'

/** Where workers run in a test: a home with definitions, a client on the path, and its words. */
export type Stage = {
  home: Home
  cwd: string
  env: Record<string, string>
  /** The prompts that the client has got, each with its conversation. */
  prompts: () => { conversation: string; text: string }[]
}

export type Running = {
  child: ChildProcess
  pid: number
  stdout: () => string
  ended: Promise<Run>
}

/** A home with the stand-in as its `claude`. */
export function standInStage(): Stage {
  const dir = tempDirectory()
  const [bin, said, cwd] = [join(dir, 'bin'), join(dir, 'said'), join(dir, 'work')]
  for (const folder of [bin, said, cwd, join(dir, 'home')]) mkdirSync(folder)
  symlinkSync(join(import.meta.dirname, 'client.mjs'), join(bin, 'claude'))
  const home = homeAt(join(dir, 'home'))
  return {
    ...{ home, cwd },
    env: {
      PATH: `${bin}:${process.env.PATH ?? ''}`,
      HOME: join(dir, 'nobody'),
      AGENT_CHAT_HOME: home.root,
      STAND_IN_DIR: said,
    },
    prompts: () => {
      const path = join(said, 'prompts')
      if (!existsSync(path)) return []
      // The last line may not be there whole.
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line))
    },
  }
}

/** Defines a worker. `front`: lines of its front matter. */
export function define(
  stage: Stage,
  name: string,
  front = '',
  tools = ['read', 'bash', 'create'],
): void {
  mkdirSync(stage.home.agents, { recursive: true })
  const list = tools.map((tool) => `- ${tool}`).join('\n')
  writeFileSync(
    stage.home.agentFile(name),
    `---\ncwd: ${stage.cwd}\n${/^trust:/m.test(front) ? '' : 'trust: tools\n'}${front}\n---\n# ${name}\n\n## Description\nFor a test.\n\n## Allowed Tools\n${list}\n\n## System Prompt\nYou are for a test.\n`,
  )
}

export function runIn(
  stage: Stage,
  args: string[],
  env: Record<string, string> = {},
): Promise<Run> {
  return outcome(startIn(stage, args, env))
}

/** As `runIn`, typed by a person into a shell at a terminal of theirs. */
export function runTyped(stage: Stage, args: string[]) {
  return asHuman([RUNTIME, join(DIST, 'main.js'), ...args], { env: stage.env, cwd: stage.cwd })
}

function startIn(stage: Stage, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(RUNTIME, [join(DIST, 'main.js'), ...args], {
    env: { ...stage.env, ...env },
    cwd: stage.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Starts a worker, and gives it once it waits for messages. */
export async function startWork(
  stage: Stage,
  name: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const child = startIn(stage, ['work', name], env)
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  const pid = child.pid ?? 0
  const ended = outcome(child)
  await until(
    `@${name} is ready`,
    () => child.exitCode !== null || child.signalCode !== null || stdout.includes('is ready'),
    20_000,
  )
  return { child, pid, stdout: () => stdout, ended }
}

export function stateOf(stage: Stage, name: string): WorkerState | undefined {
  const path = stage.home.worker(name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** What was sent in answer to a message, progress left out. */
export function answersIn(stage: Stage, id: string): Message[] {
  return filesIn(stage.home.messages)
    .flatMap(
      (file) => messageAt(join(stage.home.messages, file), idOfFile(file) ?? '', stage.home) ?? [],
    )
    .filter(({ inReplyTo, kind }) => inReplyTo === id && kind !== 'note')
}

/** Sends without waiting, as the human. Gives the id. */
export async function sendTo(stage: Stage, args: string[]): Promise<string> {
  const run = await runIn(stage, [...args, '--as', 'human', '--json'])
  if (run.code !== 0) throw new Error(run.stderr)
  const value = JSON.parse(run.stdout)
  return (value.question ?? value).id
}

/** The one answer to a message, once it is there. */
export function answerTo(stage: Stage, id: string, limitMs = 30_000): Promise<Message> {
  return until(`an answer to ${id}`, () => answersIn(stage, id)[0], limitMs)
}

/** The processes that carry this worker's mark: its client, and the tools of that. */
export function carriers(stage: Stage, name: string): number[] {
  const mark = { AGENT_CHAT_WORKER: name, AGENT_CHAT_HOME: stage.home.root }
  return carriersOf(systemProcesses(), mark).map(({ pid }) => pid)
}
