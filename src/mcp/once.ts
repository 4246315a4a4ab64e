import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { eventsFromEnd, isSent } from '../bus/history.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import type { Message } from '../message/message.ts'
import { isoTime } from '../message/time.ts'
import { digestOf } from '../system/digest.ts'
import { isErrno, reasonOf } from '../system/errno.ts'
import { makeDirectory, namesIn, removeFile, replaceFileSoon } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { isProcessRef, sameProcess } from '../system/processes.ts'
import type { Answer } from './tool.ts'

/** A call that was begun, at `at` (ms since 1970) by a process, and its answer once there is one. */
type Kept = { at: number; process: unknown; answer?: Answer }

/** An answer is kept until the next day has ended. */
const DAY_MS = 24 * 60 * 60_000
const LOOK_MS = 50

/** The calls that this process is at; one of its own that is not among them ended without a note. */
const working = new Set<string>()

/** What stands for the id of a call, in a file's name and in messages. */
export function keyOf(name: string, tool: string, callId: string): string {
  return digestOf(Buffer.from(`${name} ${tool} ${callId}`)).slice(0, 24)
}

/**
 * Does `work` once for the same key: a call that comes again gets the first answer. Where the first
 * one was cut in the middle, `work` is told when that began, and how to find a message that it sent.
 * What throws has done nothing, and may be tried again.
 */
export async function once(
  bus: Bus,
  name: string,
  key: string,
  signal: AbortSignal,
  work: (earlier: (() => Message | undefined) | undefined) => Promise<Answer>,
): Promise<Answer> {
  const path = placeOf(bus, key)
  const before = await begin(bus, path, signal)
  if (before?.answer) return before.answer
  const kept: Kept = { at: before?.at ?? bus.clock.now(), process: bus.processes.self() }
  if (before) keep(path, kept, bus)
  let answer: Answer
  try {
    answer = await work(before && (() => sentBy(bus, name, key, before.at)))
  } catch (error) {
    removeFile(path)
    throw error
  } finally {
    working.delete(path)
  }
  keep(path, { ...kept, answer }, bus)
  return answer
}

/** It is done, whether its answer can be kept or not: without, a call that comes again looks for it. */
function keep(path: string, kept: Kept, { notice }: Bus): void {
  try {
    replaceFileSoon(path, JSON.stringify(kept))
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'ENOENT')) throw error
    notice?.(`the answer could not be kept: ${reasonOf(error)}`)
  }
}

/** Undefined for the first to come; the others wait while that one is at it. */
async function begin(bus: Bus, path: string, signal: AbortSignal): Promise<Kept | undefined> {
  const { processes, clock } = bus
  for (;;) {
    try {
      const kept: Kept = { at: clock.now(), process: processes.self() }
      writeFileSync(path, JSON.stringify(kept), { flag: 'wx', mode: 0o600 })
      working.add(path)
      return undefined
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    }
    const kept = readJson(path)
    if (kept === undefined) continue
    // Cut while it was written: nothing was done yet.
    if (!isKept(kept)) return taken({ at: clock.now(), process: null }, path)
    if (kept.answer) return kept
    const isAtIt = isProcessRef(kept.process) && processes.isAlive(kept.process)
    const isOurs = isProcessRef(kept.process) && sameProcess(kept.process, processes.self())
    if (!isAtIt || (isOurs && !working.has(path)) || signal.aborted) return taken(kept, path)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

function taken(kept: Kept, path: string): Kept {
  working.add(path)
  return kept
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' && value !== null && 'at' in value && typeof value.at === 'number'
  )
}

/** The message that a call has sent, looked for as far back as the call. */
function sentBy(bus: Bus, name: string, key: string, since: number): Message | undefined {
  const { home } = bus
  for (const event of eventsFromEnd(home, '"event":"sent"')) {
    if (Date.parse(event.at) < since - 1000) return undefined
    if (!isSent(event) || event.from !== name) continue
    const message = messageAt(home.message(event.id), event.id, home)
    if (message?.extra.mcp_call === key) return message
  }
  return undefined
}

/** Where a call is kept: among those of yesterday, or of today. The first of a day drops the rest. */
function placeOf({ home, clock }: Bus, key: string): string {
  const [today = '', yesterday = ''] = [0, DAY_MS].map((ago) =>
    isoTime(clock.now() - ago).slice(0, 10),
  )
  const before = home.mcpCall(yesterday, key)
  if (existsSync(before)) return before
  if (!existsSync(home.mcpCallsOf(today))) {
    makeDirectory(home.mcpCallsOf(today))
    for (const day of namesIn(home.mcpCalls))
      if (day < yesterday) rmSync(home.mcpCallsOf(day), { recursive: true, force: true })
  }
  return home.mcpCall(today, key)
}
