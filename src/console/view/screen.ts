import { CURSOR_MARKER, Editor, isKeyRelease, TUI } from '@earendil-works/pi-tui'
import type { Completable } from '../model/complete.ts'
import type { Room } from '../model/room.ts'
import { pressTab, type Tabs } from '../model/tab.ts'
import { createThrottle } from '../throttle.ts'
import { frameOf } from './frame.ts'
import { type RoomKey, roomKey, withoutControls } from './keys.ts'
import { createPanes } from './pane.ts'
import type { Style } from './style.ts'
import { RoomTerminal } from './terminal.ts'

/** What the screen asks of the room. */
type ScreenPorts = {
  room: () => Room
  /** The ids of messages to the human that have not been looked at. */
  unseen: () => readonly string[]
  known: () => Completable
  /** A line was entered. Gives its exit code (not 0: the line is put back) and where to read. */
  submit: (line: string) => Promise<{ exit: number; goTo?: number }>
  looked: (ids: readonly string[]) => void
  leave: () => void
  fault: (error: unknown) => void
  style: Style
  now: () => number
}

export type Screen = { changed: () => void; bell: () => void; close: () => Promise<void> }

/** Other changes are drawn no oftener than this, a key at once. In milliseconds. */
const CHANGES_MS = 80

const LEAVING = 'press Ctrl-C again to leave; what you have typed stays'

/** Opens the room on the whole of this terminal. */
export function openScreen(ports: ScreenPorts): Screen {
  const terminal = new RoomTerminal()
  const tui = new TUI(terminal)
  const editor = new Editor(tui, THEME, { paddingX: 2 })
  const view = createView(ports, terminal, editor)
  tui.addChild({
    render: (width) => guarded(ports, () => view.draw(width)) ?? [],
    invalidate: () => {},
  })
  tui.setFocus(editor)
  tui.addInputListener((data) => {
    if (isKeyRelease(data)) return undefined
    const clean = withoutControls(data)
    const consume = guarded(ports, () => view.key(roomKey(data))) ?? true
    tui.requestRender()
    return consume || clean === '' ? { consume: true } : { data: clean }
  })
  editor.onSubmit = (line) => void view.submit(line).then(() => tui.requestRender(), ports.fault)
  const drawing = createThrottle(() => tui.requestRender(), CHANGES_MS, ports.fault)
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
function guarded<T>({ fault }: ScreenPorts, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    fault(error)
    return undefined
  }
}

/** What is only of this screen: how far up it is, what it says above the input, the last Tab. */
function createView(ports: ScreenPorts, terminal: RoomTerminal, editor: Editor) {
  const panes = createPanes(ports.style, ports.now)
  let [up, height, last] = [0, 0, 0]
  let says = ''
  let shown: readonly string[] = []
  let tabs: Tabs | undefined
  const numberOfLast = (room: Room) => room.forgotten + room.entries.length - 1

  const draw = (columns: number): string[] => {
    const room = ports.room()
    // Who reads further up is not to be moved by what comes.
    if (up > 0) up += panes.below(room, last, columns)
    last = numberOfLast(room)
    const rows = terminal.rows
    const input = inputLines(editor.render(columns), Math.max(1, Math.floor(rows / 2)))
    const scene = { room, columns, rows, up, input, says, unseen: ports.unseen() }
    const frame = frameOf(scene, panes, ports.style)
    up = frame.up
    height = frame.height
    shown = frame.ids
    return frame.lines
  }

  const tab = () => {
    const { line, col } = editor.getCursor()
    const before = (editor.getLines()[line] ?? '').slice(0, col)
    const pressed = pressTab(before, ports.known(), tabs)
    replaceBefore(editor, before, pressed.before)
    says = pressed.says
    tabs = pressed.tabs
  }

  const interrupt = () => {
    if (says === LEAVING) ports.leave()
    says = LEAVING
  }

  /** Whether the key was the room's own. */
  const key = (pressed: RoomKey | undefined): boolean => {
    ports.looked(shown)
    if (pressed !== 'interrupt' && pressed !== 'tab') says = ''
    if (pressed !== 'tab') tabs = undefined
    if (pressed === 'interrupt') interrupt()
    if (pressed === 'tab') tab()
    if (pressed === 'up') up += Math.max(1, height - 1)
    if (pressed === 'down') up = Math.max(0, up - Math.max(1, height - 1))
    if (pressed === 'redraw') up = 0
    if (pressed === 'end' && editor.getText() === '') ports.leave()
    return pressed !== undefined && (pressed !== 'end' || editor.getText() === '')
  }

  const submit = async (line: string) => {
    editor.addToHistory(line)
    up = 0
    const { exit, goTo } = await ports.submit(line)
    if (exit !== 0 && editor.getText() === '') editor.setText(line)
    if (goTo === undefined) return
    up = panes.upTo(ports.room(), goTo, { width: terminal.columns, height })
    // The way up counts the lines that have just come; the next drawing must not add them again.
    last = numberOfLast(ports.room())
  }

  return { draw, key, submit }
}

/** The box without its borders; of a long draft, `max` lines around the cursor. */
function inputLines(box: readonly string[], max: number): string[] {
  const lines = box.slice(1, -1).map((line, at) => (at === 0 ? line.replace(/^ {2}/, '› ') : line))
  const cursor = Math.max(
    0,
    lines.findIndex((line) => line.includes(CURSOR_MARKER)),
  )
  const start = Math.max(0, Math.min(cursor - max + 1, lines.length - max))
  return lines.slice(start, start + max)
}

/** Puts other text before the cursor, as if it had been typed: the box knows what to undo. */
function replaceBefore(editor: Editor, before: string, next: string): void {
  let same = 0
  while (same < before.length && before[same] === next[same]) same += 1
  for (const _ of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    before.slice(same),
  ))
    editor.handleInput('\u007f')
  if (next.length > same) editor.insertTextAtCursor(next.slice(same))
}
