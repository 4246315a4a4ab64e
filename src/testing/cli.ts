import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { IS_NATIVE, RUNTIME } from '../../scripts/runtime.mjs'
import { TELLING_MARKS } from '../agents/agents.ts'
import { variableOf } from '../system/commandLine.ts'
import { systemProcesses } from '../system/processes.ts'

/** The folder of the project. */
export const ROOT = resolve(import.meta.dirname, '../..')

/** The built program; another build of it can be tested in its place. */
export const DIST = process.env.AGENT_CHAT_TEST_DIST ?? join(ROOT, 'dist')

/**
 * How a run of the program ended: its exit code, or the signal that ended it, and what it printed.
 */
export type Run = {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export type RunOptions = {
  /** The value of `AGENT_CHAT_HOME`. */
  home: string
  /**
   * Further variables; nothing of this process's own environment but `PATH` reaches the program.
   */
  env?: Record<string, string>
  /** Standard input. Without it, standard input is empty and closed. */
  input?: string | Buffer
  uid?: number
  /** Runs what Node runs, whatever the tests run. */
  onNode?: boolean
  cwd?: string
  /** How many files it may have open. */
  files?: number | undefined
  /** After how many milliseconds a program that still runs is killed, where 60 s are too few. */
  limitMs?: number
}

/** Runs the built command line as a process of its own, as no agent's, whatever runs the tests. */
export function runCli(args: string[], options: RunOptions): Promise<Run> {
  return isBelowAgent()
    ? runApart([RUNTIME, join(builtFor(options.uid), 'main.js'), ...args], options)
    : outcome(startCli(args, options))
}

/** As `runCli`, and gives the process while it runs. */
export function startCli(args: string[], options: RunOptions): ChildProcess {
  return start([join(builtFor(options.uid), 'main.js'), ...args], options)
}

/** The file of `dist/` that a hook runs. */
export const HOOK = IS_NATIVE ? 'hook.js' : 'hook.cjs'

/** Runs the built hook as Claude Code would, with its payload on standard input. */
export function runHookProcess(word: string, payload: unknown, options: RunOptions): Promise<Run> {
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const argv = [join(builtFor(options.uid), HOOK), word]
  const given = { ...options, input }
  const isApart = isBelowAgent() && !options.onNode && options.files === undefined
  return isApart ? runApart([RUNTIME, ...argv], given) : outcome(start(argv, given))
}

let copied: string | undefined

/** The built program where this user may read it: a copy, where the project lies in a closed folder. */
function builtFor(uid: number | undefined): string {
  if (uid === undefined || isOpenToAll(DIST)) return DIST
  if (copied === undefined) {
    copied = mkdtempSync(join(tmpdir(), 'agent-chat-built-'))
    process.once('exit', () => copied && rmSync(copied, { recursive: true, force: true }))
    chmodSync(copied, 0o755)
    const filter = (path: string) => !path.includes('.cache')
    cpSync(DIST, join(copied, 'dist'), { recursive: true, filter })
  }
  return join(copied, 'dist')
}

/** Whether any user may enter this folder, and each above it. */
function isOpenToAll(folder: string): boolean {
  const open = (statSync(folder).mode & 0o005) === 0o005
  return open && (folder === dirname(folder) || isOpenToAll(dirname(folder)))
}

/** What a process printed and how it ended, once it has. */
export function outcome(child: ChildProcess): Promise<Run> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    )
  })
}

let below: boolean | undefined

/** Whether an agent runs these tests: what they start would be its own. */
function isBelowAgent(): boolean {
  const processes = systemProcesses()
  for (
    let pid = process.pid;
    below === undefined && pid > 0;
    pid = processes.find(pid)?.parent ?? 0
  )
    if (variableOf(pid, TELLING_MARKS)) below = true
  below ??= false
  return below
}

/**
 * Runs it as a child of a shell whose own parent has ended, and not before: the program looks at who
 * is above it. Its exit code comes on its own pipe.
 */
export async function runApart(argv: string[], options: RunOptions): Promise<Run> {
  // In the inner shell `$$` is still the outer one.
  const line = '( while kill -0 $$; do :; done 2>/dev/null; "$@" <&4; echo $? >&3 ) 4<&0 &'
  const child = spawn('sh', ['-c', line, 'sh', ...argv], {
    env: cleanEnv(options),
    cwd: options.cwd ?? '/',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.input ?? '')
  let status = ''
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    status += chunk.toString('utf8')
  })
  const run = await outcome(child)
  const code = Number(status.trim() || '1')
  return code === 137 ? { ...run, code: null, signal: 'SIGKILL' } : { ...run, code }
}

/** The environment of a run: what a fresh login has, and the home. */
export function cleanEnv(options: Pick<RunOptions, 'home' | 'env'>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: join(options.home, 'no-user-home'),
    AGENT_CHAT_HOME: options.home,
    ...options.env,
  }
}

/**
 * A program that hangs is ended before the test's own time is over, so that nothing outlives the
 * tests.
 */
const LONGEST_MS = 60_000

function start(argv: string[], options: RunOptions): ChildProcess {
  const words = [options.onNode ? process.execPath : RUNTIME, ...argv]
  const limit = ['sh', '-c', `ulimit -n ${options.files} && exec "$@"`, 'sh']
  const [program = '', ...args] = options.files === undefined ? words : [...limit, ...words]
  const child = spawn(program, args, {
    env: cleanEnv(options),
    cwd: options.cwd ?? '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: options.limitMs ?? LONGEST_MS,
    killSignal: 'SIGKILL',
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  // A program that never reads its input may end before it is written.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return child
}
