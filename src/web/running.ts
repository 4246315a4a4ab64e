import { readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { unless } from '../system/errno.ts'
import { readJson } from '../system/json.ts'
import { liveHolder } from '../system/pidlock.ts'
import type { ProcessRef } from '../system/processes.ts'
import { untilChanged } from '../system/untilChanged.ts'

/** The server of a home: its process, and where its page is. */
export type Running = { holder: ProcessRef; address: string }

/** How long a server may take to begin or to end. In milliseconds. */
export const WAIT_MS = 10_000

/** The server that runs on this home; undefined where none does, or it does not listen yet. */
export function runningServer({ home, processes }: Bus): Running | undefined {
  const holder = liveHolder(home.webLock, processes)
  const known = readJson(home.webServer)
  if (holder === undefined || typeof known !== 'object' || known === null) return undefined
  const { pid, address } = known as Record<string, unknown>
  if (pid !== holder.pid || typeof address !== 'string') return undefined
  return { holder, address }
}

/** The address that opens the page, once: as the file has it that the server has written. */
export function openingAddress({ home }: Pick<Bus, 'home'>): string | undefined {
  const text = unless(['ENOENT'], () => readFileSync(home.webOpen, 'utf8')) ?? ''
  return /href="(http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]+)"/.exec(text)?.[1]
}

/** Ends the server of this home, if one runs; gives whether one did. */
export async function stopServer(bus: Bus): Promise<Running | undefined> {
  const running = runningServer(bus)
  if (running === undefined) return undefined
  const { holder: ref } = running
  bus.processes.signal(ref, 'SIGTERM')
  const gone = () => !bus.processes.isAlive(ref) || undefined
  const ended = await untilChanged(bus.home.web, WAIT_MS, gone)
  if (!ended) bus.processes.signal(ref, 'SIGKILL')
  return running
}
