import { existsSync } from 'node:fs'
import { inHome } from '../../bus/homeError.ts'
import type { Ports } from '../../chat/ports.ts'
import { makeDirectory, replaceFile } from '../../system/files.ts'
import { SHIPPED } from './shipped.ts'

/** The paths that were written, and those that were there already and are as they were. */
export type Initialized = { written: string[]; kept: string[] }

/** Writes the agents to begin with into the home; a file that is there is kept. */
export function initAgents({ bus }: Pick<Ports, 'bus'>): Initialized {
  const { home } = bus()
  const done: Initialized = { written: [], kept: [] }
  inHome(home, () => {
    makeDirectory(home.agents)
    for (const { name, text } of SHIPPED) {
      const path = home.agentFile(name)
      const isThere = existsSync(path)
      if (!isThere) replaceFile(path, text)
      done[isThere ? 'kept' : 'written'].push(path)
    }
  })
  return done
}
