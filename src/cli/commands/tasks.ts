import type { Command } from 'commander'
import { listTasks, type TasksRequest } from '../../chat/tasks/list.ts'
import { taskTitle } from '../../chat/tasks/task.ts'
import { taskJson } from '../../message/json.ts'
import { shortId } from '../../message/shortId.ts'
import type { Task, TaskState } from '../../message/task.ts'
import { visibleLine } from '../../message/visible.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { ago } from '../render/time.ts'

export function tasksCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'tasks',
    'agent-chat tasks --mine --open\nagent-chat tasks --from @backend --json',
  )
    .option('--mine', 'only tasks that you were given')
    .option('--from <name>', 'only tasks given by this session')
    .option('--open', 'only open tasks: sent, accepted or working')
    .action(async (options: TasksRequest & { json?: boolean }) => {
      const tasks = await listTasks(options, ports)
      if (options.json) return ports.print(`${JSON.stringify({ tasks: tasks.map(taskJson) })}\n`)
      const now = ports.bus().clock.now()
      const paint = await painter(ports, /(?<=^\S+ {2})sent(?= )/gm)
      ports.print(
        tasks.length === 0
          ? noTasks(options)
          : paint(tasks.map((task) => renderTask(task, now)).join('')),
      )
    })
}

function noTasks({ mine, from, open }: TasksRequest): string {
  const all = !mine && !open && from === undefined
  return all ? 'no tasks; give one with: agent-chat task @name "…"\n' : 'no tasks\n'
}

/** A task on one line, since when it is in its state; what came of it on a second one. */
function renderTask(task: Task, now: number): string {
  const { message, state, since, result } = task
  const { id, from, to } = message
  const line = `${shortId(id)}  ${state.padEnd(STATE_WIDTH)}@${from} → @${to}  ${taskTitle(task)}  (${ago(since, now)})\n`
  if (!result || result.body.trim() === '') return line
  return `${line}${' '.repeat(shortId(id).length + 2)}${LABELS[state] ?? state}: ${beginningOf(result.body)}\n`
}

/** As wide as the widest state, and two spaces. */
const STATE_WIDTH = 'accepted'.length + 2

const LABELS: Partial<Record<TaskState, string>> = {
  done: 'result',
  failed: 'why',
  declined: 'why',
}

function beginningOf(body: string): string {
  const chars = [...visibleLine(body.trim())]
  return chars.length > 200 ? `${chars.slice(0, 199).join('')}…` : chars.join('')
}
