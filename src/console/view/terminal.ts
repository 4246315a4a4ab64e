import { ProcessTerminal } from '@earendil-works/pi-tui'

/**
 * The terminal, with a screen of the room's own: what stood on it before comes back when the room
 * is left. No line wraps by itself there (DECAWM), so that a sign which this terminal draws wider
 * than others cuts its line short, and moves no other.
 */
const ENTER = '\u001b[?1049h\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?1049l'
/** With each resize the library clears what was scrolled away, which is the shell's here. */
const CLEAR_SCROLLED = '\u001b[3J'
const BELL = '\u0007'

export class RoomTerminal extends ProcessTerminal {
  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.write(ENTER)
    this.clearScreen()
    super.start(onInput, onResize)
  }

  override stop(): void {
    super.stop()
    this.write(LEAVE)
  }

  override write(data: string): void {
    super.write(data.replaceAll(CLEAR_SCROLLED, ''))
  }

  ring(): void {
    this.write(BELL)
  }
}
