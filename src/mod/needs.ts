import { type Need, needRow, REASONS } from '../feed/need.ts'

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
