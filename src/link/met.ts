import { type Me, remoteSessions } from '../bus/remote/peers.ts'
import { reasonOf } from '../system/errno.ts'
import { arrivalsFrom, notePong, noteSeen } from './arrivals.ts'
import type { Frame } from './frames.ts'
import { LOOK_MS, runLane, runReceipts } from './lane.ts'
import { requireLinked } from './meet.ts'
import { type Speaker, say, sayHere } from './speaker.ts'
import type { Answer, Arrivals, Transport } from './transport.ts'

/** From now on both sides know each other: what is queued is delivered, what became of it told. */
export function begin(speaker: Speaker, host: string, me: Me, version: string): void {
  const { state, asked, ports, finish } = speaker
  const bus = ports.bus()
  state.arrivals = arrivalsFrom(host, me, ports)
  noteSeen(speaker.ports.bus(), host, { version })
  sayHere(speaker)
  const way = transportOf(speaker)
  const pair = { me: me.host, host }
  const end = (what: 'lane' | 'receipts') => ({
    ended: () => state.over !== undefined,
    lookMs: () => LOOK_MS,
    onEnd: (wake: () => void) => state.wakes.push(wake),
    onIdle: () => beIdle(speaker, what),
  })
  const failed = (error: unknown) => finish(reasonOf(error))
  runLane(bus, pair, way, end('lane'), ports.notice).catch(failed)
  runReceipts(bus, pair, way, end('receipts')).catch(failed)
  say(speaker, { f: 'ping', at: bus.clock.now() })
  asked.onUp(host)
}

/** The frames as a transport: the other side's own answer, or none at all. */
function transportOf(speaker: Speaker): Transport {
  const { state } = speaker
  const asked = (frame: (n: number) => Frame) =>
    new Promise<Answer>((resolve, reject) => {
      if (state.over) throw new Error(state.over.why)
      state.number += 1
      state.open.set(state.number, { resolve, reject })
      say(speaker, frame(state.number))
    })
  return {
    deliver: async (letter) => {
      const { me, host, home } = state
      if (me && host !== undefined) requireLinked(speaker.ports.bus(), me, host, home)
      return asked((n) => ({ f: 'msg', n, letter }))
    },
    tell: async (receipts) => {
      await asked((n) => ({ f: 'rcpt', n, receipts: [...receipts] }))
    },
  }
}

function beIdle(speaker: Speaker, what: 'lane' | 'receipts' | 'peer'): void {
  const { state, asked, finish } = speaker
  if (state.idle.has(what)) return
  state.idle.add(what)
  if (what === 'lane') say(speaker, { f: 'idle' })
  if (asked.once && state.idle.size === 3) finish('all is delivered', { done: true })
}

/** Does what a frame asks for, once both sides know each other. */
export function onMet(speaker: Speaker, frame: Exclude<Frame, { f: 'bye' | 'hello' }>): void {
  const { state, finish } = speaker
  const { host, me, arrivals } = state
  if (host === undefined || me === undefined || arrivals === undefined) {
    finish('the other side did not say hello')
    return
  }
  switch (frame.f) {
    case 'msg':
      say(speaker, { f: 'ans', n: frame.n, answer: answerTo(arrivals, frame.letter) })
      return
    case 'rcpt':
      arrivals.told(frame.receipts)
      say(speaker, { f: 'ans', n: frame.n, answer: { is: 'arrived' } })
      return
    case 'ans':
      state.open.get(frame.n)?.resolve(frame.answer)
      state.open.delete(frame.n)
      return
    case 'here':
      noteSeen(speaker.ports.bus(), host, { sessions: remoteSessions(frame.sessions) })
      return
    case 'idle':
      beIdle(speaker, 'peer')
      return
    case 'ping':
      say(speaker, { f: 'pong', at: frame.at, now: speaker.ports.bus().clock.now() })
      return
    case 'pong':
      notePong(speaker.ports.bus(), host, frame.at, frame.now)
  }
}

function answerTo(arrivals: Arrivals, letter: Parameters<Arrivals['take']>[0]): Answer {
  try {
    return arrivals.take(letter)
  } catch (error) {
    // A fault of this machine: the letter stays in the other's queue.
    return { is: 'wait', why: reasonOf(error).slice(0, 500) }
  }
}
