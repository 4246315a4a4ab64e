import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import {
  findSession,
  nameMeant,
  readSessions,
  type Session,
  updateSessions,
} from '../../bus/names/registry.ts'
import { runAnnounce } from '../../chat/announce.ts'
import { unknownSession } from '../../chat/recipient.ts'
import { stdoutDoorbell, tmuxDoorbell } from '../../doorbell/bells.ts'
import { PANE_GONE } from '../../doorbell/pane.ts'
import { lookAfter } from '../../doorbell/rest.ts'
import type { Doorbell } from '../../doorbell/ringer.ts'
import { AGENT_ENDED, type Ended, ownHold, watchInbox } from '../../doorbell/watch.ts'
import { watchHome } from '../../doorbell/watchHome.ts'
import { CodedError } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { type DoorbellChoice, parseDoorbell } from '../../session/doorbellChoice.ts'
import { leave } from '../../session/join.ts'
import { resolvePane } from '../../session/pane.ts'
import { isAlive, paneLooker, panePid } from '../../session/roster.ts'
import { watchDirectory } from '../../system/events.ts'
import { hintOnChanges } from '../../system/hints.ts'
import { logLine } from '../../system/log.ts'
import { terminalOf } from '../../system/terminals.ts'
import { createWaker } from '../../system/waker.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export type WatchOptions = { name: string; pane?: string; doorbell?: string }

type WatchFlags = { doorbell?: string; announce?: string; restOf?: string; json?: boolean }

export function watchCommand(program: Command, ports: Ports): void {
  addCommand(program, 'watch', 'agent-chat watch frontend --doorbell stdout')
    .argument('<name>', 'the session')
    .argument('[tmux-pane]', 'the pane to ring in, that of the session by default')
    .option('--doorbell <doorbell>', 'auto, native, tmux or stdout')
    .addOption(
      program.createOption('--announce <id>', 'tell the human of one message, and end').hideHelp(),
    )
    .addOption(program.createOption('--rest-of <pid>', 'ring for the whole home').hideHelp())
    .action(
      async (
        name: string,
        pane: string | undefined,
        { announce, restOf, ...options }: WatchFlags,
      ) => {
        if (announce !== undefined) return runAnnounce(announce, ports)
        if (restOf !== undefined) return runHomeWatch(Number(restOf), ports)
        const ended = await runWatch(
          { ...options, name, ...(pane === undefined ? {} : { pane }) },
          ports,
        )
        if (options.json) ports.talk(`${JSON.stringify(ended)}\n`)
        else ports.notice(`the watcher of @${ended.name} ends: ${ended.reason}`)
      },
    )
}

/** Watches until the session is gone or the process is asked to end. Replaces the session's watcher. */
export async function runWatch(
  options: WatchOptions,
  ports: Ports,
): Promise<{ name: string; reason: string }> {
  const name = parseName(options.name)
  const bus = ports.bus()
  const { session, before } = await prepare(name, options, ports)
  const choice = parseDoorbell(session.doorbell)
  const doorbell = chooseDoorbell(choice, session, ports)
  await loadRest()
  const waker = createWaker()
  const log = logTo(bus)
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const paneExists = paneLooker({ processes: bus.processes, tmux: ports.tmux })
  const ended = await watchInbox(
    {
      ...{ session, doorbell, hold: ownHold(bus) },
      leaveToNative: choice === 'auto',
      stopped: () => stopped,
    },
    { bus, waker, watchDirectory, paneExists, log, onRenamed: async () => {} },
  )
  await onEnded(ended, log, ports)
  if (session.doorbell !== before.doorbell)
    await giveBack({ ...session, name: ended.name }, before.doorbell, ports)
  return ended
}

/** Rings for all sessions of the home until nothing is left to ring for, and prints what its watcher, the process `pid`, is to look after then. */
async function runHomeWatch(pid: number, ports: Ports): Promise<void> {
  const bus = ports.bus()
  const watcher = bus.processes.find(pid)
  if (watcher === undefined) return
  await loadRest()
  const log = logTo(bus)
  const tmux = ports.tmux
  const sessions = await watchHome(
    {
      watcher: { pid, started: watcher.started },
      doorbellOf: (session) => ({
        doorbell: chooseDoorbell('tmux', session, ports),
        leaveToNative: session.doorbell === 'auto',
      }),
    },
    {
      ...{ bus, log },
      watchDirectory: (directory, onEvent, onTrouble) => {
        const close = hintOnChanges([{ directory }], onEvent, onTrouble)
        return { close: async () => close() }
      },
      paneLooker: () => paneLooker({ processes: bus.processes, tmux }),
      onEnded: (ended) => onEnded(ended, log, ports),
      onStop: ports.onStop,
    },
  )
  const paneProcess = async ({ pane, tmux_socket: socket }: Session) =>
    pane === null || socket === null ? undefined : panePid(tmux, { pane, socket })
  if (sessions) ports.print(`${(await lookAfter(sessions, bus, paneProcess)).join(' ')}\n`)
}

/** What is only needed later is loaded now: an update may replace this program's files while it runs. */
async function loadRest(): Promise<void> {
  await Promise.all([import('../../system/tmux.ts'), import('../../system/lock.ts')])
}

type Log = (name: string, text: string) => void

/** A home that was removed is not to come back as a directory of logs. */
function logTo({ home }: Bus): Log {
  return (name, text) => {
    if (existsSync(home.root)) logLine(home.watcherLog(name), text)
  }
}

async function onEnded({ name, reason }: Ended, log: Log, ports: Ports): Promise<void> {
  log(name, `ends: ${reason}`)
  if (reason === AGENT_ENDED || reason === PANE_GONE) await leaveGone(name, ports)
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

async function change(
  name: string,
  ports: Ports,
  next: (current: Session) => Session,
): Promise<void> {
  const bus = ports.bus()
  await updateSessions(bus, (sessions) => {
    const current = findSession(sessions, nameMeant(bus.home, sessions, name))
    return current && { ...sessions, [current.name]: next(current) }
  })
}

function chooseDoorbell(choice: DoorbellChoice, session: Session, ports: Ports): Doorbell {
  const bus = ports.bus()
  if (choice === 'stdout') return stdoutDoorbell((line) => ports.print(`${line}\n`))
  if (choice === 'native') {
    throw new CodedError('USAGE', 'the native doorbell needs no watcher', {
      hint: 'use --doorbell tmux or stdout',
    })
  }
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  return tmuxDoorbell(
    bus,
    { tmux: ports.tmux, processes: bus.processes, pause },
    ports.env.AGENT_CHAT_PROMPT || session.prompt,
  )
}

/** The launcher takes its session out of the registry; where it was killed with its agent, or the agent stays without its terminal, the watcher does. */
async function leaveGone(name: string, ports: Ports): Promise<void> {
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  if (!session) return
  const { agent, joined_at } = session
  const life = await isAlive(session, { processes: bus.processes, tmux: ports.tmux })
  if (life === 'gone' || (agent !== null && terminalOf(agent.pid) === undefined))
    await leave(name, { bus }, (now) => now.joined_at === joined_at)
}
