import { allTasks, openTasks } from '../../bus/index/tasks.ts'
import { nameNow } from '../../bus/names/names.ts'
import { parseAddress } from '../../message/name.ts'
import type { Task } from '../../message/task.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'

/** `mine`: given to whoever asks. `from`: given by this session. `open`: not ended. */
export type TasksRequest = { mine?: boolean; from?: string; open?: boolean }

const MINE_HINT =
  'join first with: agent-chat join <name>, or list those of all with: agent-chat tasks'

/** The tasks as their conversations tell them; `open` costs what the open ones cost. */
export async function listTasks(
  { mine, from, open }: TasksRequest,
  ports: Pick<Ports, 'bus' | 'env' | 'notice' | 'isTerminal'>,
): Promise<Task[]> {
  const { home } = ports.bus()
  const giver = from === undefined ? undefined : nameNow(home, parseAddress(from))
  const holder = mine ? (await whoSpeaks(ports, undefined, undefined, MINE_HINT)).name : undefined
  const tasks = open ? openTasks(home) : allTasks(home)
  return tasks.filter(
    ({ message }) =>
      (giver === undefined || message.from === giver) &&
      (holder === undefined || message.to === holder),
  )
}
