import { existsSync } from 'node:fs'
import type { Ports } from '../ports.ts'

/** What whoever looks at all sessions reads first while all is silent. */
export const PAUSED = 'Notifications are paused. To turn them on again: agent-chat unpause\n'

/** Whoever sends while all is silent should not wait for somebody to wake. */
export function tellPaused({ bus, notice }: Pick<Ports, 'notice' | 'bus'>): void {
  if (existsSync(bus().home.paused)) notice('all doorbells are paused: agent-chat unpause')
}
