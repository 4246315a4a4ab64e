import { questionsToHuman } from '../gate/questions.ts'
import { HUMAN } from '../message/name.ts'
import { countUnread, type SessionRow, sessionsNow } from '../session/sessionRows.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'

/** Who is here, and what waits for `you`: unread messages, and for the human the open questions. */
export type Overview = { you: string; sessions: SessionRow[]; unread: number; questions: number }

export async function overviewOf(ports: Pick<Ports, 'bus' | 'env' | 'tmux'>): Promise<Overview> {
  const bus = ports.bus()
  const you = whoMaybe(ports)?.name ?? HUMAN
  return {
    you,
    sessions: await sessionsNow(ports),
    unread: countUnread(bus, you).unread,
    questions: you === HUMAN ? questionsToHuman(bus).length : 0,
  }
}
