import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { reasonOf } from './errno.ts'
import { pipesOf } from './pipes.ts'
import { codeOf } from './signals.ts'

/**
 * Both directions to another process. `ended` comes once, when nothing more can be read: with the
 * program's exit code and the end of what it said, where one was started.
 */
export type Pipe = {
  onData: (callback: (chunk: Buffer) => void) => void
  write: (text: string) => void
  /** How many bytes the other side has not taken yet. */
  waiting: () => number
  close: () => void
  ended: Promise<{ code: number; stderr: string }>
}

/** So much of what a program says besides is kept, in characters. */
const STDERR_KEPT = 4000

/** A program that was asked to end has so long for it. In milliseconds. */
const END_MS = 2000

/** What is still in the pipes of one that has ended is there within this. In milliseconds. */
const DRAIN_MS = 300

/** Starts a program without a terminal and without a shell. */
export function spawnPipe(argv: [string, ...string[]], env: NodeJS.ProcessEnv): Pipe {
  const [program, ...args] = argv
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr: errors } = pipesOf(child)
  let stderr = ''
  errors.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
  })
  const ended = new Promise<{ code: number; stderr: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: 127, stderr: reasonOf(error) }))
    child.once('exit', (code, signal) => {
      const end = () => resolve({ code: signal === null ? (code ?? 0) : codeOf(signal), stderr })
      // What it has started, a shared ssh connection for example, may keep its pipes open.
      const timer = setTimeout(end, DRAIN_MS)
      child.once('close', () => {
        clearTimeout(timer)
        end()
      })
    })
  })
  const close = () => {
    stdin.end()
    stdout.destroy()
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
    timer.unref()
    child.once('exit', () => clearTimeout(timer))
  }
  return { ...streams(stdout, stdin), close, ended }
}

/** This process's own standard input and output. */
export function ownPipe(): Pipe {
  const { stdin, stdout } = process
  const ended = new Promise<{ code: number; stderr: string }>((resolve) => {
    const end = () => resolve({ code: 0, stderr: '' })
    for (const event of ['end', 'close', 'error']) stdin.once(event, end)
    stdout.once('error', end)
  })
  return { ...streams(stdin, stdout), close: () => stdin.destroy(), ended }
}

function streams(input: Readable, output: Writable): Pick<Pipe, 'onData' | 'write' | 'waiting'> {
  // How it ended tells the story.
  output.on('error', () => {})
  input.on('error', () => {})
  return {
    onData: (callback) => input.on('data', callback),
    write: (text) => {
      if (output.writable) output.write(text)
    },
    waiting: () => output.writableLength,
  }
}
