import { closeSync, copyFileSync, fstatSync, linkSync, readSync } from 'node:fs'
import { isoTime } from '../../message/time.ts'
import { isErrno } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { appendLine, openIfThere } from '../../system/files.ts'
import { beginFile, type NewFile } from '../../system/newFile.ts'
import type { Bus } from '../bus.ts'
import { type HistoryEvent, parseEvent } from '../history.ts'

/** Where the old history is kept; how many lines the new one has, and how many were left out. */
export type Rotated = { file: string; kept: number; dropped: number }

/** By then, who had the old file open has appended to it, unless it was stopped. In ms. */
const STRAGGLER_MS = 50

/**
 * Begins a new history with those events that `keep` lets stay, and keeps the old one beside it,
 * whole, as `history-<time>.log`. Others append meanwhile, without a lock: the new file replaces
 * the old one in one step, and what came to the old one after it was copied is copied too. Gives
 * undefined where everything stays.
 */
export async function rotateHistory(
  bus: Bus,
  keep: (event: HistoryEvent) => boolean,
): Promise<Rotated | undefined> {
  const { home } = bus
  const old = openIfThere(home.history)
  if (old === undefined) return undefined
  try {
    const first = readLines(old, 0)
    const stays = first.lines.filter((line) => keepLine(line, keep))
    if (stays.length === first.lines.length) return undefined
    const time = isoTime(bus.clock.now()).replaceAll(/[-:]|\.\d+/g, '')
    const file = `${home.root}/history-${time}.log`
    const next = beginFile(home.history)
    const second = fill(next, () => {
      next.write(textOf(stays))
      faultPoint('prune:rotating')
      keepWhole(home.history, file)
      const second = readLines(old, first.end)
      next.write(textOf(second.lines))
      return second
    })
    faultPoint('prune:rotated')
    await new Promise((resolve) => setTimeout(resolve, STRAGGLER_MS))
    for (const line of readLines(old, second.end).lines) appendLine(home.history, line)
    return {
      file,
      kept: stays.length + second.lines.length,
      dropped: first.lines.length - stays.length,
    }
  } finally {
    closeSync(old)
  }
}

/** Finishes a file once `work` has written it, or leaves nothing of it. */
function fill<T>(file: NewFile, work: () => T): T {
  try {
    const result = work()
    file.finish()
    return result
  } catch (error) {
    file.drop()
    throw error
  }
}

function textOf(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** A line that is no event tells nobody anything. */
function keepLine(line: string, keep: (event: HistoryEvent) => boolean): boolean {
  const event = parseEvent(line)
  return event !== undefined && keep(event)
}

/** The old file under a second name; a copy where the disk has no links. */
function keepWhole(path: string, second: string): void {
  try {
    linkSync(path, second)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    copyFileSync(path, second)
  }
}

/** The whole lines from a position on, and the position after the last of them. */
function readLines(fd: number, from: number): { lines: string[]; end: number } {
  const size = fstatSync(fd).size - from
  const bytes = Buffer.alloc(Math.max(0, size))
  for (let filled = 0; filled < bytes.length; ) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, from + filled)
    if (count === 0) break
    filled += count
  }
  const last = bytes.lastIndexOf(0x0a)
  const lines = bytes.toString('utf8', 0, Math.max(0, last)).split('\n')
  return { lines: lines.filter((line) => line !== ''), end: from + last + 1 }
}
