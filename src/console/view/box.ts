import { CURSOR_MARKER, type Editor } from '@earendil-works/pi-tui'

/** The box that one types in. */
export type Box = {
  text: () => string
  set: (text: string) => void
  /** Hands it a key, as if it had been pressed. */
  press: (data: string) => void
  /** What is before the cursor, in its line. */
  before: () => string
  /** Puts other text there, as if it had been typed: the box knows what to undo. */
  replaceBefore: (next: string) => void
  remember: (line: string) => void
  /** Its lines without borders; of a long draft, `max` lines around the cursor. */
  lines: (columns: number, max: number) => string[]
}

const BACKSPACE = '\u007f'

export function createBox(editor: Editor): Box {
  const before = () => {
    const { line, col } = editor.getCursor()
    return (editor.getLines()[line] ?? '').slice(0, col)
  }
  return {
    text: () => editor.getText(),
    set: (text) => editor.setText(text),
    press: (data) => editor.handleInput(data),
    before,
    replaceBefore: (next) => replaceBefore(editor, before(), next),
    remember: (line) => editor.addToHistory(line),
    lines: (columns, max) => inputLines(editor.render(columns), max),
  }
}

function inputLines(box: readonly string[], max: number): string[] {
  const lines = box.slice(1, -1).map((line, at) => (at === 0 ? line.replace(/^ {2}/, '› ') : line))
  const cursor = Math.max(
    0,
    lines.findIndex((line) => line.includes(CURSOR_MARKER)),
  )
  const start = Math.max(0, Math.min(cursor - max + 1, lines.length - max))
  return lines.slice(start, start + max)
}

function replaceBefore(editor: Editor, before: string, next: string): void {
  let same = 0
  while (same < before.length && before[same] === next[same]) same += 1
  for (const _ of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    before.slice(same),
  ))
    editor.handleInput(BACKSPACE)
  if (next.length > same) editor.insertTextAtCursor(next.slice(same))
}
