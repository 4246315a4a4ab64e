import type { ServerResponse } from 'node:http'
import type { SSEStreamingApi } from 'hono/streaming'
import { BEAT } from './frames.ts'

/** A stream to one tab. */
export type OpenTab = {
  write: (text: string) => void
  beat: () => void
  close: () => void
  /** Ends with the connection; calls back then. */
  until: (ended: () => void) => Promise<void>
}

/** A tab that takes nothing for so long that this much waits is cut; it connects again. In bytes. */
const MAX_WAITING = 8 * 1024 * 1024

/** `outgoing`: what the stream goes to in the end. */
export function openTab(stream: SSEStreamingApi, outgoing: ServerResponse): OpenTab {
  let waiting = 0
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  stream.onAbort(close)
  return {
    write: (text) => {
      if (text === '') return
      waiting += text.length
      if (waiting > MAX_WAITING) return close()
      void stream.write(text).then(() => {
        waiting -= text.length
      })
    },
    // Not by the stream, whose every write is a dozen promises. Each frame is one write: none breaks.
    beat: () => {
      if (!outgoing.destroyed) outgoing.write(BEAT)
    },
    close,
    until: async (ended) => {
      await closed
      ended()
    },
  }
}
