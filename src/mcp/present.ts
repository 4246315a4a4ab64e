import type { StatusRow } from '../chat/status/statusRow.ts'

/** A session that is there without telling what it does is present, and nothing of it is unknown. */
export function present({ alive, state, ...row }: StatusRow): Partial<StatusRow> {
  return {
    ...row,
    state: state === 'unknown' && alive !== 'gone' ? 'present' : state,
    ...(alive === 'unknown' ? {} : { alive }),
  }
}
