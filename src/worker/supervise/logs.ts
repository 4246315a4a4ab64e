import { existsSync } from 'node:fs'
import type { Ports } from '../../chat/ports.ts'
import { CodedError } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { visibleLine } from '../../message/visible.ts'
import { isWorker } from '../../session/workers.ts'
import { linesFromEnd } from '../../system/lines.ts'
import { requireListed } from '../definition/list.ts'

type LogPorts = Pick<Ports, 'bus' | 'cwd'>

/**
 * The last lines that a worker has printed, oldest first. Throws `SESSION_UNKNOWN` without any,
 * and `AGENT_UNKNOWN`.
 */
export function lastLines(input: string, count: number, ports: LogPorts): string[] {
  const found: string[] = []
  for (const line of linesFromEnd(outputOf(input, ports))) {
    if (found.length === count) break
    found.push(visibleLine(line))
  }
  return found.reverse()
}

/**
 * Calls `onLine` for each line that a worker prints from now on, until it is asked to stop, and
 * `onPart` with what there is of a line each time that it grows.
 */
export async function followLines(
  input: string,
  ports: LogPorts & Pick<Ports, 'onStop'>,
  onLine: (line: string) => void,
  onPart: (part: string) => void = () => {},
): Promise<void> {
  const { followFile } = await import('../../system/follow.ts')
  await followFile(
    outputOf(input, ports),
    ports.onStop,
    (line) => onLine(visibleLine(line)),
    true,
    (part) => onPart(visibleLine(part)),
  )
}

/** Prints lines as they grow: of each, what was not printed before. */
export function growingLines(print: (text: string) => void): {
  part: (text: string) => void
  line: (text: string) => void
} {
  let shown = ''
  const part = (text: string) => {
    // What looks different now that there is more of it begins a line of its own.
    if (!text.startsWith(shown)) print('\n')
    print(text.startsWith(shown) ? text.slice(shown.length) : text)
    shown = text
  }
  return {
    part,
    line: (text) => {
      part(text)
      print('\n')
      shown = ''
    },
  }
}

function outputOf(input: string, ports: LogPorts): string {
  const name = parseName(input)
  const { home } = ports.bus()
  const path = home.workerOutput(name)
  if (existsSync(path)) return path
  if (!isWorker(home, name)) requireListed(name, ports)
  throw new CodedError('SESSION_UNKNOWN', `the supervisor has not started @${name} yet`, {
    hint: `start it with: agent-chat up ${name}`,
  })
}
