import { readdirSync, readFileSync } from 'node:fs'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { World } from './world.ts'

/**
 * The Node processes that are there for this home: what rings, none while nothing is left to be
 * rung for.
 */
export function nodesOf({ bus }: World): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8')
        } catch {
          return ''
        }
      }
      return (
        read('environ').includes(`AGENT_CHAT_HOME=${bus.home.root}\0`) &&
        read('cmdline').startsWith(RUNTIME)
      )
    })
}
