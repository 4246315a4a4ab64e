import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { reasonOf } from './errno.ts'
import { pipesOf } from './pipes.ts'
import { codeOf, type Ended } from './signals.ts'

/** How a program ended, and the end of what it said on standard error. */
export type LineEnd = Ended & { stderr: string }

/** A program that is spoken to in lines, and answers in lines. */
export type LineChild = {
  /** Undefined where it did not start; `ended` tells why. */
  pid: number | undefined
  send: (line: string) => void
  closeInput: () => void
  ended: Promise<LineEnd>
}

/** So much of its standard error is kept, in characters. */
const STDERR_KEPT = 4000

/** What a program that has ended still has in its pipes is there within this. In milliseconds. */
const DRAIN_MS = 300

/** Starts a program without a terminal and without a shell. `env` is all of its environment. */
export function startLineChild(
  argv: [string, ...string[]],
  { env, cwd, onLine }: { env: NodeJS.ProcessEnv; cwd: string; onLine: (line: string) => void },
): LineChild {
  const [program, ...args] = argv
  const child = spawn(program, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr: errors } = pipesOf(child)
  let stderr = ''
  createInterface({ input: stdout }).on('line', onLine)
  errors.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
  })
  // It may end before it has read everything; how it ended tells the story.
  stdin.on('error', () => {})
  const ended = new Promise<LineEnd>((resolve) => {
    child.once('error', (error) => {
      resolve({ code: 127, signal: null, stderr: reasonOf(error) })
    })
    child.once('exit', (code, signal) => {
      const end = () =>
        resolve({ code: signal === null ? (code ?? 0) : codeOf(signal), signal, stderr })
      // Whatever it has started may keep its pipes open: nobody waits for that.
      const timer = setTimeout(end, DRAIN_MS)
      child.once('close', () => {
        clearTimeout(timer)
        end()
      })
    })
  })
  return {
    pid: child.pid,
    send: (line) => {
      if (stdin.writable) stdin.write(`${line}\n`)
    },
    closeInput: () => stdin.end(),
    ended,
  }
}
