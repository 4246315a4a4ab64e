import type { SelectList } from '@earendil-works/pi-tui'
import type { Entry } from '../../chat/live/entry.ts'
import type { Completable } from '../model/complete.ts'
import type { Filter } from '../model/filter.ts'
import type { InboxRow } from '../model/inbox.ts'
import type { Room } from '../model/room.ts'
import type { Tabs } from '../model/tab.ts'
import type { Box } from './box.ts'
import type { Inbox } from './inbox.ts'
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
   * A line was entered. Gives its exit code (not 0: the line is put back), where to read, the
   * session whose terminal to open, and whether the inbox is to be shown.
   */
  submit: (line: string) => Promise<{ exit: number; goTo?: number; open?: string; inbox?: true }>
  looked: (ids: readonly string[]) => void
  /** The human has pressed a key. */
  pressed: () => void
  /** Marks these messages to the human as read. */
  read: (ids: readonly string[]) => void
  /** The human has seen what happened while they were away. */
  awaySeen: () => void
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
  inbox: Inbox
  side: Side
  /** Who gets the keys; in `confirm` a question before an act, in `find` the filter of the inbox. */
  mode: 'inbox' | 'confirm' | 'find' | 'line' | 'room' | 'choose'
  says: string
  /** A line that was refused and put back: the next key takes it away. */
  refused?: string | undefined
  filter: Filter
  tabs?: Tabs | undefined
  /** The line that waits for Enter, in `confirm`, and the row that it answers. */
  waits?: { line: string; row: InboxRow }
  /** The list of filters, in `choose`. */
  choices?: SelectList
  redraw: () => void
}
