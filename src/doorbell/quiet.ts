import type { ScreenCapture } from './screen.ts'

/**
 * Whether the screen shows no sign of a turn under way: Claude Code's `esc to interrupt`, or its
 * spinner with a word and an ellipsis (`✶ Pouncing…`). No hook tells that the user interrupted a
 * turn, so this is how an old `busy` is found out.
 */
export function looksQuiet(capture: ScreenCapture): boolean {
  const text = textOf(capture)
  return !/esc to interrupt/i.test(text) && !/^\s*\S \p{L}[\p{L} '-]*…/mu.test(text)
}

/**
 * Whether the lines under Claude Code's input box, where nothing of a conversation stands, say that
 * a turn is under way.
 */
export function showsTurn(capture: ScreenCapture): boolean {
  const lines = textOf(capture).split('\n')
  const foot = lines.filter((line) => line.trim() !== '').slice(-2)
  return foot.some((line) => /\besc to interrupt\b/.test(line))
}

/** The screen without its colours. */
export function textOf({ text }: ScreenCapture): string {
  return text.replace(/\x1b\[[0-9;:]*m/g, '')
}
