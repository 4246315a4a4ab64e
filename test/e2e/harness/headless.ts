import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { eventually } from './poll.ts'

type StreamMessage = Readonly<Record<string, unknown>>

/** A `claude -p` that takes prompts and tells what happens as lines of JSON. */
export interface Headless {
  readonly pid: number
  /** Everything it has told so far. */
  readonly messages: readonly StreamMessage[]
  stderr(): string
  prompt(text: string): void
  waitFor(
    what: string,
    matches: (message: StreamMessage) => boolean,
    timeoutMs?: number,
  ): Promise<StreamMessage>
  /** Closes its input, and gives the exit code. */
  end(): Promise<number | null>
  kill(signal?: NodeJS.Signals): void
}

/** Starts the client `argv` without a terminal. `env` is all of its environment. */
export function startHeadless(
  argv: readonly string[],
  options: { env: Readonly<Record<string, string>>; cwd: string },
): Headless {
  const [command = '', ...args] = argv
  const flags = [
    '-p',
    '--input-format',
    'stream-json',
    '--output-format',
    'stream-json',
    '--verbose',
  ]
  const child = spawn(command, [...args, ...flags], { env: { ...options.env }, cwd: options.cwd })
  const messages: StreamMessage[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    messages.push(JSON.parse(line))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8')
  })
  // The client may be gone before the last line is written; its exit code tells the story.
  child.stdin.on('error', () => undefined)
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    pid: child.pid ?? 0,
    messages,
    stderr: () => errors,
    prompt: (text) => {
      child.stdin.write(
        `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`,
      )
    },
    waitFor: (what, matches, timeoutMs) =>
      eventually(`the client to tell: ${what}`, () => messages.find(matches), {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        state: () =>
          `${messages.map((message) => `  ${message.type} ${message.subtype ?? ''}`).join('\n')}\n${errors}`,
      }),
    end: () => {
      child.stdin.end()
      return exit
    },
    kill: (signal = 'SIGTERM') => {
      child.kill(signal)
    },
  }
}
