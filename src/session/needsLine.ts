import { readFileSync, statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { unless } from '../system/errno.ts'
import { replaceFileSoon } from '../system/files.ts'
import { jsonOf } from '../system/json.ts'
import type { ProcessRef } from '../system/processes.ts'

/** A file that cannot be read, whatever the reason, says nothing. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO']

/**
 * Writes the line, and the process that keeps it, unless the file says so already. `bin/agent-chat`
 * reads this file, too: the text, the pid and the start of the process, and `list`, the keys of what
 * the line counts.
 */
export function noteLine(
  home: Pick<Home, 'needsLine'>,
  line: string,
  { pid, started }: ProcessRef,
  list: readonly string[] = [],
): void {
  const text = `${line}\n${pid}\n${started}\n${JSON.stringify(list)}\n`
  if (readText(home) === text) return
  // A home that was removed does not come back for that.
  unless(['ENOENT', 'ENOTDIR'], () => replaceFileSoon(home.needsLine, text))
}

/** Says nothing any more where `keeper` kept the line: what was on the list stays known. */
export function endLine(home: Pick<Home, 'needsLine'>, keeper: ProcessRef): void {
  const [, pid, started] = readText(home)?.split('\n') ?? []
  if (pid === String(keeper.pid) && started === keeper.started)
    noteLine(home, '', keeper, listNoted(home))
}

/** The keys that were noted last, whoever did; none where nobody has. */
export function listNoted(home: Pick<Home, 'needsLine'>): string[] {
  const list = jsonOf(readText(home)?.split('\n')[3] ?? '')
  return Array.isArray(list) ? list.filter((key) => typeof key === 'string') : []
}

/** The line, while the watcher that keeps it runs; else nothing, since it may be an old one. */
export function lineNow({ home, processes }: Pick<Bus, 'home' | 'processes'>): string {
  const [line = '', pid = '', started = ''] = readText(home)?.split('\n') ?? []
  return /^\d+$/.test(pid) && processes.isAlive({ pid: Number(pid), started }) ? line : ''
}

function readText({ needsLine }: Pick<Home, 'needsLine'>): string | undefined {
  return unless(UNREADABLE, () =>
    statSync(needsLine).isFile() ? readFileSync(needsLine, 'utf8') : undefined,
  )
}
