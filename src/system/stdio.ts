import type { Readable, Writable } from 'node:stream'

export type Stdio = { input: Readable; output: Writable }

/** Standard input and output as streams. The first look at them loads Node's streams. */
export function stdio(): Stdio {
  return { input: process.stdin, output: process.stdout }
}
