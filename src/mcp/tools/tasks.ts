import { IMPORTANCE } from '../../chat/list/list.ts'
import { giveTask } from '../../chat/tasks/give.ts'
import { isoTime } from '../../message/time.ts'
import { choice, count, flag, NAME_LENGTH, named, optional, text } from '../fields.ts'
import { listTasks, STATUS, WHICH } from '../taskRows.ts'
import { contentFrom, LIST, NUMBER, SENT, sentAnswer, TEXT, tool } from '../tool.ts'

/** A task takes so long where nobody says how long. */
const DEFAULT_MINUTES = 30

export const assignTool = tool({
  name: 'assign_task',
  description:
    'Give a session one task. It refuses one that is busy, unless you queue it. It does not wait: the result comes as a message.',
  fields: {
    to: text('a session, as who lists it', NAME_LENGTH),
    message: named(
      text('what is to be done, as markdown: goal, files, how to see that it is done'),
      'task',
    ),
    title: optional(text('one line', 200)),
    priority: optional(choice('high: also in the middle of its turn', IMPORTANCE)),
    estimated_minutes: optional(count('how long it may take, 30 without it', 1440)),
    queue: optional(flag('let it wait until the session is free')),
  },
  gives: { ...SENT, task_id: TEXT, agent: TEXT, message: TEXT, note: TEXT, expected_by: TEXT },
  run: async (input, call) => {
    const minutes = input.estimated_minutes ?? DEFAULT_MINUTES
    const expected_by = isoTime(call.ports.bus().clock.now() + minutes * 60_000)
    const request = {
      recipient: input.to,
      subject: input.title,
      unlessBusy: input.queue !== true,
      priority: input.priority === 'high' ? ('urgent' as const) : undefined,
    }
    const earlier = call.earlier?.()
    const content = contentFrom(call, input.message, { expected_by })
    const sent = sentAnswer(
      earlier ? { message: earlier } : await giveTask(request, content, call.ports),
    )
    return {
      ...sent,
      task_id: sent.id,
      agent: sent.to,
      message: `@${sent.to} has the task ${sent.id}`,
      note: `expect the result within ${minutes} minutes, as a message; see its state with list_tasks`,
      expected_by,
    }
  },
})

export const listTool = tool({
  name: 'list_tasks',
  description:
    'List tasks, oldest first: your own list, those that you were given, and those that you gave.',
  reads: true,
  fields: {
    status: optional(choice('all without it', STATUS)),
    which: optional(choice('all three without it', WHICH)),
    limit: optional(count('so many of the last at most, 50 without it', 500)),
  },
  gives: { tasks: LIST, count: NUMBER },
  run: ({ status = 'all', which, limit = 50 }, { name, ports }) => {
    const tasks = listTasks({ status, which, limit }, name, ports)
    return { success: true, tasks, count: tasks.length }
  },
})
