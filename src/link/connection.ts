import { type Me, remoteSessions } from '../bus/remote/peers.ts'
import type { PostPorts } from '../chat/post.ts'
import { type CodedError, isCoded } from '../errors.ts'
import { reasonOf } from '../system/errno.ts'
import type { Pipe } from '../system/pipe.ts'
import { arrivalsFrom, notePong, noteSeen } from './arrivals.ts'
import { FRAMES, type Frame, frameReader } from './frames.ts'
import { runLane, runReceipts } from './lane.ts'
import { type Hello, meet, refusal } from './meet.ts'
import { rosterOf } from './roster.ts'
import type { Answer, Arrivals, Transport } from './transport.ts'

/**
 * One connection over a pipe. `begin` gives who this machine is, once the other's hello is needed
 * for that; the dialler speaks first. `once`: ends when all that is queued on both sides has
 * arrived. `expected`: who the other machine has to be.
 */
export type Connecting = {
  dials: boolean
  begin: (hello: Hello | undefined) => Me
  to: { host: string; sure: boolean }
  expected: string | undefined
  once: boolean
  version: string
  /** Called once both sides know each other. */
  onUp: (host: string) => void
}

/** How a connection ended: `error` where one side refuses the other. */
export type Ended = { met: boolean; done: boolean; why: string; error?: CodedError }

/** A sign of life is asked for this often; without any for so long, the way is gone. In ms. */
const PING_MS = 5000
const DEAD_MS = 15_000

/** So much may wait to be taken by the other side, in bytes. */
const MOST_WAITING = 16 * 1024 * 1024

type State = {
  me: Me | undefined
  host: string | undefined
  heard: number
  number: number
  open: Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>
  idle: Set<'lane' | 'receipts' | 'peer'>
  arrivals: Arrivals | undefined
  roster: string
  wakes: (() => void)[]
  over: Ended | undefined
}

/** Runs until the pipe ends, the other side is dead or refuses, or `stop` was called. */
export function connect(
  pipe: Pipe,
  asked: Connecting,
  ports: PostPorts,
): { stop: () => void; ended: Promise<Ended> } {
  const bus = ports.bus()
  const state: State = {
    ...{ me: undefined, host: undefined, heard: bus.clock.now(), number: 0 },
    ...{ open: new Map(), idle: new Set(), arrivals: undefined, roster: '', wakes: [] },
    over: undefined,
  }
  let settle: (end: Ended) => void = () => {}
  const ended = new Promise<Ended>((resolve) => {
    settle = resolve
  })
  const finish = (why: string, more: Partial<Ended> = {}) => {
    if (state.over) return
    state.over = { met: state.host !== undefined, done: false, why, ...more }
    clearInterval(timer)
    for (const { reject } of state.open.values()) reject(new Error(why))
    for (const wake of state.wakes) wake()
    pipe.close()
    settle(state.over)
  }
  const speaker = { pipe, state, finish, asked, ports }
  const timer = setInterval(() => beat(speaker), PING_MS)
  const read = frameReader((frame) => {
    if (!state.over) onFrame(speaker, frame)
  })
  pipe.onData((chunk) => {
    try {
      state.heard = bus.clock.now()
      read(chunk)
    } catch (error) {
      finish(reasonOf(error))
    }
  })
  void pipe.ended.then(({ code, stderr }) => finish(lastLine(stderr) ?? `it ended (${code})`))
  if (asked.dials) guarded(speaker, () => sayHello(speaker, asked.begin(undefined)))
  return { stop: () => finish('it was stopped'), ended }
}

type Speaker = {
  pipe: Pipe
  state: State
  finish: (why: string, more?: Partial<Ended>) => void
  asked: Connecting
  ports: PostPorts
}

function say({ pipe, finish }: Speaker, frame: Frame): void {
  pipe.write(`${JSON.stringify(frame)}\n`)
  if (pipe.waiting() > MOST_WAITING) finish('the other side takes nothing')
}

function sayHello(speaker: Speaker, me: Me): void {
  const { state, asked, ports } = speaker
  state.me = me
  const now = ports.bus().clock.now()
  const who = { host: me.host, home: me.id, to: asked.to.host, sure: asked.to.sure }
  say(speaker, { f: 'hello', v: FRAMES, ...who, version: asked.version, at: now })
}

/** A refusal of ours is told to the other side, which ends with it as well. */
function guarded(speaker: Speaker, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isCoded(error)) throw error
    say(speaker, { f: 'bye', why: error.message, hint: error.hint })
    speaker.finish(error.message, { error })
  }
}

function onFrame(speaker: Speaker, frame: Frame): void {
  const { finish } = speaker
  if (frame.f === 'bye') {
    finish(frame.why, { error: refusal(frame.why, frame.hint) })
    return
  }
  if (frame.f === 'hello') {
    guarded(speaker, () => onHello(speaker, frame))
    return
  }
  onMet(speaker, frame)
}

function onMet(speaker: Speaker, frame: Exclude<Frame, { f: 'bye' | 'hello' }>): void {
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

function onHello(speaker: Speaker, hello: Hello): void {
  const { state, asked, ports } = speaker
  if (state.host !== undefined) return
  const me = asked.dials ? state.me : asked.begin(hello)
  if (me === undefined) return
  const host = meet(ports.bus(), hello, me, asked.expected)
  if (hello.sure && hello.to !== me.host)
    throw refusal(
      `the machine is called ${me.host}, not ${hello.to}`,
      `agent-chat link … --peer ${me.host}`,
    )
  if (!asked.dials) sayHello(speaker, me)
  state.host = host
  begin(speaker, host, me, hello.version)
}

function begin(speaker: Speaker, host: string, me: Me, version: string): void {
  const { state, asked, ports, finish } = speaker
  const bus = ports.bus()
  state.arrivals = arrivalsFrom(host, me.host, ports)
  noteSeen(speaker.ports.bus(), host, { version })
  sayHere(speaker)
  const way = transportOf(speaker)
  const pair = { me: me.host, host }
  const end = (what: 'lane' | 'receipts') => ({
    ended: () => state.over !== undefined,
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
    deliver: (letter) => asked((n) => ({ f: 'msg', n, letter })),
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

function beat(speaker: Speaker): void {
  const { state, ports, finish } = speaker
  const now = ports.bus().clock.now()
  if (now - state.heard > DEAD_MS) finish(`the other side has said nothing for ${DEAD_MS / 1000} s`)
  if (state.host === undefined || state.over) return
  sayHere(speaker)
  say(speaker, { f: 'ping', at: now })
}

function sayHere(speaker: Speaker): void {
  const sessions = rosterOf(speaker.ports.bus())
  const roster = JSON.stringify(sessions)
  if (roster === speaker.state.roster) return
  speaker.state.roster = roster
  say(speaker, { f: 'here', sessions })
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.trim() || undefined
}
