import { isErrno } from '../system/errno.ts'
import { onCrash, onTerminalGone } from '../system/terminalGone.ts'
import { openLive } from './live.ts'
import type { Ports } from './ports.ts'
import { openScreen, type Screen } from './view/screen.ts'
import { styleFor } from './view/style.ts'

/** The room on the whole screen. `bell`: whether a message for the human rings. */
export async function runScreen(
  addressee: string | undefined,
  bell: boolean,
  ports: Ports,
): Promise<void> {
  let screen: Screen | undefined
  let open = false
  const live = openLive(ports, addressee, {
    changed: () => screen?.changed(),
    added: () => {},
    // What was there before the room was opened is no arrival.
    bell: () => {
      if (open && bell) screen?.bell()
    },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      ports.onStop(() => resolve())
      onTerminalGone(resolve)
      onCrash(reject)
      screen = openScreen({
        ...live,
        submit: async (line) => {
          const submitted = await live.submit(line)
          if (submitted.quit) resolve()
          return submitted
        },
        leave: resolve,
        fault: reject,
        style: styleFor(ports.env),
        now: ports.bus().clock.now,
      })
      open = true
    })
  } finally {
    await Promise.all([live.close(), closed(screen)])
  }
}

/** A terminal that is gone cannot be put back as it was. */
async function closed(screen: Screen | undefined): Promise<void> {
  try {
    await screen?.close()
  } catch (error) {
    if (!isErrno(error, 'EIO', 'EBADF', 'ENXIO', 'EPIPE')) throw error
  }
}
