import { dirname } from 'node:path'
import { isCoded } from '../errors.ts'
import { isErrno, reasonOf } from '../system/errno.ts'
import { nearestThere } from '../system/files.ts'

/** What was looked at and what came of it. `hint` says what to do about it. */
export type Check = { name: string; status: CheckStatus; detail: string; hint?: string }

/** `mended`: it was wrong and is right now. `warning`: worth knowing, and messages still arrive. */
export type CheckStatus = 'ok' | 'mended' | 'warning' | 'failed'

/** Whatever is thrown counts as a check that failed: a doctor must get to its last question. */
export async function checked(
  name: string,
  look: () => Check[] | Promise<Check[]>,
): Promise<Check[]> {
  try {
    return await look()
  } catch (error) {
    const detail = reasonOf(error)
    return [{ name, status: 'failed', detail, ...hintOf(error) }]
  }
}

function hintOf(error: unknown): { hint?: string } {
  if (isCoded(error)) return { hint: error.hint }
  if (!isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR') || error.path === undefined)
    return {}
  return {
    hint: `check its owner and mode: ls -ld ${nearestThere(dirname(error.path))}`,
  }
}
