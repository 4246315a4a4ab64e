import type { StatusRow } from '../chat/status/statusRow.ts'

/** A session that is there without telling what it does is present, never unknown. */
export function present(row: StatusRow): StatusRow {
  return row.state === 'unknown' && row.alive !== 'gone' ? { ...row, state: 'present' } : row
}
