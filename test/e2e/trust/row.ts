import type { Whose } from '../../origins/recording.ts'
import type { Before, Outcome, Stage } from './stage.ts'

export const SIZES = [100, 70_000, 1_000_000]

/** Someone who speaks to an agent, and how. */
export interface Row {
  name: string
  /** Whose the prompt is that begins the judged turn, or joins it. */
  whose: Whose
  /** The bytes that are added to the words; 0 alone by default. */
  sizes?: readonly number[]
  /** The turns before that it is played after: `open` and `closed` by default. */
  after?: readonly Before[]
  /** It joins a turn that is under way, which is open or closed. */
  inside?: true
  /** Without a screen there is no panel. */
  noScreen?: true
  play(stage: Stage): Promise<Outcome>
}
