import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isErrno } from '../system/errno.ts'
import { fieldOf } from '../system/json.ts'
import { wordList } from '../system/wordList.ts'

/** Enough for what was said since a prompt that began a moment ago. */
const TAIL_BYTES = 64 * 1024

/**
 * Those of the host's words for the origin of a turn that mean a person: at the keyboard, or a
 * program that prompts in their place.
 */
const HUMAN = wordList('human sdk')

/**
 * Whose the prompt was that began a turn, as Claude Code 2.1.329 tells in its own record of the
 * conversation (`transcript_path`, a JSON object a line); undefined where that has nothing of it,
 * or not yet. Nobody vouches for this format: it may take the human's word from a turn, never give
 * it.
 */
export function originOf(path: string, promptId: string): 'human' | 'other' | undefined {
  for (const entry of entriesWith(path, promptId)) {
    if (entry.promptId !== promptId || entry.type !== 'user') continue
    const origin = entry.turnOrigin ?? fieldOf(entry.origin, 'kind')
    if (typeof origin === 'string') return HUMAN.has(origin) ? 'human' : 'other'
  }
  return undefined
}

/**
 * Whether the host queued these words since `since` (ISO 8601). Words that another session or a
 * schedule has sent stand in its record before their hook runs; words that a human types while the
 * agent is at work, after it.
 */
export function wasQueued(path: string | undefined, prompt: string, since: string): boolean {
  if (path === undefined) return false
  return entriesWith(path, '"queue-operation"').some(
    ({ operation, content, timestamp }) =>
      operation === 'enqueue' &&
      content === prompt &&
      Date.parse(String(timestamp)) >= Date.parse(since),
  )
}

/**
 * Whether the user has interrupted a turn since `since` (ISO 8601), and not after `until` (Unix
 * time in milliseconds). The host tells of that in an
 * entry of its own, among the user's, that holds nothing else; where words quote it, it is none.
 */
export function wasInterrupted(
  path: string,
  since: string,
  until = Number.POSITIVE_INFINITY,
): boolean {
  return entriesWith(path, '[Request interrupted by user').some(
    ({ type, isSidechain, timestamp, message }) =>
      type === 'user' &&
      isSidechain !== true &&
      Date.parse(String(timestamp)) > Date.parse(since) &&
      Date.parse(String(timestamp)) <= until &&
      /^\[Request interrupted by user[^\]]*\]$/.test(onlyText(fieldOf(message, 'content')) ?? ''),
  )
}

/**
 * The entries at the end of the record whose lines hold `text`. Only these are read as JSON: the
 * rest is long, and this runs at every tool call.
 */
function entriesWith(path: string, text: string): Record<string, unknown>[] {
  const tail = tailOf(path)
  const entries: Record<string, unknown>[] = []
  for (let at = tail.indexOf(text); at >= 0; ) {
    const end = tail.indexOf(0x0a, at)
    const line = tail.toString('utf8', tail.lastIndexOf(0x0a, at) + 1, end < 0 ? tail.length : end)
    const entry = objectIn(line)
    if (entry) entries.push(entry)
    at = end < 0 ? -1 : tail.indexOf(text, end)
  }
  return entries
}

function tailOf(path: string): Buffer {
  const fd = openOrUndefined(path)
  if (fd === undefined) return Buffer.alloc(0)
  try {
    const { size } = fstatSync(fd)
    const tail = Buffer.allocUnsafe(Math.min(size, TAIL_BYTES))
    return tail.subarray(0, readSync(fd, tail, 0, tail.length, size - tail.length))
  } finally {
    closeSync(fd)
  }
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined
    throw error
  }
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function onlyText(content: unknown): string | undefined {
  const text =
    Array.isArray(content) && content.length === 1 ? fieldOf(content[0], 'text') : undefined
  return typeof text === 'string' ? text : undefined
}
