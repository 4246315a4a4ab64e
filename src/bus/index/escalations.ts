import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { CodedError } from '../../errors.ts'
import { idOfFile } from '../../message/id.ts'
import { unless } from '../../system/errno.ts'
import { makeDirectory, namesIn, removeFile, replaceFileSoon } from '../../system/files.ts'
import { underPidLock } from '../../system/pidlockWait.ts'
import type { Bus } from '../bus.ts'
import type { Home } from '../home.ts'

/** The id of the message that asks for the decision of this number, or undefined. */
export function escalationId(home: Pick<Home, 'escalation'>, number: number): string | undefined {
  const id = unless(['ENOENT'], () => readFileSync(home.escalation(number), 'utf8').trim())
  return id === undefined ? undefined : idOfFile(`${id}.md`)
}

/** The numbers that were ever given, in no order. */
export function escalationNumbers(home: Pick<Home, 'escalations'>): number[] {
  return namesIn(home.escalations)
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
}

/**
 * Takes the next number for a decision. Numbers are never given twice, so an answer cannot meet
 * another question. The message that asks names itself in the number's file while it is sent;
 * `drop` gives back a number that no message has.
 */
export function nextEscalation(home: Home): { number: number; drop: () => void } {
  makeDirectory(home.escalations)
  const last = escalationNumbers(home).reduce((most, number) => Math.max(most, number), 0)
  for (let number = last + 1; ; number += 1) {
    const fd = unless(['EEXIST'], () => openSync(home.escalation(number), 'wx', 0o600))
    if (fd === undefined) continue
    closeSync(fd)
    return { number, drop: () => dropNumber(home, number) }
  }
}

/**
 * Runs `work` as the only one that answers this decision: of two that answer at once, the second
 * sees the answer of the first. Throws `LOCKED` where another keeps at it for 10 s.
 */
export function asOnlyAnswerer<T>(
  { home, processes }: Bus,
  number: number,
  work: () => T | Promise<T>,
): Promise<T> {
  return underPidLock(
    `${home.escalation(number)}.lock`,
    processes,
    work,
    ({ pid }) =>
      new CodedError('LOCKED', `another process (${pid}) is answering decision ${number}`, {
        hint: `see what it says with: agent-chat show ${number}`,
      }),
  )
}

/** Writes into a number's file which message asks for it. A number that is taken stays so. */
export function nameEscalation(home: Home, number: number, id: string): void {
  if (escalationId(home, number) !== undefined) return
  makeDirectory(home.escalations)
  // The delivery waits for the disk. What a power cut takes away here, `doctor` brings back.
  replaceFileSoon(home.escalation(number), `${id}\n`)
}

/** What failed may have failed after the message was sent: then the human knows the number. */
function dropNumber(home: Home, number: number): void {
  const id = escalationId(home, number)
  if (id === undefined || !existsSync(home.message(id))) removeFile(home.escalation(number))
}
