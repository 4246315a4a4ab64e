import type { StartDialog } from '../agents/agent.ts'

/** What such a session does, as it is said of its name. */
export const SAYS: Record<StartDialog, string> = {
  trust: 'waits for you to trust this folder',
  login: 'waits for you to log in',
  setup: 'waits for you to answer its first questions',
}

/** What is said of a session that stands at this dialog, and what leads there. */
export function dialogSaid(name: string, dialog: StartDialog): string {
  return `${SAYS[dialog]}: agent-chat attach ${name}`
}
