import { lastTasks } from '../bus/index/tasks.ts'
import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { search } from '../chat/search.ts'
import { attachedTo } from '../chat/show.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { threadOf } from '../chat/thread.ts'
import { escalationOf } from '../message/escalation.ts'
import type { Message } from '../message/message.ts'
import { visibleLine } from '../message/visible.ts'
import { workDone, workLines } from '../message/workDone.ts'
import type { Ports } from './ports.ts'
import type { Conversation, Found, MessageRow, Shown, TaskCard } from './wire.ts'

/** So many tasks that have ended are shown, and so many hits of a search. */
const TASKS = 60
const HITS = 40

/** A conversation whole. Throws as `threadOf()`. */
export async function conversationOf(id: string, ports: Ports): Promise<Conversation> {
  const { root, messages, missing } = threadOf(id, { ...ports, typed: 'web' })
  return { root, messages: await Promise.all(messages.map(shownOf)), missing: missing.length }
}

async function shownOf(message: Message): Promise<Shown> {
  const { id, at, from, to, kind, subject, text } = entryOfMessage(message, undefined, true)
  const files = await attachedTo(message)
  return {
    ...{ id, at, from, to, kind, text },
    ...(subject === undefined ? {} : { subject }),
    files: files.map(({ path, bytes, state }) => ({ path: visibleLine(path), bytes, state })),
    work: linesOf(message),
    options: escalationOf(message)?.options.map(visibleLine) ?? [],
  }
}

/** The tasks that are open, and the last of those that have ended, newest first. */
export function tasksNow({ bus }: Ports): TaskCard[] {
  return lastTasks(bus().home, TASKS)
    .map((task) => {
      const { id, from, to, timestamp } = task.message
      return {
        ...{ id, at: timestamp, since: task.since, state: task.state },
        ...{ from: visibleLine(from), to: visibleLine(to), title: taskTitle(task) },
        came: cameOf(task.result),
      }
    })
    .reverse()
}

/** What came of a task; nothing where no worker says it. */
function cameOf(result: Message | undefined): string[] {
  const work = result && workDone(result)
  return work === undefined ? [] : [work.failed ?? work.summary, ...workLines(work)]
}

function linesOf(message: Message): string[] {
  const work = workDone(message)
  return work === undefined ? [] : workLines(work)
}

/** What is found of some words, newest first. Throws as `search()`. */
export function found(words: string, ports: Ports): Found {
  const list = words.split(/\s+/).filter((word) => word !== '')
  const { hits, more } = search({ words: list, limit: HITS }, { ...ports, typed: 'web' })
  return {
    rows: hits.map(({ message, line }) => ({
      ...rowOfMessage(message),
      line: visibleLine(line.text),
    })),
    more,
  }
}

function rowOfMessage(message: Message): MessageRow {
  const { id, at, from, to, kind, subject, text } = entryOfMessage(message)
  return {
    ...{ type: 'message', id, at, from, to, kind, text },
    ...(subject === undefined ? {} : { subject }),
    ...{ thread: visibleLine(message.thread), chain: visibleLine(message.chain) },
  }
}
