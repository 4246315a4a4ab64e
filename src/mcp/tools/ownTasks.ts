import { readTask } from '../../bus/index/tasks.ts'
import { type Found, findTask, titleOf } from '../../chat/list/find.ts'
import { addItem, changeItem, IMPORTANCE, itemJson } from '../../chat/list/list.ts'
import { tellProgress } from '../../chat/tasks/progress.ts'
import { CodedError } from '../../errors.ts'
import type { TaskWord } from '../../message/task.ts'
import { choice, flag, optional, type Schema, text } from '../fields.ts'
import { taskRow } from '../taskRows.ts'
import { type Answer, type Call, contentFrom, FLAG, TEXT, tool } from '../tool.ts'

const TASK = text('its id, or some of its words', 200)
const GIVES: Record<string, Schema> = { task: { type: 'object' }, id: TEXT, thread: TEXT }

const ITEM = {
  description: optional(text('more about it', 20_000)),
  due_date: optional(text('when it is due, as 2026-11-30 or a time', 40)),
  priority: optional(choice('how much it matters', IMPORTANCE)),
}

const VERBS = {
  accepted: 'accept',
  done: 'done',
  failed: 'fail',
  declined: 'decline',
} as const

const STATES = Object.keys(VERBS) as TaskWord[]

export const addTool = tool({
  name: 'add_task',
  description: 'Add a task to your own list. To give one to a session, use assign_task.',
  fields: { title: text('one line', 500), ...ITEM },
  gives: GIVES,
  run: (fields, { name, key, ports }) => {
    requireDate(fields.due_date)
    return ofItem(addItem(ports.bus(), name, fields, key))
  },
})

export const updateTool = tool({
  name: 'update_task',
  description:
    'Change a task of your own list, or say how it is with a task that you were given: accepted, done, failed or declined.',
  fields: {
    task: TASK,
    state: optional(choice('of a task that you were given', STATES)),
    note: optional(text('what came of it, or why; failed and declined need it')),
    title: optional(text('of a task of your own list', 500)),
    ...ITEM,
  },
  gives: GIVES,
  run: async ({ task, state, note, ...fields }, call) => {
    requireDate(fields.due_date)
    const found = findTask(task, call.name, call.ports)
    const hasFields = Object.values(fields).some((value) => value !== undefined)
    if ('item' in found) {
      if (state !== undefined && state !== 'done') throw ownOnly(found)
      const status = state === 'done' ? ({ status: 'completed' } as const) : {}
      if (!hasFields && state === undefined) throw nothing()
      return ofItem(
        changeItem(call.ports.bus(), call.name, found.item.id, { ...fields, ...status }),
      )
    }
    if (hasFields) throw givenOnly(found)
    if (state === undefined) throw nothing()
    return tell(found, state, note, call)
  },
})

export const completeTool = tool({
  name: 'complete_task',
  description: 'Complete a task, of your own list or one that you were given, with its result.',
  fields: {
    task: TASK,
    completed: optional(flag('false opens a task of your own list again')),
    result: optional(text('what came of a task that you were given')),
  },
  gives: GIVES,
  run: ({ task, completed = true, result }, call) => {
    const found = findTask(task, call.name, call.ports)
    const status = completed ? 'completed' : 'pending'
    if ('item' in found)
      return ofItem(changeItem(call.ports.bus(), call.name, found.item.id, { status }))
    if (!completed) throw givenOnly(found)
    return tell(found, 'done', result, call)
  },
})

export const deleteTool = tool({
  name: 'delete_task',
  description: 'Delete a task from your own list. It asks your user first.',
  destroys: true,
  fields: { task: TASK, confirm: optional(flag('your user said yes to deleting this very task')) },
  gives: { ...GIVES, deleted: FLAG },
  run: ({ task, confirm }, call) => {
    const found = findTask(task, call.name, call.ports)
    if (!('item' in found)) throw givenOnly(found)
    const title = titleOf(found)
    const yes = call.confirm(`Delete the task “${title}”?`) ?? confirm
    if (!yes) {
      const refused = yes === false ? 'your user said no' : 'your user has to say yes first'
      throw new CodedError('USAGE', `“${title}” was not deleted: ${refused}`, {
        hint: 'ask your user; after a yes, call delete_task again with confirm: true',
      })
    }
    const item = changeItem(call.ports.bus(), call.name, found.item.id, { deleted: true })
    return { ...ofItem(item), deleted: true }
  },
})

function ofItem(item: Parameters<typeof itemJson>[0]): Answer {
  const task = itemJson(item)
  return { success: true, id: task.id, task }
}

/** Tells the one who gave a task. What was told before is told once. */
async function tell(
  { task }: Extract<Found, { task: unknown }>,
  word: TaskWord,
  note: string | undefined,
  call: Call,
): Promise<Answer> {
  const content = note === undefined ? undefined : contentFrom(call, note)
  const request = { named: [task.message.id], verb: VERBS[word], word }
  const { posted } = await tellProgress(request, () => content, call.ports)
  const { home, clock } = call.ports.bus()
  // Told, it is since now, and has the note as its result.
  const told = posted && (readTask(home, task.message.id) ?? { ...task, state: word })
  const row = taskRow(told ?? task, call.name, clock.now())
  return { success: true, id: row.id, thread: task.message.thread, task: row }
}

function requireDate(date: string | undefined): void {
  if (date === undefined || !Number.isNaN(Date.parse(date))) return
  throw new CodedError('USAGE', `Due date ${JSON.stringify(date)} is no date`, {
    hint: 'write it as 2026-11-30, or as 2026-11-30T16:00:00Z',
  })
}

function nothing(): CodedError {
  return new CodedError('USAGE', 'nothing was to be changed', {
    hint: 'give a state, or another title, description, due_date or priority',
  })
}

function ownOnly(found: Found): CodedError {
  return new CodedError('USAGE', `“${titleOf(found)}” is a task of your own list`, {
    hint: 'complete it with complete_task, or delete it with delete_task',
  })
}

function givenOnly(found: Found): CodedError {
  return new CodedError('USAGE', `“${titleOf(found)}” was given to you by another session`, {
    hint: 'say how it is with update_task: accepted, done, failed or declined, with a note',
  })
}
