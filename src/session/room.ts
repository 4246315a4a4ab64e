import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { appendLine, makeDirectory, namesIn, removeFile, replaceFileSoon } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { isProcessRef, type Processes, type ProcessRef, sameProcess } from '../system/processes.ts'
import type { Witness } from './witness.ts'

/** A Claude Code in which the room runs, since when (ISO 8601), and the client's version. */
export type RoomNote = { agent: ProcessRef; since: string; client: string }

/** Notes that the room runs in this client. What clients that have ended left is removed. */
export function noteRoom({ home, processes }: Bus, note: RoomNote): void {
  makeDirectory(home.rooms)
  for (const file of namesIn(home.rooms)) {
    const pid = Number(file.split('.')[0])
    if (pid === note.agent.pid || processes.find(pid) === undefined)
      removeFile(`${home.rooms}/${file}`)
  }
  for (const path of [home.roomPrompt(note.agent.pid), home.roomJudged(note.agent.pid)])
    replaceFileSoon(path, '')
  replaceFileSoon(home.room(note.agent.pid), `${JSON.stringify(note)}\n`)
}

/** The room of this client; undefined where none runs in it. */
export function roomOf(home: Pick<Home, 'room'>, agent: ProcessRef | null): RoomNote | undefined {
  const note = agent && readJson(home.room(agent.pid))
  return isRoomNote(note) && sameProcess(note.agent, agent) ? note : undefined
}

/** Every room that runs, in no order. */
export function liveRooms({
  home,
  processes,
}: {
  home: Home
  processes: Pick<Processes, 'isAlive'>
}): RoomNote[] {
  return namesIn(home.rooms)
    .filter((file) => file.endsWith('.json'))
    .map((file) => readJson(`${home.rooms}/${file}`))
    .filter((note) => isRoomNote(note))
    .filter(({ agent }) => processes.isAlive(agent))
}

/** What the room of this client last noted of a prompt. A half-written note says nothing. */
export function readWitness(
  home: Pick<Home, 'room' | 'roomPrompt'>,
  agent: ProcessRef | null,
): Witness | undefined {
  if (agent === null || roomOf(home, agent) === undefined) return undefined
  const note = readJson(home.roomPrompt(agent.pid))
  return isWitness(note) ? note : undefined
}

/**
 * Tells the room that the gate has judged this call of a closed turn, and of whom it follows where
 * the user is asked: it stops what was not judged.
 */
export function noteJudged(
  home: Pick<Home, 'room' | 'roomJudged'>,
  agent: ProcessRef | null,
  judged: { call: string; asked?: string | undefined },
): void {
  if (agent !== null && roomOf(home, agent) !== undefined)
    appendLine(home.roomJudged(agent.pid), JSON.stringify(judged))
}

function isRoomNote(value: unknown): value is RoomNote {
  return (
    typeof value === 'object' &&
    value !== null &&
    'agent' in value &&
    isProcessRef(value.agent) &&
    'since' in value &&
    typeof value.since === 'string'
  )
}

function isWitness(value: unknown): value is Witness {
  if (typeof value !== 'object' || value === null) return false
  const { kind, key, at, typed } = value as Record<string, unknown>
  return (
    typeof kind === 'string' &&
    typeof key === 'string' &&
    typeof at === 'number' &&
    typeof typed === 'number'
  )
}
