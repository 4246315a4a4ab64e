import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../../bus/bus.ts'
import { isBelow } from '../../session/agent.ts'
import { whyNotWoken } from '../../session/hooksOff.ts'
import { readState } from '../../session/stateFile.ts'
import { sameProcess } from '../../system/processes.ts'
import type { Client } from './client.ts'

/** By then a client's SessionStart hook has run, on a busy machine too. In milliseconds. */
export const HEARD_MS = 30_000
const LOOK_MS = 25

/**
 * Waits until a hook of ours was heard from this client: without one it would ask about nothing.
 * Gives why none was, or undefined, also where the client ends meanwhile or the worker `stops`.
 */
export async function whyUnheard(
  { ref, isUp }: Pick<Client, 'ref' | 'isUp'>,
  name: string,
  bus: Bus,
  stops: () => boolean,
): Promise<string | undefined> {
  const isHeard = () => {
    const told = readState(bus.home, name)?.agent
    return told && (sameProcess(told, ref) || isBelow(bus.processes, told.pid, ref.pid))
  }
  for (let waited = 0; !isHeard(); waited += LOOK_MS) {
    if (!isUp() || stops()) return undefined
    if (waited >= HEARD_MS) return reason(name, bus)
    await sleep(LOOK_MS)
  }
  return undefined
}

function reason(name: string, bus: Bus): string {
  return (
    whyNotWoken(name, bus) ??
    `hooks do not run here: Claude Code started, and its SessionStart hook was not heard for ${HEARD_MS / 1000} s; look for disableAllHooks in its settings`
  )
}
