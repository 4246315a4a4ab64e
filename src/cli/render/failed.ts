import type { SessionRow } from '../../session/sessionRows.ts'
import { ago } from './time.ts'

/** `its last turn failed 2m ago: 529 overloaded`; empty where it did not. */
export function failedText({ failed }: Pick<SessionRow, 'failed'>, now: number): string {
  return failed === undefined ? '' : `its last turn failed ${ago(failed.at, now)}: ${failed.error}`
}
