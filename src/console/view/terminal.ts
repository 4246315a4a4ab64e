import { ProcessTerminal } from '@earendil-works/pi-tui'

/**
 * The terminal, with a screen of the room's own: what stood on it before comes back when the room
 * is left. No line wraps by itself there (DECAWM), so that a sign which this terminal draws wider
 * than others cuts its line short, and moves no other. Clicks and the wheel are reported (1000), in
 * the form that knows wide screens (1006).
 */
const ENTER = '\u001b[?1049h\u001b[?7l\u001b[?1000h\u001b[?1006h'
const LEAVE = '\u001b[?1006l\u001b[?1000l\u001b[?7h\u001b[?1049l'
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

  /** Into the clipboard, where the terminal lets programs do that (OSC 52). */
  copy(text: string): void {
    this.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
  }

  ring(): void {
    this.write(BELL)
  }
}
