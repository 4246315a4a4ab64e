import { createServer, type RequestListener, type Server } from 'node:http'
import { CodedError } from '../errors.ts'
import { isErrno, reasonOf } from '../system/errno.ts'

/** Where the page is when nobody says otherwise, and how many ports are tried from there on. */
const PORT = 4747
const TRIES = 20
const LOOPBACK = '127.0.0.1'
/** How often Node looks for requests that do not come to an end: each look wakes the process. */
const UNFINISHED_MS = 600_000

export type Listening = { port: number; close: () => void }

/**
 * Listens on this machine alone: on `port`, or on the first that is free. Throws `FAULT` where it
 * is taken.
 */
export async function listen(
  port: number | undefined,
  answer: RequestListener,
): Promise<Listening> {
  const server = createServer({ connectionsCheckingInterval: UNFINISHED_MS }, answer)
  const tries = port === undefined ? TRIES : 1
  for (let next = port ?? PORT, left = tries; left > 0; next += 1, left -= 1) {
    const got = await tryPort(server, next)
    if (got !== undefined) return { port: got, close: () => endAll(server) }
  }
  const first = port ?? PORT
  throw new CodedError(
    'FAULT',
    tries === 1 ? `port ${first} is taken` : `the ports ${first} to ${first + TRIES - 1} are taken`,
    { hint: 'let the system choose one: agent-chat web --port 0' },
  )
}

/** The port that it listens on; undefined where this one is taken. */
function tryPort(server: Server, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      if (isErrno(error, 'EADDRINUSE')) return resolve(undefined)
      const hint = 'choose a port from 1024 on: agent-chat web --port 4747'
      const why = `port ${port} cannot be used (${reasonOf(error)})`
      reject(new CodedError('FAULT', why, { hint, cause: error }))
    }
    server.once('error', failed)
    server.listen(port, LOOPBACK, () => {
      server.off('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function endAll(server: Server): void {
  server.close()
  server.closeAllConnections()
}
