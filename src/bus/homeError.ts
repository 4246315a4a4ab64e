import { resolve } from 'node:path'
import { CodedError } from '../errors.ts'
import { isErrno } from '../system/errno.ts'
import { nearestThere } from '../system/files.ts'

/** What `work` gives; what it throws, as `homeError` says it. */
export function inHome<T>(home: { root: string }, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw homeError(home, error)
  }
}

const NOT_YOURS: [why: string, hint: string] = [
  'is not yours to use',
  'check its owner and mode: ls -ld <there>; or set AGENT_CHAT_HOME to a directory of your own',
]
const NO_ROOM = 'free some space, then try again; nothing was left half-written'

const REASONS: Record<string, [why: string, hint: string]> = {
  EACCES: NOT_YOURS,
  EPERM: NOT_YOURS,
  EROFS: [
    'is on a read-only disk',
    'in a sandbox, let its settings write there: agent-chat doctor names the setting; elsewhere, set AGENT_CHAT_HOME to a directory that can be written',
  ],
  ENOSPC: ['is on a full disk', NO_ROOM],
  EDQUOT: ['is over its disk quota', NO_ROOM],
  EIO: ['is on a failing disk', 'check the disk, or set AGENT_CHAT_HOME to another one'],
  ENOTDIR: [
    'is not a directory, or one of its parents is not',
    'look at it: ls -ld <there>; move it away, or set AGENT_CHAT_HOME to another directory',
  ],
  ENOENT: [
    'was removed while it was in use, or a part of it was',
    'try again: agent-chat makes the missing directories',
  ],
  EEXIST: [
    'is not a directory',
    'move that file away: mv <there> <there>.old; or set AGENT_CHAT_HOME to another directory',
  ],
  ELOOP: ['is a link that leads to itself', 'follow its links: ls -ld <there>'],
  ENAMETOOLONG: ['has a path that is too long', 'set AGENT_CHAT_HOME to a shorter path'],
  EMFILE: ['could not be opened: too many open files', 'raise the limit with: ulimit -n 4096'],
  ENFILE: [
    'could not be opened: too many open files on this machine',
    'close some programs, then try again',
  ],
}

/**
 * A system error met in the home as `HOME_UNUSABLE` with reason and remedy; any other error as it
 * is, also one that names a path elsewhere. Of a link or a rename, the new name is what is wrong.
 */
export function homeError(home: { root: string }, error: unknown): unknown {
  if (!isErrno(error, ...Object.keys(REASONS))) return error
  const reason = REASONS[error.code ?? '']
  const { path: from, dest }: NodeJS.ErrnoException & { dest?: string } = error
  const path = resolve(dest ?? from ?? home.root)
  const within = path.startsWith(`${home.root}/`)
  if (!reason || (!within && path !== home.root && !home.root.startsWith(`${path}/`))) return error
  const [why, hint] = reason
  const where = within ? `, ${path.slice(home.root.length + 1)}` : ''
  return new CodedError('HOME_UNUSABLE', `the home ${home.root} ${why} (${error.code}${where})`, {
    hint: hint.replaceAll('<there>', () => nearestThere(path)),
    cause: error,
  })
}

/** What to do where no more files may be open; undefined for any other error. */
export function openFilesHint(error: unknown): string | undefined {
  return isErrno(error, 'EMFILE', 'ENFILE') ? REASONS[error.code ?? '']?.[1] : undefined
}
