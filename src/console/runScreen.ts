import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { threadOf } from '../chat/thread.ts'
import { isErrno } from '../system/errno.ts'
import { onCrash, onTerminalGone } from '../system/terminalGone.ts'
import { openLive } from './live.ts'
import { inPopup } from './popup.ts'
import type { Ports } from './ports.ts'
import { copyInTmux, openTerminal } from './terminals.ts'
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
      screen = openScreen(
        {
          ...live,
          submit: async (line) => {
            const submitted = await live.submit(line)
            if (submitted.quit) resolve()
            return submitted
          },
          thread: (id) =>
            threadOf(id, ports).messages.map((message) => entryOfMessage(message, undefined, true)),
          terminal: async (name, look = false) => {
            const screen = await openTerminal(name, look, ports)
            // A popup would cover the terminal that it has just brought.
            if (screen === undefined && inPopup(ports)) resolve()
            return screen
          },
          copy: (text) => copyInTmux(text, ports),
          leave: resolve,
          fault: reject,
          style: styleFor(ports.env),
          now: ports.bus().clock.now,
        },
        addressee === undefined ? 'inbox' : 'line',
      )
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
