import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { nameMeant } from '../../bus/names.ts'
import { findSession, readSessions, type Session, updateSessions } from '../../bus/registry.ts'
import { stdoutDoorbell, tmuxDoorbell } from '../../doorbell/bells.ts'
import type { Doorbell } from '../../doorbell/ringer.ts'
import { watchInbox } from '../../doorbell/watch.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { renameTmuxSession } from '../../launcher/tmuxSession.ts'
import { parseName } from '../../message/name.ts'
import { type DoorbellChoice, parseDoorbell } from '../../session/doorbellChoice.ts'
import { leave } from '../../session/join.ts'
import { isAlive, paneLooker } from '../../session/roster.ts'
import { watchDirectory } from '../../system/events.ts'
import { logLine } from '../../system/log.ts'
import { createWaker } from '../../system/waker.ts'
import { runAnnounce } from '../announce.ts'
import { addCommand } from '../command.ts'
import { resolvePane } from '../pane.ts'
import type { Ports } from '../ports.ts'
import { unknownSession } from '../recipient.ts'

export type WatchOptions = { name: string; pane?: string; doorbell?: string }

type WatchFlags = { doorbell?: string; announce?: string; json?: boolean }

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
    .addOption(program.createOption('--announce <id>', 'tell the human of one message, and end').hideHelp())
    .action(async (name: string, pane: string | undefined, { announce, ...options }: WatchFlags) => {
      if (announce !== undefined) return runAnnounce(announce, ports)
      const ended = await run({ ...options, name, ...(pane === undefined ? {} : { pane }) }, ports)
      ports.say(
        options.json ? JSON.stringify(ended) : `agent-chat: the watcher of @${ended.name} ends: ${ended.reason}`,
      )
    })
}

/** Watches until the session is gone or the process is asked to end. Replaces the session's watcher. */
export async function runWatch(options: WatchOptions, ports: Ports): Promise<{ name: string; reason: string }> {
  const name = parseName(options.name)
  const bus = ports.bus()
  const { session, before } = await prepare(name, options, ports)
  const choice = parseDoorbell(session.doorbell)
  const doorbell = chooseDoorbell(choice, ports)
  // What is only needed later is loaded now: an update may replace this program's files while it runs.
  await Promise.all([import('../../system/tmux.ts'), import('../../system/lock.ts')])
  // A home that was removed is not to come back as a directory of logs.
  const log = (name: string, text: string) => {
    if (existsSync(bus.home.root)) logLine(bus.home.watcherLog(name), text)
  }
  const waker = createWaker()
  const onRenamed = (from: string, session: Session) =>
    renameTmuxSession(ports.tmux, from, session).catch(unlessMissing)
  if (session.name !== name) await onRenamed(name, session)
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const paneExists = paneLooker({ processes: bus.processes, tmux: ports.tmux })
  const ended = await watchInbox(
    { session, doorbell, leaveToNative: choice === 'auto', stopped: () => stopped },
    { bus, waker, watchDirectory, paneExists, log, onRenamed },
  )
  const { reason } = ended
  log(ended.name, `ends: ${reason}`)
  if (reason === 'the agent has ended' || reason === 'the pane is gone') await leaveGone(ended.name, ports)
  else if (session.doorbell !== before.doorbell)
    await giveBack({ ...session, name: ended.name }, before.doorbell, ports)
  return ended
}

/** Without tmux there is no session of it to rename. */
function unlessMissing(error: unknown): void {
  if (!isCoded(error, 'PROGRAM_MISSING')) throw error
}

/** Writes what the command line says of the session's pane and doorbell into the registry, and gives the session. */
async function prepare(
  name: string,
  options: WatchOptions,
  ports: Ports,
): Promise<{ session: Session; before: Session }> {
  const asked = options.doorbell ?? (ports.env.AGENT_CHAT_DOORBELL || undefined)
  const doorbell = asked === undefined ? {} : { doorbell: parseDoorbell(asked) }
  const address = options.pane === undefined ? undefined : await resolvePane(options.pane, ports)
  const pane = address ? { pane: address.pane, tmux_socket: address.socket, agent: null } : {}
  const sessions = readSessions(ports.bus().home)
  // It may have been renamed since this process was started for it.
  const session = findSession(sessions, nameMeant(ports.bus().home, sessions, name))
  if (!session) throw unknownSession(name, Object.keys(sessions))
  const next: Session = { ...session, ...doorbell, ...pane }
  if (JSON.stringify(next) === JSON.stringify(session)) return { session, before: session }
  await change(name, ports, (current) => ({ ...current, ...doorbell, ...pane }))
  return { session: next, before: session }
}

/** What this watcher was told of the doorbell holds as long as it runs, no longer. */
async function giveBack(session: Session, doorbell: string, ports: Ports): Promise<void> {
  // A home that was removed must not come back for that.
  if (!existsSync(ports.bus().home.sessions)) return
  await change(session.name, ports, (current) => {
    return current.joined_at === session.joined_at && current.doorbell === session.doorbell
      ? { ...current, doorbell }
      : current
  })
}

async function change(name: string, ports: Ports, next: (current: Session) => Session): Promise<void> {
  const bus = ports.bus()
  await updateSessions(
    bus,
    (sessions) => {
      const current = findSession(sessions, nameMeant(bus.home, sessions, name))
      return current && { ...sessions, [current.name]: next(current) }
    },
    (path) => ports.say(`agent-chat: sessions.json could not be read; it is kept as ${path}`),
  )
}

function chooseDoorbell(choice: DoorbellChoice, ports: Ports): Doorbell {
  const bus = ports.bus()
  if (choice === 'stdout') return stdoutDoorbell((line) => ports.print(`${line}\n`))
  if (choice === 'native') {
    throw new CodedError('USAGE', 'the native doorbell needs no watcher', { hint: 'use --doorbell tmux or stdout' })
  }
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  return tmuxDoorbell(bus, { tmux: ports.tmux, processes: bus.processes, pause }, ports.env.AGENT_CHAT_PROMPT)
}

/** The launcher takes its session out of the registry; where it was killed with its agent, the watcher does. */
async function leaveGone(name: string, ports: Ports): Promise<void> {
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  if (!session || (await isAlive(session, { processes: bus.processes, tmux: ports.tmux })) !== 'gone') return
  await leave(name, { bus, warn: () => {} }, (now) => now.joined_at === session.joined_at)
}
