import { addToIndex, readIndex, strikeFromIndex } from '../../bus/index/indexFile.ts'
import { idOfFile, parseId } from '../../message/id.ts'
import { entriesIn, lookAt } from '../../system/files.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'
import type { Past } from './past.ts'

/**
 * Brings the lists of conversations and of tasks up to what was sent: a power cut may have taken
 * lines away, and a sender that failed may have left some. A directory of them that is not there is
 * made from the history when it is first needed.
 */
export async function sweepIndexes(sweep: Sweep, past: Past): Promise<void> {
  const { home } = sweep.bus
  if (lookAt(home.threads))
    for (const [root, ids] of threadsOf(sweep, past))
      await sweepIndex(sweep, home.thread(root), ids, past)
  const tasks = past.indexed.filter(({ kind }) => kind === 'task').map(({ id }) => id)
  if (lookAt(home.tasks)) await sweepIndex(sweep, home.allTasks, tasks, past)
}

/** Every conversation that has a list or ought to, with what ought to stand there. */
function threadsOf({ bus }: Sweep, past: Past): Map<string, string[]> {
  const listed = entriesIn(bus.home.threads).filter(
    ({ name }) => idOfFile(`${name}.md`) !== undefined,
  )
  const threads = new Map(listed.map(({ name }): [string, string[]] => [name, []]))
  for (const { id, thread } of past.indexed) {
    if (thread === id) continue
    const ids = threads.get(thread)
    if (ids) ids.push(id)
    else threads.set(thread, [id])
  }
  return threads
}

async function sweepIndex(
  sweep: Sweep,
  path: string,
  sent: readonly string[],
  past: Past,
): Promise<void> {
  const listed = new Set(readIndex(path))
  const missing = [...new Set(sent)].filter((id) => !listed.has(id)).sort()
  if (missing.length > 0)
    await note(sweep, 'unindexed', { paths: [path] }, () => addToIndex(path, missing))
  const strange = [...listed].filter((id) => wasNeverSent(sweep, id, past))
  if (strange.length === 0) return
  await note(sweep, 'never-sent', { paths: [path] }, () => {
    for (const id of strange) strikeFromIndex(path, id)
  })
}

/** Sent is what the history knows, or may still: a sender lists a message before it delivers it. */
function wasNeverSent({ bus }: Sweep, id: string, past: Past): boolean {
  if (past.sent.has(id) || lookAt(bus.home.message(id)) !== undefined) return false
  const micros = parseId(id)?.micros
  return (
    micros === undefined ||
    (past.covers(micros / 1000) && bus.clock.now() - micros / 1000 > GRACE_MS)
  )
}
