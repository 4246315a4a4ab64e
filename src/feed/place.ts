import { visibleLine } from '../message/visible.ts'
import type { SessionRow } from '../session/sessionRows.ts'

/** Where a session is answered: in its pane, else in the terminal that it was started in. */
export function placeOf({ name, pane, cwd }: Pick<SessionRow, 'name' | 'pane' | 'cwd'>): string {
  if (pane !== null) return `agent-chat attach ${name}`
  return `in its own terminal${cwd === '' ? '' : `, in ${visibleLine(cwd)}`}`
}
