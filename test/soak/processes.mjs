import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Clock ticks a second, as Linux counts them for every program (`getconf CLK_TCK`). */
const TICKS = 100

/**
 * What a process holds now: open files, resident memory in MB, and the CPU seconds that it has used. Undefined where it is gone.
 * @param {number | undefined} pid
 * @returns {{ files: number, mb: number, cpu: number } | undefined}
 */
export function look(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      files: readdirSync(`/proc/${pid}/fd`).length,
      mb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
      cpu: (Number(fields[11]) + Number(fields[12])) / TICKS,
    }
  } catch {
    return undefined
  }
}

/**
 * Runs the built program to its end. With `killAfterMs` it is killed after so long, if it still runs.
 * @param {string[]} argv
 * @param {{ env: NodeJS.ProcessEnv, killAfterMs?: number }} options
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, ms: number }>}
 */
export async function runProgram(argv, { env, killAfterMs }) {
  const started = performance.now()
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  let stdout = ''
  let stderr = ''
  // A character may come in two pieces.
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (data) => (stdout += data))
  child.stderr.on('data', (data) => (stderr += data))
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { code, stdout, stderr, ms: performance.now() - started }
}

/**
 * Gives the next line of a stream whenever it is called, in the order of the calls; undefined where it has ended.
 * @param {import('node:stream').Readable} stream
 * @returns {() => Promise<string | undefined>}
 */
export function lineReader(stream) {
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]()
  return async () => (await lines.next()).value
}

/**
 * A process that answers one line of JSON with another. Killed in the middle of a request, it answers with undefined, and the next request meets a new one.
 * @param {string} script
 * @param {NodeJS.ProcessEnv} env
 */
export function startWorker(script, env) {
  /** @type {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, null> | undefined} */
  let child
  /** @type {((answer: any) => void)[]} */
  const waiting = []
  const start = () => {
    const mine = spawn(process.execPath, ['--expose-gc', script], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    mine.stdin.on('error', () => {})
    createInterface({ input: mine.stdout }).on('line', (line) =>
      waiting.shift()?.(JSON.parse(line)),
    )
    mine.once('close', () => {
      if (child === mine) child = undefined
      for (const answer of waiting.splice(0)) answer(undefined)
    })
    return mine
  }
  return {
    pid: () => child?.pid,
    /** @param {object} request */
    ask: (request) => {
      child ??= start()
      const { stdin } = child
      return new Promise((resolve) => {
        waiting.push(resolve)
        stdin.write(`${JSON.stringify(request)}\n`)
      })
    },
    kill: async () => {
      const mine = child
      if (!mine) return
      mine.kill('SIGKILL')
      await once(mine, 'close')
    },
  }
}
