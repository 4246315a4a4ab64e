import { requireHuman } from '../chat/human.ts'
import type { Ports } from '../chat/ports.ts'
import { linkRows, type RestLink } from '../chat/remote/links.ts'
import { spawnSelf } from '../system/spawn.ts'
import { timeLeft } from '../system/timeLeft.ts'
import type { PersonPorts } from '../trust/human/person.ts'
import { repeatOf } from './repeat.ts'

/** A link that was started again: it is `up`, it `dials` still, or its process has ended. */
export type LinkBack = { host: string; state: 'up' | 'dials' | 'failed'; pid: number | null }

/** How long a machine may take to answer before it is said that the link dials. In milliseconds. */
const ANSWERS_MS = 10_000

/**
 * Starts links again, as they were dialled last, each as a process of its own that outlives this one
 * and its terminal. The person who says so has given the command; so they are noted as theirs.
 */
export async function linksBack(
  links: RestLink[],
  ports: Pick<Ports, 'bus' | 'self' | 'env'> & PersonPorts,
  tell: (link: LinkBack) => void,
): Promise<LinkBack[]> {
  const bus = ports.bus()
  const started = links.map(({ host }) => {
    requireHuman('link', ports, [repeatOf({ target: host, ssh: [] }, bus)])
    return { host, pid: spawnSelf(['link', host], ports) }
  })
  return Promise.all(
    started.map(async (one) => {
      const link = await settled(one, ports)
      tell(link)
      return link
    }),
  )
}

async function settled(
  { host, pid }: { host: string; pid: number | undefined },
  { bus }: Pick<Ports, 'bus'>,
): Promise<LinkBack> {
  const { processes, clock } = bus()
  const since = clock.now()
  for (const left = timeLeft(ANSWERS_MS); left() > 0; ) {
    const row = linkRows(bus()).find((one) => one.host === host)
    if (row?.up && row.pid !== null && Date.parse(row.seen ?? '') >= since)
      return { host, state: 'up', pid: row.pid }
    if (pid === undefined || processes.find(pid) === undefined) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const isThere = pid !== undefined && processes.find(pid) !== undefined
  return { host, state: isThere ? 'dials' : 'failed', pid: isThere ? pid : null }
}
