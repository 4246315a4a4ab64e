import type { Me } from '../bus/remote/peers.ts'
import type { PostPorts } from '../chat/post.ts'
import { isCoded } from '../errors.ts'
import { reasonOf } from '../system/errno.ts'
import { hintOnChanges } from '../system/hints.ts'
import { tryPidLock } from '../system/pidlock.ts'
import type { Pipe } from '../system/pipe.ts'
import { noteAway } from './arrivals.ts'
import { FRAMES, type Frame, frameReader } from './frames.ts'
import { type Hello, meet, refusal, requireLinked } from './meet.ts'
import { begin, onMet } from './met.ts'
import { rosterFor } from './roster.ts'
import { type Connecting, type Ended, type Speaker, type State, say, sayHere } from './speaker.ts'

/** A sign of life is asked for this often; without any for so long, the way is gone. In ms. */
const PING_MS = 5000
const DEAD_MS = 15_000

/** Runs until the pipe ends, the other side is dead or refuses, or `stop` was called. */
export function connect(
  pipe: Pipe,
  asked: Connecting,
  ports: PostPorts,
): { stop: () => void; ended: Promise<Ended> } {
  const bus = ports.bus()
  const state: State = {
    ...{ me: undefined, host: undefined, home: '', heard: bus.clock.now(), number: 0 },
    ...{ open: new Map(), idle: new Set(), wakes: [], over: undefined },
    ...{ arrivals: undefined, roster: rosterFor(bus), told: '' },
  }
  let settle: (end: Ended) => void = () => {}
  const ended = new Promise<Ended>((resolve) => {
    settle = resolve
  })
  const finish = (why: string, more: Partial<Ended> = {}) => {
    if (state.over) return
    state.over = { met: state.host !== undefined, done: false, why, ...more }
    clearInterval(timer)
    if (state.host !== undefined) noteAway(bus, state.host)
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
  guarded(speaker, () => stillLinked(speaker, frame))
  if (!speaker.state.over) onMet(speaker, frame)
}

/** Frames that leave nothing behind need no look. */
const LEAVES_NOTHING = new Set<Frame['f']>(['ans', 'idle', 'ping', 'pong'])

/** Ends the connection, with a word to the other side, once its machine is linked no more. */
function stillLinked({ state, ports }: Speaker, frame?: Frame): void {
  const { me, host, home } = state
  if (me === undefined || host === undefined || (frame && LEAVES_NOTHING.has(frame.f))) return
  requireLinked(ports.bus(), me, host, home)
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
  state.me = me
  state.host = host
  state.home = hello.home
  state.wakes.push(...untilUnlinked(speaker, host))
  begin(speaker, host, me, hello.version)
}

/**
 * Ends the connection as soon as its machine is unlinked, and has `unlink` see when it has ended.
 * Gives what undoes both.
 */
function untilUnlinked(speaker: Speaker, host: string): (() => void)[] {
  const { home, processes } = speaker.ports.bus()
  const place = { directory: home.peer(host), isOf: (file: string) => file === 'peer.json' }
  const stopHints = hintOnChanges([place], () => {
    if (!speaker.state.over) guarded(speaker, () => stillLinked(speaker))
  })
  const lock = speaker.asked.dials ? undefined : tryPidLock(home.farEndLock(host), processes)
  return [stopHints, ...(typeof lock === 'function' ? [lock] : [])]
}

function beat(speaker: Speaker): void {
  const { state, ports, finish } = speaker
  const now = ports.bus().clock.now()
  if (now - state.heard > DEAD_MS) finish(`the other side has said nothing for ${DEAD_MS / 1000} s`)
  guarded(speaker, () => stillLinked(speaker))
  if (state.host === undefined || state.over) return
  sayHere(speaker)
  say(speaker, { f: 'ping', at: now })
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.trim() || undefined
}
