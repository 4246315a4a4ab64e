import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CodedError } from '../../errors.ts'
import { visibleLine } from '../../message/visible.ts'
import { digestOf } from '../../system/digest.ts'
import { isErrno, unless } from '../../system/errno.ts'
import { readPlainFile } from '../../system/files.ts'
import { nearestWith } from '../../system/nearest.ts'
import { type Member, parseTeam } from './parse.ts'

/** A team, and the very text that says so. `base`: the directory that its folders are below. */
export type Team = { path: string; base: string; hash: string; members: Member[] }

/** Where a repository keeps it. */
const IN_REPOSITORY = '.agent-chat/team.md'

/** No team file is longer. In bytes. */
const MAX_BYTES = 64 * 1024

/**
 * The team of the repository around `cwd`. Throws `FILE_UNREADABLE` where it has none, and
 * `DEFINITION_INVALID` for a file with anything wrong in it: then nobody is started.
 */
export function readTeam(cwd: string): Team {
  const found = nearestWith(IN_REPOSITORY, cwd)
  if (found === undefined)
    throw new CodedError(
      'FILE_UNREADABLE',
      `no ${IN_REPOSITORY} here, or above in the repository`,
      {
        hint: 'write one, as docs/reference.md shows under "A team in a file"; to start one session: agent-chat start backend',
      },
    )
  const base = realpathSync(found)
  const path = join(base, IN_REPOSITORY)
  const bytes = bytesOf(path)
  const members = Buffer.isBuffer(bytes) ? parseTeam(bytes) : bytes
  if (!Buffer.isBuffer(bytes) || !Array.isArray(members)) throw invalid(path, `${members}`)
  for (const { name, folder } of members) {
    const why = whyNotThere(base, folder)
    if (why) throw invalid(path, `gives ${name} the folder ${visibleLine(folder)}, which ${why}`)
  }
  return { path, base, hash: digestOf(bytes), members }
}

/** Why no session of a team is started in this folder of its repository, if none is. */
export function whyNotThere(base: string, folder: string): string | undefined {
  const real = unless(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'], () =>
    realpathSync(join(base, folder)),
  )
  if (real === undefined) return 'is not there'
  if (real !== base && !real.startsWith(`${base}/`)) return 'leads out of the repository'
  return statSync(real).isDirectory() ? undefined : 'is a file'
}

/** The bytes of the file, or what is wrong with it. No link is followed, and no pipe waited for. */
function bytesOf(path: string): Buffer | string {
  try {
    if (realpathSync(path) !== path) return 'is reached through a link'
    const bytes = readPlainFile(path, MAX_BYTES)
    if (Buffer.isBuffer(bytes)) return bytes
    return bytes === 'too long' ? `is longer than ${MAX_BYTES / 1024} KB` : 'is not a plain file'
  } catch (error) {
    if (isErrno(error)) return `cannot be read (${error.code})`
    throw error
  }
}

function invalid(path: string, why: string): CodedError {
  return new CodedError('DEFINITION_INVALID', `${visibleLine(path)} ${why}`, {
    hint: 'nothing was started; docs/reference.md shows the form of the file under "A team in a file"',
  })
}
