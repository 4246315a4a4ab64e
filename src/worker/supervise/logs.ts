import { existsSync } from 'node:fs'
import type { Ports } from '../../chat/ports.ts'
import { CodedError } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { visibleLine } from '../../message/visible.ts'
import { linesFromEnd } from '../../system/lines.ts'

type LogPorts = Pick<Ports, 'bus'>

/** The last lines that a worker has printed, oldest first. Throws `SESSION_UNKNOWN` without any. */
export function lastLines(input: string, count: number, ports: LogPorts): string[] {
  const found: string[] = []
  for (const line of linesFromEnd(outputOf(input, ports))) {
    if (found.length === count) break
    found.push(visibleLine(line))
  }
  return found.reverse()
}

/** Calls `onLine` for each line that a worker prints from now on, until it is asked to stop. */
export async function followLines(
  input: string,
  ports: LogPorts & Pick<Ports, 'onStop'>,
  onLine: (line: string) => void,
): Promise<void> {
  const { followFile } = await import('../../system/follow.ts')
  await followFile(outputOf(input, ports), ports.onStop, (line) => onLine(visibleLine(line)))
}

function outputOf(input: string, { bus }: LogPorts): string {
  const name = parseName(input)
  const path = bus().home.workerOutput(name)
  if (existsSync(path)) return path
  throw new CodedError('SESSION_UNKNOWN', `the supervisor has not started @${name} yet`, {
    hint: `start it with: agent-chat up ${name}`,
  })
}
