import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isErrno } from '../system/errno.ts'

/** Enough for what was said since a prompt that began a moment ago. */
const TAIL_BYTES = 256 * 1024

/** Those of the host's words for the origin of a turn that mean a person: at the keyboard, or a program that prompts in their place. */
const HUMAN = new Set(['human', 'sdk'])

/**
 * Whose the prompt was that began a turn, as Claude Code 2.1.329 tells in its own record of the conversation (`transcript_path`, a JSON object a
 * line); undefined where that has nothing of it, or not yet. Nobody vouches for this format: it may take the human's word from a turn, never give it.
 */
export function originOf(path: string, promptId: string): 'human' | 'other' | undefined {
  for (const line of tailOf(path)) {
    if (!line.includes(promptId)) continue
    const entry = objectIn(line)
    if (entry?.promptId !== promptId || entry.type !== 'user') continue
    const origin = entry.turnOrigin ?? fieldOf(entry.origin, 'kind')
    if (typeof origin === 'string') return HUMAN.has(origin) ? 'human' : 'other'
  }
  return undefined
}

/**
 * Whether the host queued these words since `since` (ISO 8601). Words that another session or a schedule has sent stand in its record before their
 * hook runs; words that a human types while the agent is at work, after it.
 */
export function wasQueued(path: string | undefined, prompt: string, since: string): boolean {
  if (path === undefined) return false
  return tailOf(path).some((line) => {
    if (!line.includes('"queue-operation"')) return false
    const entry = objectIn(line)
    return (
      entry?.operation === 'enqueue' &&
      entry.content === prompt &&
      Date.parse(String(entry.timestamp)) >= Date.parse(since)
    )
  })
}

function tailOf(path: string): string[] {
  const fd = openOrUndefined(path)
  if (fd === undefined) return []
  try {
    const { size } = fstatSync(fd)
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
    return tail.toString('utf8', 0, readSync(fd, tail, 0, tail.length, size - tail.length)).split('\n')
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

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined
}
