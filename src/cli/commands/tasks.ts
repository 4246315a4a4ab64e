import type { Command } from 'commander'
import { nameNow } from '../../bus/names.ts'
import { allTasks, openTasks } from '../../bus/tasks.ts'
import { parseName } from '../../message/name.ts'
import { isOpenTask, type Task, type TaskState } from '../../message/task.ts'
import { visibleLine } from '../../message/visible.ts'
import { addCommand } from '../command.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { messageJson } from '../render/message.ts'
import { ago } from '../render/time.ts'
import { taskTitle } from '../task.ts'

export type TasksOptions = { mine?: boolean; from?: string; open?: boolean }

export function tasksCommand(program: Command, ports: Ports, run = runTasks): void {
  addCommand(
    program,
    'tasks',
    'the tasks and how they stand, oldest first',
    'agent-chat tasks --mine --open\nagent-chat tasks --from @backend --json',
  )
    .option('--mine', 'only those that you were given')
    .option('--from <name>', 'only those that the session of this name gave')
    .option('--open', 'only those that are sent, accepted or working, not done, failed or declined')
    .action(async (options: TasksOptions & { json?: boolean }) => {
      const tasks = await run(options, ports)
      if (options.json) return ports.print(`${JSON.stringify({ tasks: tasks.map(taskJson) })}\n`)
      const now = ports.bus().clock.now()
      ports.print(tasks.length === 0 ? noTasks(options) : tasks.map((task) => renderTask(task, now)).join(''))
    })
}

/** The tasks of the archive, as their conversations tell them; the cost of `--open` grows with the open ones alone. */
export async function runTasks(
  options: TasksOptions,
  ports: Pick<Ports, 'bus' | 'env' | 'say' | 'isTerminal'>,
): Promise<Task[]> {
  const { home } = ports.bus()
  const from = options.from === undefined ? undefined : nameNow(home, parseName(options.from))
  const to = options.mine ? (await whoSpeaks(ports, undefined, undefined, MINE_HINT)).name : undefined
  const tasks = options.open ? openTasks(home) : allTasks(home)
  return tasks.filter(
    ({ message }) => (from === undefined || message.from === from) && (to === undefined || message.to === to),
  )
}

const MINE_HINT = 'join first with: agent-chat join <name>, or see those of everyone with: agent-chat tasks'

/** A task as `--json` gives it: the message that gave it, its state, and what ended it. */
export function taskJson({ message, state, since, result }: Task): Record<string, unknown> {
  return { ...messageJson(message), state, since, open: isOpenTask(state), result: result ? messageJson(result) : null }
}

function noTasks({ mine, from, open }: TasksOptions): string {
  const all = !mine && !open && from === undefined
  return all ? 'no tasks; give one with: agent-chat task @name "…"\n' : 'no tasks\n'
}

/** What it is about beside its state; below, from whom to whom, since when it stands so, and what came of it. */
function renderTask(task: Task, now: number): string {
  const { message, state, since, result } = task
  const below = [
    `@${message.from} → @${message.to} · ${state} ${ago(since, now)} · ${message.id}`,
    ...(result && result.body.trim() !== '' ? [`${LABELS[state] ?? state}: ${beginningOf(result.body)}`] : []),
  ]
  return `${state.padEnd(STATE_WIDTH)}${taskTitle(task)}\n${below.map((line) => `${' '.repeat(STATE_WIDTH)}${line}\n`).join('')}`
}

/** As wide as the widest state, and two spaces. */
const STATE_WIDTH = 'accepted'.length + 2

const LABELS: Partial<Record<TaskState, string>> = { done: 'result', failed: 'why', declined: 'why' }

function beginningOf(body: string): string {
  const chars = [...visibleLine(body.trim())]
  return chars.length > 200 ? `${chars.slice(0, 199).join('')}…` : chars.join('')
}
