import type { Bus } from '../bus/bus.ts'
import { heldMarks } from '../bus/held.ts'
import { readRenames } from '../bus/names.ts'
import { readSessions } from '../bus/registry.ts'
import { inboxNames } from '../bus/sweep/entries.ts'
import { unreadCount } from '../bus/unread.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { readState } from '../session/stateFile.ts'
import type { Check } from '../setup/check.ts'
import { namesIn } from '../system/files.ts'
import { machineName, nodeVersion } from '../system/machine.ts'
import { userHome } from '../system/user.ts'
import type { Ports } from './ports.ts'
import { bareEvents, bareHookLog, bareWatcherLog, shorten, withoutQuotes } from './reportText.ts'
import { sessionRows } from './sessionRows.ts'

/** One part of a report as lines of text, under its heading. */
export type Part = { title: string; lines: string[] }

/** What a maintainer needs of a bug, without anything that a message says. `made_at` is ISO 8601, null without a home. */
export type Report = { made_at: string | null; parts: Part[] }

/** How much of the history and of each log is told. */
const EVENTS = 200
const LOG_LINES = 30

/** Variables whose values are words of this program, or paths. Of any other, only that it is set is told. */
const PLAIN = ['HOME', 'NAME', 'GATE', 'DOORBELL', 'NOTIFY', 'DEBUG'].map((word) => `AGENT_CHAT_${word}`)

/**
 * Puts a report together. It only looks: what the checks have found is as it was left. A part that cannot be read says so, and the rest is still told;
 * `bus` is undefined where there is no home.
 */
export async function makeReport(checks: Check[], bus: Bus | undefined, ports: Ports): Promise<Report> {
  const parts = [
    await part('versions', () => [
      `agent-chat ${ports.version}, ${shorten(ports.self.root, userHome())}`,
      `Node ${nodeVersion()}`,
      machineName(),
    ]),
    await part('environment', () => environment(ports.env)),
    await part('checks', () => checks.map(bareCheck)),
  ]
  if (bus) {
    parts.push(
      await part('sessions', () => sessions(ports)),
      await part('renames', () => readRenames(bus.home).map((one) => JSON.stringify(one))),
      await part('inboxes', () =>
        inboxNames(bus.home)
          .sort()
          .map((name) => inbox(bus, name)),
      ),
      await part('states', () =>
        inboxNames(bus.home)
          .sort()
          .flatMap((name) => state(bus, name)),
      ),
      await part(`history, the last ${EVENTS} events`, () => bareEvents(bus.home, EVENTS)),
      await part('hooks.log', () => bareHookLog(bus.home.hookLog, LOG_LINES, userHome())),
    )
    for (const name of inboxNames(bus.home).sort())
      parts.push(await part(`${name}.log`, () => bareWatcherLog(bus.home.watcherLog(name), LOG_LINES)))
  }
  return {
    made_at: bus ? new Date(bus.clock.now()).toISOString() : null,
    parts: parts.filter(({ lines }) => lines.length > 0),
  }
}

async function part(title: string, look: () => string[] | Promise<string[]>): Promise<Part> {
  try {
    return { title, lines: await look() }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error'
    return { title, lines: [`could not be read: ${code}`] }
  }
}

function environment(env: NodeJS.ProcessEnv): string[] {
  const own = Object.keys(env).filter((key) => key.startsWith('AGENT_CHAT_'))
  const others = ['TMUX', 'CLAUDECODE', 'NO_COLOR'].filter((key) => env[key])
  const plain = (key: string) => PLAIN.includes(key) || key === 'TERM'
  return [...own, ...others, ...(env.TERM ? ['TERM'] : [])]
    .sort()
    .map((key) => (plain(key) ? `${key}=${shorten(env[key] ?? '', userHome())}` : `${key} is set`))
}

/** What a hook said in its fault may be of a message, so only how many there were is told here; `hooks.log` has them bare. */
function bareCheck({ name, status, detail }: Check): string {
  const told = name === 'hooks' ? detail.replace(/, the last: .*$/s, '') : withoutQuotes(detail)
  return `${status.padEnd(8)}${name.padEnd(10)}  ${shorten(told, userHome())}`
}

async function sessions(ports: Ports): Promise<string[]> {
  const registered = readSessions(ports.bus().home)
  const rows = await sessionRows(Object.values(registered), ports)
  return rows.map(({ name, pane, state, unread, held, joined_at, alive, watcher, waiting }) =>
    JSON.stringify({
      ...{ name, pane, state, alive, watcher, unread, held, joined_at },
      ...{ doorbell: registered[name]?.doorbell, native: registered[name]?.native },
      waiting: waiting && { ...waiting, why: withoutQuotes(waiting.why) },
    }),
  )
}

function inbox(bus: Bus, name: string): string {
  const { home } = bus
  const messages = (path: string) => namesIn(path).filter((file) => file.endsWith('.md')).length
  const marks = Object.values(heldMarks(home, name)).map(({ ring }) => ring)
  const counts = [
    `${unreadCount(home, name)} unread`,
    `${messages(home.readDirectory(name))} read`,
    `${namesIn(home.badDirectory(name)).length} bad`,
    `${marks.length} marked${marks.length === 0 ? '' : ` (${[...new Set(marks)].join(', ')})`}`,
  ]
  return `@${name}: ${counts.join(', ')}`
}

function state(bus: Bus, name: string): string[] {
  const known = NAME_PATTERN.test(name) ? readState(bus.home, name) : undefined
  if (!known) return []
  const { activity, since, agent, native, vim, gate, turn } = known
  const whose = turn && { began: turn.began, opened: turn.opened, at: turn.at, work: turn.work }
  const runs = agent !== null && bus.processes.isAlive(agent)
  return [JSON.stringify({ name, activity, since, agent_runs: runs, native, vim, gate, turn: whose })]
}
