import type { RoomNow } from '../feed/panel.ts'
import type { Engine } from './engine.ts'

export const VIEW = { plugin: 'agent-chat-room', key: 'view' } as const
export const ASKED = { plugin: 'agent-chat-room', key: 'asked' } as const

/** What is drawn: what the command line told last, and when (Unix time in milliseconds). */
export type View = RoomNow & { at: number; peer: string | null }

export async function viewOf($: Engine): Promise<View | undefined> {
  const { value } = await $.state.get(VIEW)
  return value as View | undefined
}

/** How long ago, for people: `now`, `3 min`, `2 h`, `4 d`. */
export function ago(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000)
  if (!(minutes >= 1)) return 'now'
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}

/** What terminals draw two cells wide: scripts of East Asia, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** How many cells a text takes at the most. */
export function cellsOf(text: string): number {
  let cells = 0
  for (const char of text) cells += WIDE.test(char) ? 2 : 1
  return cells
}

/** A text of so many cells at the most. */
export function cut(text: string, length: number): string {
  if (cellsOf(text) <= length) return text
  let kept = ''
  for (const char of text) {
    if (cellsOf(kept + char) >= length) break
    kept += char
  }
  return `${kept}…`
}

/** A text in lines of so many cells, broken between its words where that can be. */
export function wrapped(text: string, columns: number): string[] {
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => {
      const lines = ['']
      for (const piece of line.split(/(?<=\s)/).flatMap((word) => pieces(word, columns))) {
        const last = lines.at(-1) ?? ''
        if (cellsOf(`${last}${piece}`.trimEnd()) <= columns) lines[lines.length - 1] = last + piece
        else lines.push(piece)
      }
      return lines.map((one) => one.trimEnd())
    })
}

/** A word that is longer than a line, in pieces of a line. */
function pieces(word: string, columns: number): string[] {
  if (cellsOf(word.trimEnd()) <= columns) return [word]
  const all = ['']
  for (const char of word) {
    const last = all.at(-1) ?? ''
    if (cellsOf(last + char) <= columns) all[all.length - 1] = last + char
    else all.push(char)
  }
  return all
}

/** How many lines so many pieces take, by their widths. */
export function linesOf(widths: readonly number[], columns: number): number {
  let [lines, taken] = [0, columns]
  for (const width of widths) {
    if (taken + width > columns) [lines, taken] = [lines + 1, 0]
    taken += width
  }
  return lines
}
