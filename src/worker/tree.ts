import type { Processes, ProcessRef } from '../system/processes.ts'

/**
 * A process and all below it, as they are now. Read before a kill: whose parent is gone is found by
 * nobody, and the tools of a client live in sessions of their own.
 */
export function treeOf(processes: Processes, root: ProcessRef): ProcessRef[] {
  return processes.isAlive(root) ? withChildren(processes, [root]) : []
}

/** Kills a process and all below it, also what they start meanwhile, and waits until all is gone. */
export async function killTree(processes: Processes, root: ProcessRef): Promise<void> {
  let tree = treeOf(processes, root)
  while (tree.length > 0) {
    for (const ref of tree) processes.signal(ref, 'SIGKILL')
    // What was started between the look and the kill has a parent that is known.
    const found = withChildren(processes, tree)
    tree = found.filter((ref) => processes.isAlive(ref))
    if (tree.length > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

const LOOK_MS = 10

function withChildren(processes: Processes, known: ProcessRef[]): ProcessRef[] {
  const found = new Map(known.map((ref) => [ref.pid, ref]))
  const all = processes.all()
  for (let grown = true; grown; ) {
    grown = false
    for (const { pid, started, parent } of all)
      if (found.has(parent) && !found.has(pid)) {
        found.set(pid, { pid, started })
        grown = true
      }
  }
  return [...found.values()]
}
