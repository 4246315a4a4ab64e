import type { Bus } from '../bus/bus.ts'
import { inboxNames } from '../bus/mail/inboxes.ts'
import { marksOf } from '../bus/mail/marks.ts'
import { unreadCount } from '../bus/mail/unread.ts'
import { readSessions } from '../bus/names/registry.ts'
import { isoTime } from '../message/time.ts'
import { sessionRows } from '../session/sessionRows.ts'
import { readState } from '../session/stateFile.ts'
import type { Check } from '../setup/check.ts'
import { namesIn } from '../system/files.ts'
import { machineName, runtimeName } from '../system/machine.ts'
import type { Tmux } from '../system/tmux.ts'
import { userHome } from '../system/user.ts'

type ReportPorts = {
  env: NodeJS.ProcessEnv
  self: { root: string }
  version: string
  bus: () => Bus
  tmux: Tmux
}

/** One part of a report as lines of text, under its heading. */
type Part = { title: string; lines: string[] }

/** What a maintainer needs of a bug, and nothing of a message, of the history or of a log. */
export type Report = { made_at: string | null; parts: Part[] }

/** Variables whose values are our own words, or paths. Of any other it is told that it is set. */
const PLAIN = ['HOME', 'NAME', 'GATE', 'DOORBELL', 'NOTIFY', 'DEBUG', 'RUNTIME'].map(
  (word) => `AGENT_CHAT_${word}`,
)

/**
 * Puts a report together. It only looks: what the checks have found is as it was left. A part that
 * cannot be read says so, and the rest is still told; `bus` is undefined where there is no home.
 */
export async function makeReport(
  checks: Check[],
  bus: Bus | undefined,
  ports: ReportPorts,
): Promise<Report> {
  const names = bus ? inboxNames(bus.home).sort() : []
  const parts = [
    await part('versions', () => [
      `agent-chat ${ports.version}, ${ports.self.root}`,
      runtimeName(),
      machineName(),
    ]),
    await part('environment', () => environment(ports.env)),
    await part('checks', () => checks.map(checkLine)),
    await part('sessions', () => (bus ? sessions(ports) : [])),
    await part('inboxes', () => names.map((name) => inbox(bus as Bus, name))),
    await part('states', () => names.flatMap((name) => state(bus as Bus, name))),
  ]
  return {
    made_at: bus ? isoTime(bus.clock.now()) : null,
    parts: parts.filter(({ lines }) => lines.length > 0),
  }
}

async function part(title: string, look: () => string[] | Promise<string[]>): Promise<Part> {
  try {
    const lines = await look()
    const home = userHome()
    // The home of some users is `/`.
    const short = (line: string) => (home.length > 1 ? line.replaceAll(home, '~') : line)
    return { title, lines: lines.map(short) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error'
    return { title, lines: [`could not be read: ${code}`] }
  }
}

function environment(env: NodeJS.ProcessEnv): string[] {
  const keys = Object.keys(env).filter((key) => key.startsWith('AGENT_CHAT_'))
  const others = ['TERM', 'TMUX', 'CLAUDECODE', 'NO_COLOR'].filter((key) => env[key])
  const plain = [...PLAIN, 'TERM']
  return [...keys, ...others]
    .sort()
    .map((key) => (plain.includes(key) ? `${key}=${env[key]}` : `${key} is set`))
}

/** The fault that a hook noted last may be of a message. */
function checkLine({ name, status, detail }: Check): string {
  const told = name === 'hooks' ? detail.replace(/, the last: .*$/s, '') : detail
  return `${status.padEnd(8)}${name.padEnd(10)}  ${told}`
}

async function sessions(ports: ReportPorts): Promise<string[]> {
  const registered = readSessions(ports.bus().home)
  const rows = await sessionRows(Object.values(registered), ports)
  return rows.map(({ name, pane, state, unread, held, joined_at, alive, watcher, waiting }) => {
    const { doorbell, native } = registered[name] ?? {}
    return JSON.stringify({
      ...{ name, pane, state, alive, watcher, unread, held, joined_at, doorbell, native, waiting },
    })
  })
}

function inbox(bus: Bus, name: string): string {
  const { home } = bus
  const messages = (path: string) => namesIn(path).filter((file) => file.endsWith('.md')).length
  const marks = Object.values(marksOf(home, name)).map(({ ring }) => ring)
  const counts = [
    `${unreadCount(home, name)} unread`,
    `${messages(home.readDirectory(name))} read`,
    `${namesIn(home.badDirectory(name)).length} bad`,
    `${marks.length} marked${marks.length === 0 ? '' : ` (${[...new Set(marks)].join(', ')})`}`,
  ]
  return `@${name}: ${counts.join(', ')}`
}

function state(bus: Bus, name: string): string[] {
  const known = readState(bus.home, name)
  if (!known) return []
  const { activity, since, agent, native, vim, gate, turn } = known
  const whose = turn && { began: turn.began, opened: turn.opened, at: turn.at, work: turn.work }
  const runs = agent !== null && bus.processes.isAlive(agent)
  return [
    JSON.stringify({ name, activity, since, agent_runs: runs, native, vim, gate, turn: whose }),
  ]
}
