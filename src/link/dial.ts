import type { Bus } from '../bus/bus.ts'
import { type Dial, readPeer, writePeer } from '../bus/remote/peers.ts'
import { forgetRan, noteRan } from '../bus/remote/ran.ts'
import type { Ports } from '../chat/ports.ts'
import { CodedError } from '../errors.ts'
import { nameLike, quote } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { visibleLine } from '../message/visible.ts'
import { tmuxServerOf } from '../session/launched.ts'
import { hostName } from '../system/machine.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { spawnPipe } from '../system/pipe.ts'
import { shellQuoted } from '../system/shellQuoted.ts'
import { createWaker } from '../system/waker.ts'
import { personHere } from '../trust/human/person.ts'
import { connect } from './connection.ts'
import { meOf } from './meet.ts'
import type { Ended } from './speaker.ts'
import { parseTarget, sshArgv } from './ssh.ts'

/**
 * A link to dial. `target`: `user@host`, or the name of a machine that was linked before. `ssh`:
 * further arguments of ssh. `there`: the path of agent-chat on that machine.
 */
export type LinkRequest = {
  target: string
  as?: string | undefined
  peer?: string | undefined
  once?: boolean | undefined
  ssh: string[]
  there?: string | undefined
}

/** What is told of a link while it runs. */
export type LinkNews = { is: 'up'; host: string } | { is: 'down'; why: string; againMs: number }

export type LinkPorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'self' | 'onStop'> & {
  version: string
  tell: (news: LinkNews) => void
}

/** How long is waited before the next try: at first, and at most. In milliseconds. */
const FIRST_MS = 200
const LONGEST_MS = 30_000

/**
 * Links this home with another machine over the user's own ssh until it is stopped; with `once`,
 * until all that is queued on both sides has arrived. A way that breaks is tried again, longer and
 * longer apart. Throws `PEER_REFUSES` where one of the two does not take the other, `LOCKED` where
 * another process has this link, and `NOT_ARRIVED` where a machine that was never met, or with
 * `once` any machine, cannot be reached.
 */
export async function runLink(request: LinkRequest, ports: LinkPorts): Promise<void> {
  const bus = ports.bus()
  const plan = planOf(request, bus)
  const me = meOf(bus, request.as, nameLike(hostName()) ?? 'laptop')
  const waker = createWaker()
  let stopped: NodeJS.Signals | undefined
  let stop = () => {}
  ports.onStop((signal) => {
    stopped = signal
    stop()
    waker.wake()
  })
  const lock = linkLock(bus, request.once === true)
  const note = ranNote(request.once === true, ports)
  if (plan.known !== undefined) lock.take(plan.known)
  let backoff = FIRST_MS
  try {
    while (!stopped) {
      const { command, env } = sshArgv(plan.dial, me.host, ports.env)
      const asked = {
        ...{ dials: true, begin: () => me, once: request.once === true, version: ports.version },
        ...{ to: { host: plan.peer, sure: plan.sure }, expected: plan.known },
        onUp: (host: string) => {
          lock.take(host)
          backoff = FIRST_MS
          keepDial(bus, host, plan.dial)
          note.up(host)
          ports.tell({ is: 'up', host })
        },
      }
      const connection = connect(spawnPipe(command, env), asked, ports)
      stop = connection.stop
      const end = await connection.ended
      if (end.done || stopped) return
      if (end.error) throw end.error
      if (request.once || (!end.met && plan.isNew)) throw unreachable(plan.dial, end)
      if (end.met) plan.isNew = false
      ports.tell({ is: 'down', why: end.why, againMs: backoff })
      await waker.sleep(backoff * (0.75 + (bus.clock.micros() % 1000) / 2000))
      backoff = Math.min(backoff * 2, LONGEST_MS)
    }
  } catch (error) {
    note.over()
    throw error
  } finally {
    if (stopped === 'SIGINT') note.over()
    lock.release()
  }
}

/**
 * Notes that a link runs, so that `agent-chat resume` can bring it back: until its person ends it
 * with Ctrl-C, or one of the two machines refuses it. A unit brings its own back.
 */
function ranNote(once: boolean, ports: LinkPorts) {
  const bus = ports.bus()
  const here = personHere(ports)
  const isKept = !once && !(here.is === 'nobody' && here.unit)
  let noted: string | undefined
  return {
    up: (host: string) => {
      if (!isKept || noted !== undefined) return
      noted = host
      const { pid, started } = bus.processes.self()
      noteRan(bus.home, host, { agent: { pid, started }, server: tmuxServerOf(ports.env, bus) })
    },
    over: () => noted !== undefined && forgetRan(bus.home, noted),
  }
}

type Plan = { dial: Dial; peer: string; sure: boolean; known: string | undefined; isNew: boolean }

/** Where to dial, and who is expected to answer. */
export function planOf({ target, peer, ssh, there }: LinkRequest, { home }: Bus): Plan {
  const before = readPeer(home, target)
  if (before?.dial) {
    const dial = { ...before.dial, ...(ssh.length > 0 && { ssh }), ...(there && { there }) }
    return { dial, peer: target, sure: true, known: target, isNew: before.id === undefined }
  }
  const { address, name } = parseTarget(target)
  const dial = { address, ssh, ...(there && { there }) }
  const known = peer === undefined ? undefined : readPeer(home, peer)
  return { dial, peer: peer ?? name, sure: peer !== undefined, known: peer, isNew: !known?.id }
}

/** One process dials a machine at a time, unless it only calls once. */
function linkLock({ home, processes }: Bus, once: boolean) {
  let held: { host: string; release: () => void } | undefined
  return {
    take: (host: string) => {
      if (once || held?.host === host) return
      if (readPeer(home, host) !== undefined) held = { host, release: tryLinkLock(host) }
    },
    release: () => held?.release(),
  }
  function tryLinkLock(host: string): () => void {
    const path = home.linkLock(host)
    const lock = tryPidLock(path, processes)
    if (typeof lock === 'function') return lock
    throw new CodedError('LOCKED', `the link to ${host} runs already (process ${lock.pid})`, {
      hint: `see it with: agent-chat links; end it with: kill -INT ${lock.pid}`,
    })
  }
}

function keepDial(bus: Bus, host: string, dial: Dial): void {
  const before = readPeer(bus.home, host)
  if (JSON.stringify(before?.dial) === JSON.stringify(dial)) return
  writePeer(bus, { created: isoTime(bus.clock.now()), ...before, host, dial })
}

function unreachable({ address, there, ssh }: Dial, { why, met }: Ended): CodedError {
  const line = quote(why)
  if (/ENOENT/.test(why))
    return new CodedError('PROGRAM_MISSING', 'ssh is not installed', {
      hint: 'install it, for example: sudo apt install openssh-client',
    })
  if (met)
    return new CodedError('NOT_ARRIVED', `the link to ${address} broke: ${line}`, {
      hint: 'what is not delivered stays queued; try again, or see: agent-chat links',
    })
  const missing = there
    ? `${there} is not on that machine`
    : 'agent-chat is not on the PATH of that machine'
  const byHand = ['ssh', ...ssh, address, there ?? 'agent-chat', '--version']
    .map(shellWord)
    .join(' ')
  const hint =
    /command not found|: not found$|Unknown command|^it ended \(127\)|No such file or directory$/.test(
      why,
    )
      ? `${missing}; give its path: --there '~/.local/bin/agent-chat'`
      : `try it by hand: ${visibleLine(byHand)}; it must ask for no password`
  return new CodedError('NOT_ARRIVED', `${address} was not reached: ${line}`, { hint })
}

/** A word as a shell takes it; `~` is left for the shell of the other machine. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : shellQuoted(word)
}
