import { CodedError } from '../../errors.ts'
import { unless } from '../../system/errno.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import type { Bus } from '../bus.ts'

/** How long a second reader waits for the first, and how often it looks. */
const WAIT_MS = 10_000
const LOOK_MS = 10

/**
 * Runs `work` as the one reader of an inbox, so that no message is shown twice. Sends need no lock,
 * and a reader that was killed holds nobody up. Throws `LOCKED` where another reader keeps at it
 * for 10 s, for example one whose output nobody takes.
 */
export async function asOnlyReader<T>(
  bus: Bus,
  name: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const left = timeLeft(WAIT_MS)
  for (;;) {
    // An inbox that is not there has nothing to guard.
    const lock = unless(['ENOENT'], () => tryPidLock(bus.home.readerLock(name), bus.processes))
    if (lock === undefined) return work()
    if (typeof lock === 'function') {
      try {
        return await work()
      } finally {
        lock()
      }
    }
    if (left() <= 0) {
      throw new CodedError(
        'LOCKED',
        `another reader (process ${lock.pid}) is printing the inbox of @${name}`,
        {
          hint: 'let it finish, or end it; messages that it has not printed stay unread',
        },
      )
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
