import { readTask } from '../../bus/index/tasks.ts'
import { findTask, isIdOf, titleOf } from '../../chat/list/find.ts'
import {
  addItem,
  changeItem,
  deletedOf,
  IMPORTANCE,
  type Item,
  itemJson,
} from '../../chat/list/list.ts'
import type { Found } from '../../chat/list/order.ts'
import { tellProgress } from '../../chat/tasks/progress.ts'
import { CodedError } from '../../errors.ts'
import { shortId } from '../../message/shortId.ts'
import type { TaskWord } from '../../message/task.ts'
import { seenBy, taskSeen } from '../../session/withheld.ts'
import { digestOf } from '../../system/digest.ts'
import { choice, type Field, flag, named, optional, type Schema, text } from '../fields.ts'
import { taskRow } from '../taskRows.ts'
import { type Answer, type Call, contentFrom, FLAG, TEXT, tool } from '../tool.ts'

const TASK = text('its id, some of its words, or its number in the list just given', 200)
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

/** `confirm: true` was the whole of it once; it says nothing about which task. */
const TOKEN: Field<string | undefined> = {
  schema: { type: 'string', description: 'the token of the first call, once your user said yes' },
  optional: true,
  read: (value) => (typeof value === 'string' ? value : undefined),
}

const STATES = Object.keys(VERBS) as TaskWord[]

export const addTool = tool({
  name: 'add_task',
  description: 'Add a task to your own list. To give one to a session, use assign_task.',
  fields: { title: text('one line', 500), ...ITEM },
  gives: GIVES,
  run: (fields, { name, key, ports }) => {
    requireDate(fields.due_date)
    return ofItem(addItem(ports.bus(), name, fields, key), ports)
  },
})

export const updateTool = tool({
  name: 'update_task',
  description:
    'Change a task of your own list, or say how it is with a task that you were given: accepted, done, failed or declined.',
  fields: {
    task: TASK,
    state: optional(choice('of a task that you were given', STATES)),
    message: optional(named(text('what came of it, or why; failed and declined need it'), 'note')),
    title: optional(text('of a task of your own list', 500)),
    ...ITEM,
  },
  gives: GIVES,
  run: async ({ task, state, message, ...fields }, call) => {
    requireDate(fields.due_date)
    const found = findTask(task, call.name, call.ports)
    const hasFields = Object.values(fields).some((value) => value !== undefined)
    if ('item' in found) {
      if (state !== undefined && state !== 'done') throw ownOnly(found)
      const status = state === 'done' ? ({ status: 'completed' } as const) : {}
      if (!hasFields && state === undefined) throw nothing()
      const bus = call.ports.bus()
      return ofItem(changeItem(bus, call.name, found.item.id, { ...fields, ...status }), call.ports)
    }
    if ('given' in found || hasFields) throw othersOnly(found)
    if (state === undefined) throw nothing()
    return tell(found, state, message, call)
  },
})

export const completeTool = tool({
  name: 'complete_task',
  description: 'Complete a task, of your own list or one that you were given, with its result.',
  fields: {
    task: TASK,
    completed: optional(flag('false opens a task of your own list again')),
    message: optional(named(text('what came of a task that you were given'), 'result')),
  },
  gives: GIVES,
  run: ({ task, completed = true, message }, call) => {
    const found = findTask(task, call.name, call.ports)
    const status = completed ? 'completed' : 'pending'
    if ('item' in found) {
      const item = changeItem(call.ports.bus(), call.name, found.item.id, { status })
      return ofItem(item, call.ports)
    }
    if ('given' in found || !completed) throw othersOnly(found)
    return tell(found, 'done', message, call)
  },
})

export const deleteTool = tool({
  name: 'delete_task',
  description:
    'Delete a task from your own list. The first call names it and gives a token for your user’s yes.',
  destroys: true,
  fields: { task: TASK, confirm: optional(TOKEN) },
  gives: { ...GIVES, deleted: FLAG, confirm: TEXT },
  run: ({ task, confirm }, call) => {
    const { name, ports } = call
    const before = deletedBefore(task, confirm, call)
    if (before) return { ...ofItem(before, ports), deleted: true }
    const found = findTask(task, name, ports)
    if (!('item' in found)) throw othersOnly(found)
    const { item } = found
    const title = titleOf(found)
    const token = tokenOf(item)
    const yes = call.confirm(`Delete the task “${title}”?`) ?? (confirm === token || undefined)
    if (yes) {
      const gone = changeItem(ports.bus(), name, item.id, { deleted: true })
      return { ...ofItem(gone, ports), deleted: true }
    }
    const refused = `“${title}” was not deleted: your user`
    if (yes === false) {
      throw new CodedError('USAGE', `${refused} said no`, { hint: 'leave it as it is' })
    }
    return {
      ...ofItem(item, ports),
      success: false,
      ...{ error: `${refused} has to say yes first`, code: 'USAGE', confirm: token },
      hint: `ask your user whether to delete “${title}”; after a yes: delete_task with task ${JSON.stringify(shortId(item.id))} and confirm ${JSON.stringify(token)}`,
    }
  },
})

/** Stands for a task under its title: who has it was told which task would be deleted. */
function tokenOf({ id, title }: Item): string {
  return digestOf(Buffer.from(`delete ${id} ${title}`)).slice(0, 12)
}

/** What the same call has deleted before: its id tells, or the token of that yes. */
function deletedBefore(task: string, confirm: string | undefined, { name, ports }: Call) {
  const part = task.trim()
  return deletedOf(ports.bus(), name).find(
    (item) => isIdOf(part, item.id) || tokenOf(item) === confirm,
  )
}

function ofItem(item: Item, { bus }: Call['ports']): Answer {
  const task = itemJson(item, bus().clock.now())
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
  const seen = seenBy({ name: call.name, source: 'agent' }, call.ports.bus())
  const row = taskRow(taskSeen(told ?? task, seen), call.name, clock.now())
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

function othersOnly(found: Found): CodedError {
  if ('given' in found) {
    const to = found.given.message.to
    return new CodedError('USAGE', `“${titleOf(found)}” is a task that you gave to @${to}`, {
      hint: `its state comes from @${to}; see it with list_tasks, or ask with send`,
    })
  }
  return new CodedError('USAGE', `“${titleOf(found)}” was given to you by another session`, {
    hint: 'say how it is with update_task: accepted, done, failed or declined, with a message',
  })
}
