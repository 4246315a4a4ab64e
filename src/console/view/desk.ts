import type { SelectList } from '@earendil-works/pi-tui'
import type { Entry } from '../../chat/live/entry.ts'
import type { Completable } from '../model/complete.ts'
import type { Filter } from '../model/filter.ts'
import type { Room } from '../model/room.ts'
import type { Tabs } from '../model/tab.ts'
import type { Box } from './box.ts'
import type { List } from './list.ts'
import type { Side } from './side.ts'
import type { Style } from './style.ts'

/** What the screen asks of the room. */
export type ScreenPorts = {
  room: () => Room
  /** The ids of messages to the human that have not been looked at. */
  unseen: () => readonly string[]
  known: () => Completable
  /**
   * A line was entered. Gives its exit code (not 0: the line is put back), where to read, and the
   * session whose terminal to open.
   */
  submit: (line: string) => Promise<{ exit: number; goTo?: number; open?: string }>
  looked: (ids: readonly string[]) => void
  /** A message with its thread, whole. Throws where there is none any more. */
  thread: (id: string) => Entry[]
  /**
   * Goes to a session's terminal. Where that cannot be, or with `look`, gives the lines of its
   * screen. Throws for a session that has none.
   */
  terminal: (name: string, look?: boolean) => Promise<string[] | undefined>
  copy: (text: string) => Promise<void>
  leave: () => void
  fault: (error: unknown) => void
  style: Style
  now: () => number
}

/** What the parts of the screen share: who gets the keys, and what is said above the input. */
export type Desk = {
  ports: ScreenPorts
  box: Box
  list: List
  side: Side
  mode: 'line' | 'room' | 'confirm' | 'choose'
  says: string
  filter: Filter
  tabs?: Tabs | undefined
  /** The line that waits for Enter, in `confirm`, and the key that asked for it. */
  waits?: { line: string; key: string }
  /** The list of filters, in `choose`. */
  choices?: SelectList
  redraw: () => void
}
