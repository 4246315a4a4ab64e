import { Editor, isKeyRelease, TUI } from '@earendil-works/pi-tui'
import { createThrottle } from '../../system/throttle.ts'
import { createBox } from './box.ts'
import type { ScreenPorts } from './desk.ts'
import { withoutControls } from './keys.ts'
import { RoomTerminal } from './terminal.ts'
import { createView } from './view.ts'

export type Screen = { changed: () => void; bell: () => void; close: () => Promise<void> }

/** Other changes are drawn no oftener than this, a key at once. In milliseconds. */
const CHANGES_MS = 80

/** Opens the room on the whole of this terminal, on its inbox or in the line that one writes in. */
export function openScreen(ports: ScreenPorts, mode: 'inbox' | 'line'): Screen {
  const terminal = new RoomTerminal()
  const tui = new TUI(terminal)
  const editor = new Editor(tui, THEME, { paddingX: 2 })
  const redraw = () => tui.requestRender()
  const copy = async (text: string) => {
    terminal.copy(text)
    await ports.copy(text)
  }
  const view = createView({ ...ports, copy }, createBox(editor), redraw, mode)
  tui.addChild({
    render: (width) => guarded(ports, () => view.draw(width, terminal.rows)) ?? [],
    invalidate: () => {},
  })
  tui.setFocus(editor)
  tui.addInputListener((data) => {
    if (isKeyRelease(data)) return undefined
    const clean = withoutControls(data)
    const consume = guarded(ports, () => view.key(data)) ?? true
    redraw()
    return consume || clean === '' ? { consume: true } : { data: clean }
  })
  editor.onSubmit = (line) => void view.submit(line).then(redraw, ports.fault)
  const drawing = createThrottle(redraw, CHANGES_MS, ports.fault)
  tui.start()
  return {
    changed: drawing.ask,
    bell: () => terminal.ring(),
    close: async () => {
      drawing.close()
      await terminal.drainInput(100, 20)
      tui.stop()
    },
  }
}

const plain = (text: string) => text
const THEME = {
  borderColor: plain,
  selectList: {
    selectedPrefix: plain,
    selectedText: plain,
    description: plain,
    scrollInfo: plain,
    noMatch: plain,
  },
}

/** What a call of the library's throws ends the room in order, and the terminal is put back. */
function guarded<T>({ fault }: Pick<ScreenPorts, 'fault'>, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    fault(error)
    return undefined
  }
}
