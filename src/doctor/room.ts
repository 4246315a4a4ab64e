import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { readSessions } from '../bus/names/registry.ts'
import { liveRooms } from '../session/room.ts'
import { believedState } from '../session/stateFile.ts'
import type { Check } from '../setup/check.ts'
import { atLeast, roomPlugin } from '../setup/programs.ts'
import { argumentsOf } from '../system/commandLine.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import { userHome } from '../system/user.ts'
import { modsOff } from './modsOff.ts'

/** Measured: docs/evidence/room.md. In MiB. */
const COST = 57
/** The first client that loads mods by itself. */
const OLDEST = { minor: [2, 1], patch: 287 } as const

type RoomPorts = {
  env: NodeJS.ProcessEnv
  bus: Bus
  root: string
  client: string | undefined
}

/** In which sessions of Claude Code the room runs, since when, and why not in the others. */
export function checkRoom(ports: RoomPorts): Check[] {
  const { home, processes } = ports.bus
  const rooms = liveRooms({ home, processes })
  const rows = Object.values(readSessions(home)).flatMap(({ name, cwd, program, ...known }) => {
    // Where hooks are switched off, only the launcher has told of the agent.
    const heard = believedState(home, name, processes)?.agent
    const agent = heard ?? known.agent
    if (!agent || program !== undefined || !processes.isAlive(agent)) return []
    return [{ name, cwd, agent, heard, room: rooms.find((room) => sameProcess(room.agent, agent)) }]
  })
  if (rows.length === 0) return []
  const running = rows.filter(({ room }) => room)
  const cost = `about ${COST} MiB each`
  const check: Check = {
    name: 'room',
    status: 'ok',
    detail:
      running.length === 0
        ? 'runs in no session'
        : `runs in ${running.map(({ name, room }) => `@${name} since ${room?.since}`).join(', ')}: ${cost}`,
  }
  const missing = rows.filter(({ room }) => !room).map((row) => whyNot(row, ports))
  return [check, ...missing]
}

type Row = {
  name: string
  cwd: string
  agent: ProcessRef
  heard: ProcessRef | null | undefined
}

function whyNot({ name, cwd, agent, heard }: Row, ports: RoomPorts): Check {
  const { env, root, client } = ports
  const argv = argumentsOf(agent.pid) ?? []
  const check = (status: 'ok' | 'warning', why: string, hint?: string): Check => ({
    ...{ name: 'room', status, detail: `not in @${name}: ${why}` },
    ...(hint === undefined ? {} : { hint }),
  })
  if (!argv.includes(join(root, 'room')) && roomPlugin(env, userHome()) === undefined)
    return check('ok', 'it was started without the room, which is optional')
  if (client !== undefined && !loadsMods(client))
    return check('ok', `Claude Code ${client} is too old for mods: 2.1.287 is needed`)
  const off = modsOff({ env, userHome: userHome(), cwd, argv })
  if (off) return check('warning', ...off)
  // Nothing of the plugins runs before that.
  if (!heard)
    return check(
      'ok',
      `Claude Code has not told of its start; a dialog of its own may be open: agent-chat attach ${name}`,
    )
  const hint = `look for agent-chat-room in: claude --debug-file room.log --plugin-dir ${join(root, 'room')}`
  return check('warning', 'Claude Code did not load it', hint)
}

function loadsMods(client: string): boolean {
  const patch = Number(client.split('.')[2])
  const [major, minor] = OLDEST.minor
  return (
    atLeast(client, [major, minor + 1]) || (atLeast(client, OLDEST.minor) && patch >= OLDEST.patch)
  )
}
