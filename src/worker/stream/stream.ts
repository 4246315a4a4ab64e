import type { Bus } from '../../bus/bus.ts'

export type StreamEvent =
  | { event: 'start'; attempt: number }
  | { event: 'token'; text: string }
  | { event: 'tool_start'; tool: string }
  | { event: 'tool_complete'; tool: string; ok: boolean }
  | { event: 'done'; outcome: 'answered' | 'failed'; answer?: string }

/** Opens the stream of a message that a worker begins to answer. */
export function openStream(
  _bus: Bus,
  _name: string,
  _message: string,
): { write(event: StreamEvent): void } {
  throw new Error('not yet built')
}
