import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { inboxNames } from '../bus/mail/inboxes.ts'
import { isMessageFile } from '../message/id.ts'
import { visibleLine } from '../message/visible.ts'
import type { Check } from '../setup/check.ts'
import { entriesIn } from '../system/files.ts'

/**
 * Files among the messages that are none, such as the copies that sync tools leave beside a file.
 * No command reads them. Those in an inbox are moved to its `bad` folder when it is read.
 */
export function checkStrays({ home }: Bus): Check[] {
  const inboxes = inboxNames(home)
  const among = [
    home.messages,
    ...inboxes.flatMap((name) => [home.inbox(name), home.readDirectory(name)]),
  ]
  const strays = [
    ...among.flatMap((directory) =>
      filesIn(directory).filter((path) => !isMessageFile(nameOf(path))),
    ),
    ...inboxes.flatMap((name) => filesIn(home.badDirectory(name))),
  ]
  const [first] = strays
  if (first === undefined) return []
  const count =
    strays.length === 1 ? '1 file is no message' : `${strays.length} files are no messages`
  return [
    {
      name: 'strays',
      status: 'warning',
      detail: `${count}, and no command reads ${strays.length === 1 ? 'it' : 'them'}: ${visibleLine(first)}`,
      hint: 'look at it, then remove it; keep the data directory out of folders that a program syncs',
    },
  ]
}

/** The paths of plain files, without hidden ones: those are being written. */
function filesIn(directory: string): string[] {
  return entriesIn(directory)
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => join(directory, name))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
