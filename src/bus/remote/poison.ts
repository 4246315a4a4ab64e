import { join } from 'node:path'
import { isErrno } from '../../system/errno.ts'
import { makeDirectory, namesIn, writeNewFile } from '../../system/files.ts'
import type { Bus } from '../bus.ts'
import { record } from '../history.ts'
import type { Wire } from './wire.ts'

/** So many bad messages of one machine are kept: it could fill the disk with them. */
const MOST_KEPT = 100
const MOST_BYTES = 512 * 1024

/** Keeps what is no message from this machine, as `remote/<host>/bad/<n>`, and names it. */
export function keepPoison(bus: Bus, peer: string, { id, text }: Wire, why: string): void {
  const directory = bus.home.peerBad(peer)
  makeDirectory(directory)
  const taken = namesIn(directory).length
  if (taken >= MOST_KEPT) return
  for (let number = taken + 1; ; number += 1) {
    const path = join(directory, String(number))
    try {
      writeNewFile(path, `${id.slice(0, 200)}\n${why}\n\n${text.slice(0, MOST_BYTES)}`)
      record(bus, 'bad', { host: peer, file: String(number), why })
      return
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    }
  }
}
