import { CodedError } from '../../errors.ts'
import { underPidLock } from '../../system/pidlockWait.ts'
import type { Bus } from '../bus.ts'

/**
 * Runs `work` as the one reader of an inbox, so that no message is shown twice. Sends need no lock,
 * and a reader that was killed holds nobody up. Throws `LOCKED` where another reader keeps at it
 * for 10 s, for example one whose output nobody takes.
 */
export function asOnlyReader<T>(bus: Bus, name: string, work: () => T | Promise<T>): Promise<T> {
  return underPidLock(
    bus.home.readerLock(name),
    bus.processes,
    work,
    ({ pid }) =>
      new CodedError(
        'LOCKED',
        `another reader (process ${pid}) is printing the inbox of @${name}`,
        { hint: 'let it finish, or end it; messages that it has not printed stay unread' },
      ),
  )
}
