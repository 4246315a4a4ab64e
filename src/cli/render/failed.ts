import { visibleLine } from '../../message/visible.ts'
import type { SessionRow } from '../../session/sessionRows.ts'
import { ago } from './time.ts'

/** `its last turn failed 2 minutes ago: 529 overloaded`; empty where it did not. */
export function failedText({ failed }: Pick<SessionRow, 'failed'>, now: number): string {
  if (failed === undefined) return ''
  return `its last turn failed ${ago(failed.at, now)}: ${visibleLine(failed.error)}`
}
