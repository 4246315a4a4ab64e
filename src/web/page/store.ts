import { api, type Refused } from './api.ts'
import { type Heard, openLink, type Signs } from './link.ts'
import { EMPTY, type State, shown, withNow, withOlder, withRoom, withRows } from './state.ts'

/** The page's one store: what it knows, and how it comes to know it. */
export type Store = {
  state: () => State
  signs: () => Signs
  change: (change: (state: State) => State) => void
  older: () => Promise<void>
  /** From now on new rows are put on top only while `mayShow` says so; else they wait. */
  showWhile: (mayShow: () => boolean) => void
  /** Puts on top what waits. */
  showWaiting: () => void
}

/** A sign of life that is late is looked for so often. In milliseconds. */
const CHECK_MS = 1000

/** Opens the store; `changed` is called after what came in one go. */
export function openStore(changed: () => void, signsChanged: () => void): Store {
  let state = EMPTY
  let signs: Signs = { live: false, sign: Date.now(), event: Date.now() }
  let place = ''
  let mayShow = () => true
  let drawing = false
  /** How often the stream has told what is now. */
  let nows = 0
  let heard: Extract<Heard, { event: 'row' }>[] = []
  const change = (to: (state: State) => State) => {
    const next = to(state)
    if (next === state) return
    state = mayShow() ? shown(next) : next
    changed()
  }
  const flush = () => {
    drawing = false
    const rows = heard.map(({ data }) => data)
    heard = []
    change((before) => withRows(before, rows))
  }
  const load = async () => {
    try {
      const known = nows
      const room = await api.room()
      place = room.place
      // What the stream has told meanwhile is newer, or is told again.
      change((before) => withRoom(before, known === nows ? room : { ...room, ...before.now }))
      return room
    } catch (error) {
      const { status, message, hint } = error as Refused
      const closed = status === 401 ? { message, hint } : undefined
      change((before) => ({
        ...before,
        closed: closed ?? (before.ready ? undefined : { message, hint }),
      }))
      return undefined
    }
  }
  const take = (message: Heard) => {
    if (message.event === 'row') {
      heard.push(message)
      place = message.id
      // What comes in one go is drawn once.
      if (!drawing) setTimeout(flush, 20)
      drawing = true
    }
    if (message.event === 'now') {
      nows += 1
      change((before) => withNow(before, message.data))
    }
    if (message.event === 'trouble') change((before) => ({ ...before, trouble: message.data }))
    if (message.event === 'reset') void load()
    if (message.event === 'lost') void load()
  }
  const begin = async () => {
    const room = await load()
    if (room === undefined) {
      setTimeout(begin, 2000)
      return
    }
    const link = openLink(
      room.beat,
      () => place,
      take,
      (next) => {
        signs = next
        signsChanged()
      },
      load,
    )
    setInterval(link.check, CHECK_MS)
    for (const event of ['visibilitychange', 'online', 'pageshow'])
      addEventListener(event, link.check)
  }
  void begin()
  return {
    state: () => state,
    signs: () => signs,
    change,
    older: async () => {
      const { next } = state
      if (next === null) return
      const page = await api.rows(next)
      if (page.rotated) await load()
      else change((before) => withOlder(before, page.rows, page.next))
    },
    showWhile: (look) => {
      mayShow = look
    },
    showWaiting: () => change(shown),
  }
}
