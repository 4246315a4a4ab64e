import type { Command } from 'commander'
import { findSession, readSessions, type Session, updateSessions } from '../../bus/registry.ts'
import { type DoorbellChoice, parseDoorbell, stdoutDoorbell, tmuxDoorbell } from '../../doorbell/bells.ts'
import type { Doorbell } from '../../doorbell/ringer.ts'
import { watchInbox } from '../../doorbell/watch.ts'
import { CodedError } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { leave } from '../../session/join.ts'
import { isAlive } from '../../session/roster.ts'
import { watchDirectory } from '../../system/events.ts'
import { logLine } from '../../system/log.ts'
import { createWaker } from '../../system/waker.ts'
import { resolvePane } from '../pane.ts'
import type { Ports } from '../ports.ts'
import { addCommand } from '../program.ts'
import { unknownSession } from './send.ts'

export type WatchOptions = { name: string; pane?: string; doorbell?: string }

export function watchCommand(program: Command, ports: Ports, run = runWatch): void {
  addCommand(
    program,
    'watch',
    "ring for a session's unread messages, in the foreground",
    'agent-chat watch frontend --doorbell stdout',
  )
    .argument('<name>', 'the session')
    .argument('[tmux-pane]', 'the pane to ring in, that of the session by default')
    .option('--doorbell <doorbell>', 'auto, native, tmux or stdout')
    .action(async (name: string, pane: string | undefined, options: { doorbell?: string; json?: boolean }) => {
      const ended = await run({ ...options, name, ...(pane === undefined ? {} : { pane }) }, ports)
      ports.say(
        options.json ? JSON.stringify(ended) : `agent-chat: the watcher of @${ended.name} ends: ${ended.reason}`,
      )
    })
}

/** Watches until the session is gone or the process is asked to end. Replaces the session's watcher. */
export async function runWatch(options: WatchOptions, ports: Ports): Promise<{ name: string; reason: string }> {
  const name = parseName(options.name)
  const choice = parseDoorbell(options.doorbell ?? ports.env.AGENT_CHAT_DOORBELL)
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  if (!findSession(sessions, name)) throw unknownSession(name, Object.keys(sessions))
  if (options.pane !== undefined) await takePane(name, options.pane, ports)
  const log = (text: string) => logLine(bus.home.watcherLog(name), text)
  const waker = createWaker()
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const paneExists = async (session: Session) =>
    (await isAlive(session, { processes: bus.processes, tmux: ports.tmux })) !== 'gone'
  const doorbell = chooseDoorbell(choice, ports)
  const reason = await watchInbox(
    { name, doorbell, stopped: () => stopped },
    { bus, waker, watchDirectory, paneExists, log },
  )
  log(`ends: ${reason}`)
  if (reason === 'the agent has ended' || reason === 'the pane is gone') await leaveGone(name, ports)
  return { name, reason }
}

function chooseDoorbell(choice: DoorbellChoice, ports: Ports): Doorbell {
  const bus = ports.bus()
  if (choice === 'stdout') return stdoutDoorbell((line) => ports.print(`${line}\n`))
  if (choice === 'native') {
    throw new CodedError('USAGE', 'the native doorbell needs no watcher', { hint: 'use --doorbell tmux or stdout' })
  }
  const prompt = ports.env.AGENT_CHAT_PROMPT
  const screen = prompt ? { prompt } : {}
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  return tmuxDoorbell(bus, { tmux: ports.tmux, processes: bus.processes, pause }, screen)
}

async function takePane(name: string, target: string, ports: Ports): Promise<void> {
  const pane = await resolvePane(target, ports)
  const warn = (path: string) => ports.say(`agent-chat: sessions.json could not be read; it is kept as ${path}`)
  await updateSessions(
    ports.bus(),
    (sessions) => {
      const session = findSession(sessions, name)
      return session && { ...sessions, [name]: { ...session, pane: pane.pane, tmux_socket: pane.socket, agent: null } }
    },
    warn,
  )
}

/** The launcher takes its session out of the registry; where it was killed with its agent, the watcher does. */
async function leaveGone(name: string, ports: Ports): Promise<void> {
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  if (!session || (await isAlive(session, { processes: bus.processes, tmux: ports.tmux })) !== 'gone') return
  await leave(name, { bus, warn: () => {} }, (now) => now.joined_at === session.joined_at)
}
