import { readMessageFile } from '../bus/mail/inbox.ts'
import { mayFind } from '../doorbell/human/ways.ts'
import { HUMAN } from '../message/name.ts'
import { spawnSelf } from '../system/spawn.ts'
import type { Ports } from './ports.ts'

/**
 * Starts a process that tells the human of a message, where anything can tell them. What becomes of
 * it is in the history.
 */
export function announceSoon(
  id: string,
  { bus, env, self }: Pick<Ports, 'bus' | 'env' | 'self'>,
): void {
  if (mayFind({ bus: bus(), env }))
    spawnSelf(['watch', HUMAN, '--announce', id], { self, env, bus })
}

/** That process. A message that is not there any more is nothing to tell of. */
export async function runAnnounce(
  id: string,
  { bus, env, tmux }: Pick<Ports, 'bus' | 'env' | 'tmux'>,
): Promise<void> {
  const { home } = bus()
  const message = readMessageFile(home.message(id), `${id}.md`, home)
  if (typeof message !== 'object') return
  const { announce } = await import('../doorbell/human.ts')
  await announce(message, { bus: bus(), env, tmux })
}
