import type { Message } from '../../message/message.ts'
import { visibleLine } from '../../message/visible.ts'

/**
 * What the room says of an answer that a worker has given: its summary and the files that it wrote.
 * Undefined for any other message.
 */
export function completedBy({ from, kind, extra }: Message): string | undefined {
  const { summary, artifacts, failed, tokens_out: tokens } = extra
  if ((kind !== 'reply' && kind !== 'result') || typeof summary !== 'string' || !tokens)
    return undefined
  const head =
    typeof failed === 'string' ? `✗ @${from} failed: ${failed}` : `✓ @${from} completed: ${summary}`
  const files = Array.isArray(artifacts) ? artifacts : []
  return [head, ...files.map((path) => `  ${path}`)].map((line) => visibleLine(line)).join('\n')
}
