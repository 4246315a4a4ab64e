import { readMessageFile } from '../bus/inbox.ts'
import { mayFind } from '../doorbell/human/ways.ts'
import { HUMAN } from '../message/name.ts'
import { spawnDetached } from '../system/spawn.ts'
import type { Ports } from './ports.ts'

/** Starts a process that tells the human of a message, where anything can tell them. What becomes of it is in the history. */
export function announceSoon(id: string, { bus, env, self }: Pick<Ports, 'bus' | 'env' | 'self'>): void {
  const { home } = bus()
  if (!mayFind({ bus: bus(), env })) return
  // A step at which a test ends this process is not meant for the other.
  const { AGENT_CHAT_FAULT: _, ...callers } = env
  const argv: [string, ...string[]] = [self.node, self.script, 'watch', HUMAN, '--announce', id]
  spawnDetached(argv, { ...callers, AGENT_CHAT_HOME: home.root }, home.root)
}

/** That process. A message that is not there any more is nothing to tell of. */
export async function runAnnounce(id: string, { bus, env, tmux }: Pick<Ports, 'bus' | 'env' | 'tmux'>): Promise<void> {
  const { home } = bus()
  const message = readMessageFile(home.message(id), `${id}.md`, home)
  if (typeof message !== 'object') return
  const { announce } = await import('../doorbell/human.ts')
  await announce(message, { bus: bus(), env, tmux })
}
