import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { allTasks, openTasks } from '../../bus/index/tasks.ts'
import { nameNow } from '../../bus/names/names.ts'
import { HUMAN, parseAddress } from '../../message/name.ts'
import type { Task } from '../../message/task.ts'
import { seenBy, taskSeen } from '../../session/withheld.ts'
import { sessionsAndWorkers } from '../../session/workers.ts'
import { readerHere, whoSpeaks } from '../identity.ts'
import { type Item, itemsOf } from '../list/list.ts'
import type { Ports } from '../ports.ts'
import { unknownSession } from '../recipient.ts'

/**
 * `mine`: those of whoever asks. `of`: those of this session. `from`: given by this session. `open`:
 * not ended.
 */
export type TasksRequest = {
  mine?: boolean
  of?: string | undefined
  from?: string
  open?: boolean
}

const MINE_HINT =
  'join first with: agent-chat join <name>, or list those of all with: agent-chat tasks'

/**
 * The tasks as their conversations tell them, and the own list of the session whose tasks are asked
 * for. `open` costs what the open ones cost. Throws `USAGE` for two sessions, and `SESSION_UNKNOWN`.
 */
export async function listTasks(
  { mine, of, from, open }: TasksRequest,
  ports: Pick<Ports, 'bus' | 'env' | 'notice' | 'isTerminal'>,
): Promise<{ tasks: Task[]; list: Item[] }> {
  const bus = ports.bus()
  const { home } = bus
  const giver = from === undefined ? undefined : nameNow(home, parseAddress(from))
  const own = mine ? (await whoSpeaks(ports, undefined, undefined, MINE_HINT)).name : undefined
  const holder = of === undefined ? own : known(of, bus)
  const tasks = open ? openTasks(home) : allTasks(home)
  const list = holder === undefined || giver !== undefined ? [] : itemsOf(bus, holder)
  const seen = seenBy(readerHere(ports), bus)
  return {
    list: list.filter(({ status }) => !open || status === 'pending'),
    tasks: tasks
      .filter(
        ({ message }) =>
          (giver === undefined || message.from === giver) &&
          (holder === undefined || message.to === holder),
      )
      .map((task) => taskSeen(task, seen)),
  }
}

function known(input: string, bus: Bus): string {
  const name = nameNow(bus.home, parseAddress(input))
  const sessions = sessionsAndWorkers(bus)
  const isKnown =
    name === HUMAN || Object.hasOwn(sessions, name) || existsSync(bus.home.inbox(name))
  if (isKnown) return name
  throw unknownSession(name, Object.keys(sessions))
}
