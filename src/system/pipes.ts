import type { ChildProcessByStdio } from 'node:child_process'
import { PassThrough, type Readable, type Writable } from 'node:stream'

type Pipes = { stdin: Writable; stdout: Readable; stderr: Readable }

/**
 * The pipes to a program. Node makes none where no more files may be open: then they lead nowhere,
 * and its event `error` says why.
 */
export function pipesOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Pipes {
  const made: Partial<Pipes> = child
  const { stdin = new PassThrough(), stdout = new PassThrough(), stderr = new PassThrough() } = made
  return { stdin, stdout, stderr }
}
