import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { CodedError } from '../../errors.ts'
import { makeDirectory } from '../../system/files.ts'
import { hintOnChanges, type Place } from '../../system/hints.ts'
import { logLine } from '../../system/log.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import type { ProcessRef } from '../../system/processes.ts'
import { createWaker } from '../../system/waker.ts'
import type { SupervisePorts } from './ports.ts'
import { openRound } from './round.ts'

/**
 * Supervises the workers of this home until it is asked to end, which ends no worker. What an
 * earlier supervisor started is taken over as it is. Throws `LOCKED` where another one runs.
 */
export async function supervise(ports: SupervisePorts): Promise<void> {
  const bus = ports.bus()
  const { home } = bus
  for (const directory of [home.workers, home.agents]) makeDirectory(directory)
  const lock = tryPidLock(home.supervisorPid, bus.processes)
  if (typeof lock !== 'function') throw runsAlready(lock)
  const waker = createWaker()
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const log = (text: string) => {
    logLine(home.supervisorLog, text)
    ports.tell(text)
  }
  const round = openRound({ ...ports, log }, waker.wake)
  const close = hintOnChanges(places(bus), round.changed, log)
  log(`the supervisor has begun (process ${bus.processes.self().pid})`)
  try {
    while (!stopped && existsSync(home.supervisorPid)) {
      await waker.sleep(round.look())
    }
  } finally {
    close()
    await round.close()
    if (existsSync(home.root)) log('the supervisor has ended')
    lock()
  }
}

function runsAlready({ pid }: ProcessRef): CodedError {
  return new CodedError('LOCKED', `a supervisor of this home is running (process ${pid})`, {
    hint: 'start a worker with: agent-chat up <name>; end all with: agent-chat down',
  })
}

/** What wakes it: a worker's end, a wish of the human's, a definition, a schedule. */
function places({ home }: Bus): Place[] {
  const isOf = (file: string) =>
    file.endsWith('.end') || [home.wanted, home.schedules].some((path) => path.endsWith(`/${file}`))
  return [{ directory: home.workers, isOf }, { directory: home.agents }]
}
