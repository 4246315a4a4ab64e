import type { Command } from 'commander'
import { type Item, itemJson } from '../../chat/list/list.ts'
import { listTasks, type TasksRequest } from '../../chat/tasks/list.ts'
import { taskTitle } from '../../chat/tasks/task.ts'
import { CodedError } from '../../errors.ts'
import { taskJson } from '../../message/json.ts'
import { shortId } from '../../message/shortId.ts'
import type { Task, TaskState } from '../../message/task.ts'
import { visibleLine } from '../../message/visible.ts'
import { workDone, workLines } from '../../message/workDone.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { ago } from '../render/time.ts'

export function tasksCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'tasks',
    'agent-chat tasks --mine --open\nagent-chat tasks backend\nagent-chat tasks --from @backend --json',
  )
    .argument('[name]', 'only tasks of this session, and its own list')
    .option('--mine', 'only tasks that you were given, and your own list')
    .option('--from <name>', 'only tasks given by this session')
    .option('--open', 'only open tasks: sent, accepted or working')
    .action(async (of: string | undefined, options: TasksRequest & { json?: boolean }) => {
      if (of !== undefined && options.mine) throw twoSessions(of)
      const { tasks, list } = await listTasks({ ...options, of }, ports)
      const isOf = of !== undefined || options.mine
      if (options.json)
        return ports.print(
          `${JSON.stringify({
            tasks: tasks.map(taskJson),
            ...(isOf ? { list: list.map((item) => itemJson(item, ports.bus().clock.now())) } : {}),
          })}\n`,
        )
      const now = ports.bus().clock.now()
      const paint = await painter(ports, /(?<=^\S+ {2})sent(?= )/gm)
      ports.print(
        tasks.length + list.length === 0
          ? noTasks({ ...options, of })
          : paint(
              [
                ...tasks.map((task) => renderTask(task, now)),
                ...list.map((item) => renderItem(item, now)),
              ].join(''),
            ),
      )
    })
}

function noTasks({ mine, of, from, open }: TasksRequest): string {
  const all = !mine && !open && from === undefined && of === undefined
  return all ? 'no tasks; give one with: agent-chat task @name "…"\n' : 'no tasks\n'
}

/** An item of a session's own list on one line. */
function renderItem(item: Item, now: number): string {
  const { id, title, due_date, priority } = item
  const { overdue, status } = itemJson(item, now)
  const state = overdue === true ? 'overdue' : String(status)
  const more = [
    ...(due_date === undefined ? [] : [`due ${due_date}`]),
    ...(priority === undefined ? [] : [`priority ${priority}`]),
  ].join(', ')
  const text = visibleLine(`${title}${more === '' ? '' : `  (${more})`}`)
  return `${shortId(id)}  ${state.padEnd(STATE_WIDTH)} own list  ${text}\n`
}

function twoSessions(name: string): CodedError {
  return new CodedError('USAGE', `--mine and ${name} name two sessions`, {
    hint: `use one of them: agent-chat tasks ${name}`,
  })
}

/** A task on one line, since when it is in its state; what came of it on a second one. */
function renderTask(task: Task, now: number): string {
  const { message, state, since, result } = task
  const { id, from, to } = message
  const line = `${shortId(id)}  ${state.padEnd(STATE_WIDTH)}@${from} → @${to}  ${taskTitle(task)}  (${ago(since, now)})\n`
  if (!result || result.body.trim() === '') return line
  const work = workDone(result)
  const label = LABELS[state] ?? state
  const below = [
    `${label}: ${beginningOf(work?.failed ?? work?.summary ?? result.body)}`,
    ...(work === undefined ? [] : workLines(work)),
  ]
  return line + below.map((text) => `${' '.repeat(shortId(id).length + 2)}${text}\n`).join('')
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
