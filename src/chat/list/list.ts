import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { CodedError } from '../../errors.ts'
import { formatId, parseId } from '../../message/id.ts'
import { shortId } from '../../message/shortId.ts'
import { isoTime } from '../../message/time.ts'
import { changeFile } from '../../system/changeFile.ts'
import { makeDirectory } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'

export const IMPORTANCE = ['low', 'medium', 'high'] as const
export type Importance = (typeof IMPORTANCE)[number]

/** What a session notes for itself. */
export type ItemFields = {
  title: string
  description?: string | undefined
  due_date?: string | undefined
  priority?: Importance | undefined
}

/** An item of a session's own list. Times are ISO 8601; one that was deleted is kept for a while. */
export type Item = ItemFields & {
  id: string
  status: 'pending' | 'completed'
  created_at: string
  updated_at: string
  completed_at?: string | undefined
  deleted_at?: string | undefined
  /** The call of a tool that added it. */
  call?: string | undefined
}

/** What is to be changed of an item; undefined leaves a field as it is. */
export type Change = { [K in keyof ItemFields]?: ItemFields[K] | undefined } & {
  status?: Item['status']
  deleted?: true
}

/** More than anybody keeps in view, and as many of those that were deleted. */
const MOST_ITEMS = 500

/** The list of `name`, oldest first, without what was deleted. */
export function itemsOf(bus: Bus, name: string): Item[] {
  return readItems(bus, name).filter(isKept)
}

/** What was deleted from the list of `name` and is still kept. */
export function deletedOf(bus: Bus, name: string): Item[] {
  return readItems(bus, name).filter((item) => !isKept(item))
}

/** Adds an item, once for the same `call`. Throws `USAGE` for a list that is full. */
export function addItem(bus: Bus, name: string, fields: ItemFields, call?: string): Item {
  return change(bus, name, (items) => {
    if (items.filter(isKept).length >= MOST_ITEMS) {
      throw new CodedError('USAGE', `your list has ${MOST_ITEMS} tasks already`, {
        hint: 'complete and delete some of them first',
      })
    }
    const before = call === undefined ? undefined : items.find((item) => item.call === call)
    if (before) return [before, items]
    const now = bus.clock.now()
    const last = Math.max(0, ...items.map(({ id }) => parseId(id)?.micros ?? 0))
    const id = formatId(Math.max(now * 1000, last + 1), name)
    const time = isoTime(now)
    const item: Item = {
      ...fields,
      id,
      status: 'pending',
      created_at: time,
      updated_at: time,
      call,
    }
    return [item, [...items, item]]
  })
}

/** Changes an item. Throws `TASK_UNKNOWN`. */
export function changeItem(bus: Bus, name: string, id: string, fields: Change): Item {
  return change(bus, name, (items) => {
    const before = items.find((item) => item.id === id && isKept(item))
    if (!before) throw new CodedError('TASK_UNKNOWN', 'Task not found', { hint: SEE })
    const now = after(before, fields, isoTime(bus.clock.now()))
    return [now, items.map((item) => (item === before ? now : item))]
  })
}

/** An item as data, with the short id by which it is named; `overdue` where it has a date. */
export function itemJson(item: Item, now: number): Record<string, unknown> {
  const { id, call: _, ...data } = item
  const { due_date: due, status } = item
  const late = due === undefined ? {} : { overdue: status === 'pending' && endOf(due) < now }
  return { id: shortId(id), task_id: id, ...data, ...late }
}

/** A day is over at its end, where this machine is; in ms since 1970. */
function endOf(date: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T23:59:59.999` : date)
}

export const SEE = 'see your tasks with list_tasks'

function after(before: Item, { deleted, ...fields }: Change, now: string): Item {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const next: Item = { ...before, ...Object.fromEntries(given) }
  const isSame = given.every(([key, value]) => Object(before)[key] === value)
  if (isSame && !deleted) return before
  return {
    ...next,
    updated_at: now,
    completed_at: next.status === 'completed' ? (before.completed_at ?? now) : undefined,
    ...(deleted ? { deleted_at: now } : {}),
  }
}

/** One process at a time; the oldest of the deleted ones make room. */
function change(bus: Bus, name: string, work: (items: Item[]) => [Item, Item[]]): Item {
  const { home, processes } = bus
  makeDirectory(home.lists)
  const place = { path: home.list(name), lock: home.listLock(name), processes }
  return changeFile(place, (replace) => {
    const [item, items] = work(readItems(bus, name))
    const spare = items.filter((item) => !isKept(item)).slice(0, -MOST_ITEMS)
    replace(
      `${JSON.stringify(
        items.filter((item) => !spare.includes(item)),
        null,
        1,
      )}\n`,
    )
    return item
  })
}

function isKept({ deleted_at }: Item): boolean {
  return deleted_at === undefined
}

function readItems({ home }: Bus, name: string): Item[] {
  const path = home.list(name)
  const value = existsSync(path) ? readJson(path) : []
  if (Array.isArray(value) && value.every(isItem)) return value
  throw new CodedError('FILE_UNREADABLE', `the list ${path} cannot be read`, {
    hint: `look at it with: cat ${path}; to begin a new one: mv ${path} ${path}.old`,
  })
}

function isItem(value: unknown): value is Item {
  if (typeof value !== 'object' || value === null) return false
  const { id, title, status } = value as Partial<Item>
  return typeof id === 'string' && typeof title === 'string' && typeof status === 'string'
}
