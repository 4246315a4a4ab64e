import type { SSEStreamingApi } from 'hono/streaming'

/** A stream to one tab. */
export type OpenTab = {
  write: (text: string) => void
  close: () => void
  /** Ends with the connection; calls back then. */
  until: (ended: () => void) => Promise<void>
}

/** A tab that takes nothing for so long that this much waits is cut; it connects again. In bytes. */
const MAX_WAITING = 8 * 1024 * 1024

export function openTab(stream: SSEStreamingApi): OpenTab {
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
    close,
    until: async (ended) => {
      await closed
      ended()
    },
  }
}
