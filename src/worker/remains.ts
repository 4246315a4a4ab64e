import type { Bus } from '../bus/bus.ts'
import type { WorkerState } from '../session/workerState.ts'
import { endRest, killTree } from './client/client.ts'

/** A client that goes on after its worker was killed gets so long to end. In milliseconds. */
const GRACE_MS = 3000

/**
 * Ends what a worker that was killed has left running, before its conversation goes on: its client,
 * the tools of that, and what a client that was killed as well has left.
 */
export async function endRemains(
  { home, processes }: Bus,
  name: string,
  before: WorkerState | undefined,
): Promise<void> {
  const client = before?.client
  if (client && processes.isAlive(client)) await killTree(processes, client, GRACE_MS)
  await endRest(processes, { name, home: home.root })
}
