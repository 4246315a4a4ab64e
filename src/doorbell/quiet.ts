import type { AgentScreen } from '../agents/agent.ts'
import type { PaneLook } from './pane.ts'
import type { ScreenCapture } from './screen.ts'

type Look = Pick<PaneLook, 'capture' | 'title'>

/**
 * Whether an agent shows no sign of a turn under way. No hook tells that the user interrupted a
 * turn, so this is how an old `busy` is found out.
 */
export function looksQuiet(
  { capture, title }: Look,
  { titles, signs, turn }: AgentScreen,
): boolean {
  if (titles?.ready) return titles.ready.test(title)
  const known = signs ?? turn
  return known !== undefined && !known.test(textOf(capture))
}

/**
 * Whether the lines under an agent's input box, where nothing of a conversation stands, say that a
 * turn is under way.
 */
export function showsTurn({ capture }: Pick<Look, 'capture'>, { foot }: AgentScreen): boolean {
  const lines = textOf(capture).split('\n')
  const lowest = lines.filter((line) => line.trim() !== '').slice(-2)
  return foot !== undefined && lowest.some((line) => foot.test(line))
}

/** The screen without its colours. */
export function textOf({ text }: ScreenCapture): string {
  return text.replace(/\x1b\[[0-9;:]*m/g, '')
}
