import { type Need, needRow, REASONS } from '../feed/need.ts'
import { cellsOf, cut } from './view.ts'

/** Whether a need is in no pane that the person has before them: held messages tell nobody. */
export function isElsewhere(need: Need, name: string | null): boolean {
  return need.type !== 'held' && !('name' in need && need.name === name)
}

/** A need on one line. */
export function needText(need: Need): string {
  const { session, reason, what } = needRow(need)
  if ('options' in need) return `@${need.from} asks you: ${need.title}`
  return session === null ? what : `@${session} ${REASONS[reason]}: ${what}`
}

/** A need that is answered elsewhere, of so many cells: its end is cut, and not what answers it. */
export function needLine(need: Need, columns: number): string {
  const { answer } = needRow(need)
  return `${cut(`? ${needText(need)}`, Math.max(8, columns - cellsOf(answer) - 3))} · ${answer}`
}
