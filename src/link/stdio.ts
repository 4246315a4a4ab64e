import type { Ports } from '../chat/ports.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { ownPipe } from '../system/pipe.ts'
import { connect } from './connection.ts'
import { meOf, refusal } from './meet.ts'

/**
 * The other end of a link: what ssh runs here. `peer`: who is at the other side, as the line in
 * authorized_keys says, or else whoever logged in. Returns when the pipe ends.
 */
export async function runStdio(
  peer: string | undefined,
  ports: Pick<Ports, 'env' | 'bus' | 'notice' | 'self' | 'onStop'> & { version: string },
): Promise<void> {
  const bus = ports.bus()
  const connection = connect(
    ownPipe(),
    {
      ...{ dials: false, once: false, version: ports.version, expected: peer },
      to: { host: peer ?? '', sure: false },
      // A home that was never linked takes the name that it is called by.
      begin: (hello) => {
        const called = hello?.to ?? ''
        if (!NAME_PATTERN.test(called))
          throw refusal('the name of this machine is missing', 'use --peer')
        return meOf(bus, undefined, called)
      },
      onUp: () => {},
    },
    ports,
  )
  ports.onStop(connection.stop)
  await connection.ended
}
