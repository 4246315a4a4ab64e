import { existsSync } from 'node:fs'
import type { Ports } from '../ports.ts'

/** Whoever looks or sends while all is silent should not wait for somebody to wake. */
export function tellPaused({ bus, notice }: Pick<Ports, 'notice' | 'bus'>): void {
  if (existsSync(bus().home.paused)) notice('all doorbells are paused: agent-chat unpause')
}
