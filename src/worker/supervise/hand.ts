import { readFileSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { ensureInbox } from '../../bus/home.ts'
import { unreadCount } from '../../bus/mail/unread.ts'
import type { Ports } from '../../chat/ports.ts'
import { isoTime } from '../../message/time.ts'
import { readWorkerState } from '../../session/workerState.ts'
import { isOfSession } from '../../session/workers.ts'
import { isErrno, reasonOf } from '../../system/errno.ts'
import { removeFile } from '../../system/files.ts'
import { hintOnChanges } from '../../system/hints.ts'
import { decide, recentRestarts, type Seen, type Step } from './decide.ts'
import { killWorker } from './end.ts'
import { launchWorker, rotateOutput } from './launch.ts'
import type { Defined } from './ports.ts'
import { noteEnd, workerProcess, writeWorker } from './stateFile.ts'
import { tellFailed } from './tell.ts'
import type { Wish } from './wanted.ts'

export type HandPorts = Pick<Ports, 'bus' | 'env' | 'self' | 'tmux'> & {
  log: (text: string) => void
  /** Called when the inbox of a worker that rests has changed. */
  onMail: () => void
}

/** One worker in the hand of the supervisor, which looks after it by itself. */
export type Hand = {
  /** Looks at the worker and does what is to be done; gives when to look again, in milliseconds. */
  look: (wish: Wish | undefined, defined: Defined | undefined) => Promise<number | undefined>
  close: () => void
}

/** What only this process knows of a worker. */
type Memory = Pick<Seen, 'launched' | 'restarts'>

export function takeInHand(name: string, ports: HandPorts): Hand {
  const bus = ports.bus()
  const memory: Memory = { launched: undefined, restarts: [] }
  const mail = mailWatch(name, ports)
  return {
    close: () => mail(false),
    look: async (wish, defined) => {
      for (;;) {
        const seen = seenOf(name, wish, defined, memory, bus)
        const step = decide(seen, bus.clock.now())
        if (step.do === 'nothing') {
          if (seen.runs) rotateOutput(bus.home.workerOutput(name))
          mail(!seen.runs && wish?.want !== 'down' && (wish !== undefined || !seen.persistent))
          // What came before the watch was there has made no event.
          if (!seen.unread && unreadCount(bus.home, name) > 0) continue
          return step.again
        }
        ports.log(`@${name}: ${stepText(step)}`)
        await take(step, seen, name, memory, ports)
      }
    },
  }
}

function seenOf(
  name: string,
  wish: Wish | undefined,
  defined: Defined | undefined,
  memory: Memory,
  bus: Bus,
): Seen {
  const ended = readEnd(bus.home.workerEnd(name))
  // In this order: a worker that ends between the two looks has written its state before.
  const runs = workerProcess(bus, name) !== undefined
  const state = readWorkerState(bus.home, name)
  // One that an earlier supervisor launched is still on its way.
  if (runs && state === undefined) memory.launched ??= bus.clock.now()
  const restarts = [...new Set([...memory.restarts, ...(state?.restarts ?? [])])].sort()
  return {
    ...{ state, runs, wish, ended, restarts },
    persistent: defined?.persistent ?? wish !== undefined,
    unread: unreadCount(bus.home, name) > 0,
    taken: isOfSession(bus, name),
    launched: memory.launched,
  }
}

async function take(
  step: Exclude<Step, { do: 'nothing' }>,
  seen: Seen,
  name: string,
  memory: Memory,
  ports: HandPorts,
): Promise<void> {
  const bus = ports.bus()
  if (step.do === 'start') return start(step.again === true, seen, name, memory, ports)
  // Of one that is started again, the new process ends what the former one has left.
  if (step.do !== 'crashed') await killWorker(name, bus)
  memory.launched = undefined
  removeFile(bus.home.workerEnd(name))
  if (step.do === 'stopped') return noteEnd(bus, name, { activity: 'stopped' })
  const activity = step.do === 'give up' ? 'failed' : 'crashed'
  // First: told twice after a power cut is better than never.
  if (step.do === 'give up') tellFailed(name, step.reason, ports)
  noteFailure(name, { activity, reason: step.reason, restarts: seen.restarts }, bus)
}

async function start(
  again: boolean,
  { wish, restarts }: Seen,
  name: string,
  memory: Memory,
  ports: HandPorts,
): Promise<void> {
  const bus = ports.bus()
  const now = bus.clock.now()
  memory.restarts = again ? [...recentRestarts(restarts, now), isoTime(now)] : []
  const state = readWorkerState(bus.home, name)
  if (state) writeWorker(bus.home, { ...state, restarts: memory.restarts })
  memory.launched = now
  await launchWorker(name, wish?.cwd ?? bus.home.root, { ...ports, bus })
}

/** A worker that ended before it had a state gets one, so that everybody can see why. */
function noteFailure(
  name: string,
  what: { activity: 'crashed' | 'failed'; reason: string; restarts: string[] },
  bus: Bus,
): void {
  if (readWorkerState(bus.home, name)) {
    noteEnd(bus, name, what)
    return
  }
  const at = isoTime(bus.clock.now())
  writeWorker(bus.home, {
    ...{ name, since: at, started: at, beat: at, requests: 0, ...what },
    process: { pid: 0, started: '' },
    definition: { path: '', hash: '' },
  })
}

/** Watches an inbox while its worker rests. Gives what begins and ends that. */
function mailWatch(name: string, { bus, onMail }: HandPorts): (on: boolean) => void {
  let close: (() => void) | undefined
  return (on) => {
    if (on === (close !== undefined)) return
    close?.()
    const { home } = bus()
    if (on) ensureInbox(home, name)
    close = on ? hintOnChanges([{ directory: home.inbox(name) }], onMail) : undefined
  }
}

function readEnd(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^\d{1,3}$/.test(text) ? Number(text) : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw new Error(`${path}: ${reasonOf(error)}`)
  }
}

function stepText(step: Exclude<Step, { do: 'nothing' }>): string {
  if (step.do === 'start') return step.again ? 'started again' : 'started'
  return 'reason' in step ? `${step.do}: ${step.reason}` : step.do
}
