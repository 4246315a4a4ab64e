import { readMessageFile } from '../bus/mail/inbox.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { readSessions, type Sessions } from '../bus/names/registry.ts'
import { lastMessages } from '../chat/history.ts'
import { whoMaybe } from '../chat/identity.ts'
import type { Ports } from '../chat/ports.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { visibleLine } from '../message/visible.ts'
import { liveRooms, readWitness } from '../session/room.ts'
import { type SessionRow, sessionsNow } from '../session/sessionRows.ts'
import { sameProcess } from '../system/processes.ts'
import type { Need } from './need.ts'
import { needsNow } from './needs.ts'

/** What one line shows of a message. `at` is ISO 8601. */
export type RoomLine = { id: string; from: string; to: string; at: string; title: string }

/**
 * A question that waits for the human. `number` names a decision; any other goes by its id. `text`:
 * what it says beside its title and its options.
 */
export type RoomQuestion = RoomLine & { number: number | null; options: string[]; text: string }

/**
 * What the room inside Claude Code shows. `name`: the session that it is in, null for one that has
 * not joined. `tells`: whether this is the one room that tells the human of what is new. `questions` are
 * those of `needs` that are answered here.
 */
export type RoomNow = {
  name: string | null
  unread: number
  latest: RoomLine[]
  needs: Need[]
  questions: RoomQuestion[]
  tells: boolean
  pane?: RoomPane
}

/** `messages` are those of one conversation: between `peer` and anybody, oldest first. */
export type RoomPane = {
  sessions: { name: string; state: string; unread: number }[]
  peer: string | null
  messages: RoomLine[]
  held: { to: string; chain: string; why: string }[]
}

type NowPorts = Pick<Ports, 'bus' | 'env' | 'tmux'>

/** A line of a message is longer in no room; how many of them there are at the most. */
const TITLE = 100
const LATEST = 20
const MESSAGES = 30

/** `pane`: whose conversation an open pane shows, or `-` for the first session's. */
export async function roomNow(pane: string | undefined, ports: NowPorts): Promise<RoomNow> {
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  const name = whoMaybe(ports, sessions)?.name ?? null
  if (name === null || !Object.hasOwn(sessions, name)) return { ...NOBODY }
  const rows = await sessionsNow(ports)
  const needs = needsNow(bus, rows)
  const ids = unreadIds(bus.home, name)
  const latest = ids.slice(-LATEST).flatMap((id) => {
    const message = readMessageFile(bus.home.unread(name, id), `${id}.md`, bus.home)
    return typeof message === 'object' ? [lineOf(message)] : []
  })
  return {
    ...{ name, unread: ids.length, latest },
    needs,
    questions: needs.flatMap(questionOf),
    tells: tells(name, sessions, ports),
    ...(pane === undefined ? {} : { pane: paneNow(pane, name, { rows, needs }, ports) }),
  }
}

const NOBODY: RoomNow = {
  ...{ name: null, unread: 0, latest: [], needs: [] },
  ...{ questions: [], tells: false },
}

function lineOf(message: Message): RoomLine {
  const { id, from, to, timestamp: at } = message
  return { id, from, to, at, title: taskTitle({ message }, TITLE) }
}

function questionOf(need: Need): RoomQuestion[] {
  if (!('options' in need)) return []
  const { id, from, at, title, number = null, options, text } = need
  return [{ id, from, to: HUMAN, at, title, number, options, text }]
}

/**
 * Whether the person typed here last, among all sessions in which the room runs. Where nobody has
 * typed yet it is the one that runs the longest.
 */
function tells(name: string, sessions: Sessions, { bus }: NowPorts): boolean {
  const { home, processes } = bus()
  const rooms = liveRooms({ home, processes }).flatMap(({ agent, since }) => {
    const session = Object.values(sessions).find((one) => sameProcess(one.agent, agent))
    const typed = readWitness(home, agent)?.typed ?? 0
    return session ? [{ name: session.name, typed, since }] : []
  })
  rooms.sort((a, b) => b.typed - a.typed || (a.since < b.since ? -1 : 1))
  return rooms[0]?.name === name
}

function paneNow(
  pane: string,
  me: string,
  { rows, needs }: { rows: SessionRow[]; needs: Need[] },
  ports: NowPorts,
): RoomPane {
  const others = rows.filter((row) => row.name !== me && row.alive !== 'gone')
  const known = rows.find((row) => row.name === pane)?.name
  const peer = known ?? others[0]?.name ?? null
  const sent = peer === null ? [] : lastMessages({ count: MESSAGES, with: peer }, ports)
  return {
    sessions: rows
      .filter((row) => row.alive !== 'gone')
      .map(({ name, state, unread }) => ({ name, state, unread })),
    peer,
    messages: sent.map(({ id, from, to, at, preview, subject }) => ({
      ...{ id, from, to, at },
      title: visibleLine(subject ?? preview.split('\n')[0] ?? '').slice(0, 2 * TITLE),
    })),
    held: needs.flatMap((need) => {
      if (need.type !== 'held') return []
      const { to, chain, why } = need
      return [{ to: to.join(', @'), chain, why }]
    }),
  }
}
