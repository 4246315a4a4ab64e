import { homeAt } from '../../src/bus/home.ts'
import { claim, release } from '../../src/chat/claim.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'

/** What a racer is told to do: to claim files, or to give back what it has. */
export type Order = { root: string; name: string; cwd: string; pattern?: string }

const PORTS = { notice: () => {}, isTerminal: async () => false }
const HOUR_MS = 3_600_000

/** A session that claims when its parent says so, and says what came of it: `won`, or a code. */
process.on('message', async ({ root, name, cwd, pattern }: Order) => {
  const bus = { home: homeAt(root), clock: systemClock(), processes: systemProcesses() }
  const env = { AGENT_CHAT_NAME: name, CLAUDE_PID: String(process.pid) }
  const ports = { ...PORTS, bus: () => bus, env, cwd }
  try {
    if (pattern === undefined) await release([], ports)
    else await claim({ patterns: [pattern], forMs: HOUR_MS, take: false }, ports)
    process.send?.('won')
  } catch (error) {
    process.send?.(String(Object(error).code ?? error))
  }
})
