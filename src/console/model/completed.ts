import type { Message } from '../../message/message.ts'
import { workDone, workLines } from '../../message/workDone.ts'

/**
 * What the room says of an answer that a worker has given: its summary, the files that it wrote, and
 * what it cost. Undefined for any other message.
 */
export function completedBy(message: Message): string | undefined {
  const work = workDone(message)
  if (work === undefined) return undefined
  const { summary, failed } = work
  const head =
    failed === undefined
      ? `✓ @${message.from} completed: ${summary}`
      : `✗ @${message.from} failed: ${failed}`
  return [head, ...workLines(work).map((line) => `  ${line}`)].join('\n')
}
