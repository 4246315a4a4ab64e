import type { Bus } from '../bus/bus.ts'
import { asOnlyReader } from '../bus/mail/reader.ts'
import { isBeingRenamed, nameAfter, readRenames } from '../bus/names/names.ts'

/**
 * Runs `read` as the one reader of the inbox that `owner` tells, or beside others where it marks
 * nothing (`peek`): so it reads also where no lock can be written. Whoever waited for a rename to
 * give the lock back reads under the new name. Throws `LOCKED`, as `asOnlyReader()`, and what
 * `owner` throws.
 */
export async function asReaderOf(
  bus: Bus,
  owner: () => Promise<string>,
  peek: boolean,
  read: (name: string) => void,
): Promise<void> {
  let name: string | undefined
  for (;;) {
    await settle(bus)
    const renames = readRenames(bus.home)
    name ??= await owner()
    const whose = name
    const readNow = () => {
      if (nameAfter(bus.home, renames, whose) !== whose || isBeingRenamed(bus.home, whose))
        return false
      read(whose)
      return true
    }
    if (peek ? readNow() : await asOnlyReader(bus, whose, readNow)) return
    name = nameAfter(bus.home, renames, whose)
  }
}

/** Finishes renames that were ended half-way: until then some of an inbox is under another name. */
async function settle(bus: Bus): Promise<void> {
  if (!isBeingRenamed(bus.home)) return
  const { settleRenames } = await import('../bus/names/rename.ts')
  await settleRenames(bus)
}
