import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../../src/bus/bus.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { BURST_MS } from '../../src/console/view/burst.ts'
import { escalationBody, escalationFields } from '../../src/message/escalation.ts'
import type { ProcessRef } from '../../src/system/processes.ts'
import { DIST } from '../../src/testing/cli.ts'
import { register } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import { carriers } from '../e2e/harness/processes.ts'
import { tmuxWorld, type World } from './world.ts'

/** A console in a pane, and the home that it is open on. */
export type ConsoleSeat = World & {
  pane: Pane
  lines: () => Promise<string[]>
  resize: (width: number, height: number) => Promise<void>
}

type Seat = {
  names?: string[]
  args?: string[]
  env?: Record<string, string>
  width?: number
  height?: number
  before?: (bus: Bus) => void
  ready?: RegExp
  /** Stays in the inbox; else it goes on to the line that one writes in. */
  inbox?: true
  /** What stands before the command, as variables that tmux would set itself. */
  prefix?: string
}

/**
 * Opens the console between two lines of a shell: `before` and, once it was left, `left` with the
 * exit code.
 */
export async function sitDown(seat: Seat = {}): Promise<ConsoleSeat> {
  const world = await tmuxWorld()
  register(world.bus.home, ...(seat.names ?? ['backend', 'frontend']))
  seat.before?.(world.bus)
  const command = [RUNTIME, join(DIST, 'main.js'), 'console', ...(seat.args ?? [])].join(' ')
  const pane = await world.server.newSession({
    // Ctrl-C reaches the shell, too.
    cmd: `trap : INT; echo before; ${seat.prefix ?? ''} ${command}; echo left $?; exec cat`,
    env: { AGENT_CHAT_HOME: world.bus.home.root, ...seat.env },
    width: seat.width ?? 80,
    height: seat.height ?? 24,
  })
  byHand(pane)
  if (seat.ready) await pane.waitFor(seat.ready)
  else await pane.waitFor(/── .* unread /)
  if (!seat.ready && !seat.inbox) {
    await pane.key('i')
    await pane.waitFor(/── .*\n›/)
  }
  const lines = async () => (await pane.screen()).replace(/\n$/, '').split('\n')
  const resize = async (width: number, height: number) => {
    await world.server.tmux(
      'resize-window',
      '-t',
      pane.id,
      '-x',
      String(width),
      '-y',
      String(height),
    )
  }
  return { ...world, pane, lines, resize }
}

/** Lets keys come no faster than a hand presses them: those of one burst were pasted, and press nothing. */
function byHand(pane: Pane): void {
  const press = pane.key.bind(pane)
  pane.key = async (...keys) => {
    await new Promise((resolve) => setTimeout(resolve, 2 * BURST_MS))
    await press(...keys)
  }
}

/**
 * Somebody at the tmux session of the pane, as a client without a terminal: it is told of each
 * byte.
 */
export async function attach({
  server,
  pane,
}: Pick<ConsoleSeat, 'server' | 'pane'>): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  await server.tmux('set-option', '-g', 'window-size', 'manual')
  const client = spawn('tmux', ['-S', server.socket, '-C', 'attach', '-t', pane.id], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void client.kill('SIGKILL'))
  await until('the client', async () =>
    (await server.tmux('list-clients', '-F', '#{client_pid}')).includes(String(client.pid)),
  )
  return client
}

/** The process of the console. */
export async function roomProcess({ bus }: World): Promise<ProcessRef> {
  return until('the process', async () => {
    const infos = (await carriers('AGENT_CHAT_HOME', bus.home.root)).map((pid) =>
      bus.processes.find(pid),
    )
    return infos.find((info) => info?.command === basename(RUNTIME))
  })
}

/** A message of an agent's, sent without a process of its own. */
export function tell(bus: Bus, from: string, to: string, body: string, kind = 'handover') {
  return sendMessage(bus, { from, to, kind, body }).message
}

/** A decision of two options. */
export function escalate(bus: Bus, number: number, question = 'Drop the column now?') {
  const options = ['drop it', 'keep it']
  const body = escalationBody({ question, options })
  const extra = escalationFields(number, options)
  return sendMessage(bus, {
    from: 'backend',
    to: 'human',
    kind: 'question',
    subject: `decision ${number}: ${question}`,
    body,
    extra,
  }).message
}
