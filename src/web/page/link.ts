import type { Now, Row } from '../wire.ts'

/** What comes from the server, however it came to this tab. */
export type Heard =
  | { event: 'row'; data: Row; id: string }
  | { event: 'now'; data: Now }
  | { event: 'reset' | 'beat' | 'open' | 'lost' | 'hello' }
  | { event: 'trouble'; data: string }

/** The connection as the page shows it. Times are milliseconds since 1970. */
export type Signs = { live: boolean; sign: number; event: number }

const NAME = 'agent-chat-events'
const RETRY_MS = 2000
/** A sign of life that is later than so many times its interval is missing. */
const LATE = 1.5

/**
 * One stream of events for all tabs: a browser gives one site six connections, and each tab would
 * take one. The tab that has the lock listens and tells the others; when it closes, or says nothing
 * any more, another takes over where it was itself. `missed`: something may have come before this
 * tab could hear it.
 */
export function openLink(
  beatMs: number,
  place: () => string,
  heard: (message: Heard) => void,
  changed: (signs: Signs) => void,
  missed: () => unknown,
): { check: () => void } {
  const channel = new BroadcastChannel(NAME)
  let signs: Signs = { live: false, sign: Date.now(), event: Date.now() }
  let leader = Date.now()
  let met = false
  let lately = performance.now()
  const take = (message: Heard) => {
    leader = Date.now()
    if (message.event === 'hello') return
    if (message.event === 'lost') signs = { ...signs, live: false }
    else {
      lately = performance.now()
      const event = message.event === 'beat' || message.event === 'open' ? signs.event : Date.now()
      signs = { live: true, sign: Date.now(), event }
    }
    changed(signs)
    heard(message)
  }
  const tell = (message: Heard) => {
    channel.postMessage(message)
    take(message)
  }
  let source: { check: () => void; close: () => void } | undefined
  const lead = () => {
    met = true
    source = openSource(place, tell)
    return new Promise<void>(() => {})
  }
  const queue = (steal: boolean) => {
    if (!navigator.locks) return void lead()
    // Another tab may take the lock from one that has gone silent.
    navigator.locks.request(NAME, { steal }, lead).catch(() => {
      source?.close()
      source = undefined
      queue(false)
    })
  }
  channel.onmessage = ({ data }: MessageEvent<Heard>) => {
    if (data.event !== 'hello') {
      if (!met) void missed()
      met = true
      take(data)
    } else if (source) channel.postMessage({ event: signs.live ? 'beat' : 'lost' })
  }
  queue(false)
  channel.postMessage({ event: 'hello' })
  return {
    check: () => {
      // A clock that jumps changes one of them, sleep maybe the other.
      const silent = Math.max(Date.now() - signs.sign, performance.now() - lately)
      if (silent > LATE * beatMs && signs.live) {
        signs = { ...signs, live: false }
        changed(signs)
      }
      if (source) {
        if (silent > LATE * beatMs) source.check()
      } else if (Date.now() - leader > 2 * LATE * beatMs) {
        leader = Date.now()
        queue(true)
      }
    },
  }
}

/** The stream itself. It is opened again wherever the browser gives up. */
function openSource(place: () => string, tell: (message: Heard) => void) {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let opened = Date.now()
  const open = () => {
    timer = undefined
    source?.close()
    opened = Date.now()
    const stream = new EventSource(`/events?after=${place()}`)
    source = stream
    stream.onopen = () => tell({ event: 'open' })
    stream.onerror = () => {
      tell({ event: 'lost' })
      if (stream.readyState === EventSource.CLOSED) timer ??= setTimeout(open, RETRY_MS)
    }
    const on = (event: string, give: (message: MessageEvent<string>) => void) =>
      stream.addEventListener(event, (message) => give(message as MessageEvent<string>))
    on('row', ({ data, lastEventId: id }) => tell({ event: 'row', data: JSON.parse(data), id }))
    on('now', ({ data }) => tell({ event: 'now', data: JSON.parse(data) }))
    on('trouble', ({ data }) => tell({ event: 'trouble', data: JSON.parse(data) }))
    on('beat', () => tell({ event: 'beat' }))
    on('reset', () => tell({ event: 'reset' }))
  }
  open()
  return {
    /** It is open and silent: the socket may be dead without anybody knowing. */
    check: () => {
      if (timer === undefined && Date.now() - opened > 5 * RETRY_MS) open()
    },
    close: () => {
      clearTimeout(timer)
      timer = undefined
      source?.close()
      opened = Number.POSITIVE_INFINITY
    },
  }
}
