import { renameSync, statSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { inHome } from '../../bus/homeError.ts'
import { appendLine, makeDirectory } from '../../system/files.ts'
import { linesFromEnd } from '../../system/lines.ts'

/**
 * What happens while a worker answers. `start`: it begins, and again after a crash (`attempt` counts
 * from 1); `done`: the answer was sent, as the message `answer`, or none comes.
 */
export type StreamEvent =
  | { event: 'start'; attempt: number }
  | { event: 'token'; text: string }
  | { event: 'tool_start'; tool: string }
  | { event: 'tool_complete'; tool: string; ok: boolean }
  | { event: 'done'; outcome: 'answered' | 'failed'; answer?: string }

/** One line of the file. `message`: what is answered; `n`: the event's place in its stream. */
export type StreamLine = StreamEvent & { message: string; n: number }

/** As large as one of the two files of a worker's stream gets, in bytes. */
const MAX_BYTES = 1024 * 1024

/** Where the older events of a stream are. */
export function olderStream(path: string): string {
  return `${path}.old`
}

/**
 * Opens the stream of a message that a worker begins to answer. One process writes at a time: the
 * one that has the worker's lock. Events count on from those of an attempt that was cut short.
 */
export function openStream(
  { home }: Pick<Bus, 'home'>,
  name: string,
  message: string,
): { write(event: StreamEvent): void } {
  const path = home.workerStream(name)
  makeDirectory(home.workers)
  const last = lastIn(path)
  let n = last?.message === message ? last.n + 1 : 0
  return {
    write: (event) => {
      inHome(home, () => {
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
          renameSync(path, olderStream(path))
        appendLine(path, JSON.stringify({ message, n, ...event } satisfies StreamLine))
      })
      n += 1
    },
  }
}

function lastIn(path: string): StreamLine | undefined {
  for (const line of linesFromEnd(path)) {
    const last = streamLine(line)
    if (last) return last
  }
  return undefined
}

/** The event in a line; undefined where a crash has cut it short. */
export function streamLine(line: string): StreamLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isLine = typeof value === 'object' && value !== null && 'event' in value && 'n' in value
    return isLine ? (value as StreamLine) : undefined
  } catch {
    return undefined
  }
}
