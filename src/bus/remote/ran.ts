import { statSync } from 'node:fs'
import { removeFile, replaceFile } from '../../system/files.ts'
import { fieldOf, readJson } from '../../system/json.ts'
import { isProcessRef, type ProcessRef } from '../../system/processes.ts'
import type { Home } from '../home.ts'

/**
 * A link that was dialled from here and that its person has not ended: `agent` is its process,
 * `server` the tmux server of its terminal.
 */
export type Ran = { agent: ProcessRef; server: ProcessRef | null }

type Place = Pick<Home, 'peerRan'>

/** The disk has it when this returns: it is for a power cut. */
export function noteRan(home: Place, host: string, ran: Ran): void {
  replaceFile(home.peerRan(host), `${JSON.stringify(ran)}\n`)
}

/** The link has ended by choice, or cannot go on: it does not come back. */
export function forgetRan(home: Place, host: string): void {
  removeFile(home.peerRan(host))
}

/** `at`: since when, in milliseconds. */
export function readRan(home: Place, host: string): (Ran & { at: number }) | undefined {
  const value = readJson(home.peerRan(host))
  const [agent, server] = [fieldOf(value, 'agent'), fieldOf(value, 'server')]
  const at = statSync(home.peerRan(host), { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined || !isProcessRef(agent)) return undefined
  return { agent, server: isProcessRef(server) ? server : null, at }
}
