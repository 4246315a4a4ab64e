import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { homeAt } from '../bus/home.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { CodedError } from '../errors.ts'
import { join as joinSession } from '../session/join.ts'
import { leave } from '../session/leave.ts'
import { unless } from '../system/errno.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'

const FROM = 'doctor-a'
const TO = 'doctor-b'
/** The sender's name is all that a ring tells, so this is the whole of it. */
const RING = `New message from @${FROM}. Check inbox.`

/** How long each step may take, and how often to look. In milliseconds. */
const STEP_MS = 10_000
const LOOK_MS = 5

type RingPorts = {
  /** Lends its clock and its processes; the home is one of the proof's own. */
  bus: Bus
  tmux: Tmux
  /** Starts a detached watcher in this home. */
  startWatcher: (bus: Bus) => number | undefined
  /** Whether the person at the terminal has had enough. */
  stopped: () => boolean
}

/**
 * Sends one message through a real doorbell: a home, a tmux server and a pane of its own, `cat` in
 * the place of an agent, the real watcher. Gives the time from the send to the line that `cat`
 * gives back, in milliseconds. Leaves nothing behind, whatever happens. Throws `TIMED_OUT` with the
 * step that did not come.
 */
export async function proveRing(temporary: string, ports: RingPorts): Promise<number> {
  const directory = mkdtempSync(join(temporary, 'ac-'))
  const bus = { ...ports.bus, home: homeAt(join(directory, 'home')) }
  const socket = join(directory, 'tmux')
  try {
    return await prove(directory, socket, bus, ports)
  } finally {
    await cleanUp(directory, socket, bus, ports)
  }
}

async function cleanUp(
  directory: string,
  socket: string,
  bus: Bus,
  ports: RingPorts,
): Promise<void> {
  try {
    // Waits until the watcher has ended: it would write into its home again.
    await leave(TO, { bus })
  } finally {
    await ports.tmux.run(['kill-server'], socket)
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function prove(cwd: string, socket: string, bus: Bus, ports: RingPorts): Promise<number> {
  // `env` keeps tmux from running a shell; the user's own tmux.conf stays out of it.
  const start = ['-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', '-c', cwd]
  const { code, stderr } = await ports.tmux.run([...start, '--', 'env', 'cat'], socket)
  if (code !== 0) throw failure(`tmux started no session: ${stderr}`)
  const pane = await paneOn(socket, ports)
  const pid = await eventually(
    () => 'the stand-in agent did not start',
    ports,
    async () => {
      const { stdout } = await ports.tmux.run(
        ['display-message', '-p', '-t', pane.pane, '#{pane_pid}'],
        socket,
      )
      return bus.processes.find(Number(stdout))?.command === 'cat' ? Number(stdout) : undefined
    },
  )
  await joinSession(
    {
      name: TO,
      pane,
      agent: { pid, started: bus.processes.find(pid)?.started ?? '' },
      cwd,
      native: false,
      doorbell: 'tmux',
      force: false,
      watch: true,
    },
    {
      bus,
      tmux: ports.tmux,
      warn: () => {},
      startWatcher: () => ports.startWatcher(bus),
    },
  )
  await eventually(
    () => 'the watcher did not start',
    ports,
    () => logOf(bus).includes('watching') || undefined,
  )
  const sentAt = bus.clock.micros()
  sendMessage(bus, { from: FROM, to: TO, kind: 'note', body: 'agent-chat doctor' })
  const unrung = () => `the pane was not rung (its watcher last said: ${lastLine(bus)})`
  await eventually(unrung, ports, async () => {
    const { stdout } = await ports.tmux.run(['capture-pane', '-p', '-t', pane.pane], socket)
    // Once as the terminal's echo; once more from `cat`, which got the line with its Enter.
    return stdout.split('\n').filter((line) => line.trim() === RING).length >= 2 || undefined
  })
  return Math.round((bus.clock.micros() - sentAt) / 1000)
}

async function paneOn(socket: string, ports: RingPorts): Promise<PaneAddress> {
  const { stdout } = await ports.tmux.run(['list-panes', '-a', '-F', '#{pane_id}'], socket)
  const pane = stdout.trim()
  if (/^%\d+$/.test(pane)) return { socket, pane }
  throw failure(`tmux has no pane: ${stdout.slice(0, 100)}`)
}

async function eventually<T>(
  trouble: () => string,
  ports: RingPorts,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  for (const deadline = ports.bus.clock.now() + STEP_MS; ; ) {
    const answer = await look()
    if (answer !== undefined && answer !== null) return answer
    if (ports.stopped()) throw failure('it was interrupted')
    if (ports.bus.clock.now() > deadline) throw failure(`${trouble()}, in ${STEP_MS / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

function logOf(bus: Bus): string {
  return unless(['ENOENT'], () => readFileSync(bus.home.watcherLog(TO), 'utf8')) ?? ''
}

function lastLine(bus: Bus): string {
  return logOf(bus).trim().split('\n').at(-1)?.slice(25) ?? ''
}

function failure(what: string): CodedError {
  return new CodedError('TIMED_OUT', what, {
    hint: 'messages still arrive; agents see them at their next look',
  })
}
