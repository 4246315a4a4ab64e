import type { Message } from './message.ts'
import { grouped } from './text.ts'
import { visibleLine } from './visible.ts'

/** What a worker's answer says of the work: its summary, the files that it wrote, what it cost. */
export type WorkDone = {
  summary: string
  /** Why it is no good answer. */
  failed: string | undefined
  artifacts: string[]
  tokens: { in: number; out: number }
  usd: number
}

/** What a worker's answer tells of its work; undefined for any other message. */
export function workDone({ kind, extra }: Pick<Message, 'kind' | 'extra'>): WorkDone | undefined {
  const { summary, artifacts, failed, tokens_in: read, tokens_out: written, cost_usd: usd } = extra
  if ((kind !== 'reply' && kind !== 'result') || typeof summary !== 'string' || !written)
    return undefined
  const paths = Array.isArray(artifacts) ? artifacts : []
  return {
    summary: visibleLine(summary),
    failed: typeof failed === 'string' ? visibleLine(failed) : undefined,
    artifacts: paths.filter((path) => typeof path === 'string').map((path) => visibleLine(path)),
    tokens: { in: numberOf(read), out: numberOf(written) },
    usd: numberOf(usd),
  }
}

/** One line for each file, and one with what it cost. */
export function workLines({ artifacts, tokens, usd }: WorkDone): string[] {
  return [
    ...artifacts.map((path) => `artifact: ${path}`),
    `cost: ${grouped(tokens.in)} tokens in, ${grouped(tokens.out)} out · $${usd.toFixed(usd < 0.1 ? 4 : 2)}`,
  ]
}

function numberOf(value: unknown): number {
  const number = Number(value)
  return Number.isFinite(number) && number > 0 ? number : 0
}
