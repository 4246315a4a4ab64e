import type { Processes, ProcessRef } from '../../system/processes.ts'
import { type Client, startClient } from './client.ts'
import type { ClientRequest } from './start.ts'

/** The one client of a worker: kept for a while after a turn, and replaced for another conversation. */
export type Keeper = {
  /** The client of this conversation: the one that is there, or a new one. */
  clientFor: (request: ClientRequest) => Promise<Client>
  /** The turn is over: the client is ended after a while without another one. */
  rest: () => void
  interrupt: () => void
  end: (graceMs?: number) => Promise<void>
}

/** A client costs 120 MB, and to resume a conversation 0.4 s. In milliseconds. */
const WARM_MS = 60_000

export function keepClient(
  ports: { env: NodeJS.ProcessEnv; processes: Processes },
  onClient: (ref: ProcessRef | undefined) => void,
  warmMs = WARM_MS,
): Keeper {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let ending: Promise<void> = Promise.resolve()
  const end = (graceMs?: number) => {
    clearTimeout(timer)
    const ended = client
    client = undefined
    if (ended) {
      ending = ended.end(graceMs).then(() => {
        if (client === undefined) onClient(undefined)
      })
    }
    return ending
  }
  const fits = ({ conversation, model, prompt }: ClientRequest, key: string) =>
    client?.isUp() && client.conversation === conversation && key === `${model}\n${prompt}`
  let started = ''
  return {
    clientFor: async (request) => {
      clearTimeout(timer)
      if (client && fits(request, started)) return client
      // Two processes on one conversation would both write it.
      await end()
      started = `${request.model}\n${request.prompt}`
      client = startClient(request, ports)
      onClient(client.ref)
      return client
    },
    rest: () => {
      clearTimeout(timer)
      timer = setTimeout(() => void end(), warmMs)
    },
    interrupt: () => client?.interrupt(),
    end,
  }
}
