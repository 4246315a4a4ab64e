import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import { record } from '../../bus/history.ts'
import { ensureHome } from '../../bus/home.ts'
import { findPrunable, type Kept } from '../../bus/prune.ts'
import { removeThreads } from '../../bus/pruneApply.ts'
import { type Rotated, rotateHistory } from '../../bus/rotate.ts'
import { CodedError } from '../../errors.ts'
import { removeFile } from '../../system/files.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { parseAge } from '../argument.ts'
import { addCommand } from '../command.ts'
import { requireHuman } from '../human.ts'
import type { Ports } from '../ports.ts'
import { plural } from '../render/text.ts'

export type PruneOptions = { olderThan: number; dryRun?: boolean }

/** What was removed, or with `dry_run` would be: messages, their conversations, their bytes; and why how many conversations stay. */
export type Pruned = {
  dry_run: boolean
  messages: number
  threads: number
  bytes: number
  kept: Kept
  history: Rotated | null
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

export function pruneCommand(program: Command, ports: Ports, run = runPrune): void {
  addCommand(program, 'prune', 'remove old conversations that are over', 'agent-chat prune --older-than 90d --dry-run')
    .option(
      '--older-than <age>',
      'how old each message of a conversation must be, for example 12h, 8w (default: 30d)',
      parseAge,
    )
    .option('--dry-run', 'only say what would be removed')
    .action(async ({ olderThan = MONTH_MS, ...options }: Partial<PruneOptions> & { json?: boolean }) => {
      const pruned = await run({ ...options, olderThan }, ports)
      ports.print(options.json ? `${JSON.stringify(pruned)}\n` : render(pruned))
    })
}

/**
 * Removes conversations that are over and older than an age, and leaves out of the history what told of them; the history until now is kept beside
 * it. For the human alone: throws `GATE_REFUSED` in an agent's own turn.
 */
export async function runPrune(options: PruneOptions, ports: Pick<Ports, 'bus' | 'env'>): Promise<Pruned> {
  if (!options.dryRun) requireHuman('prune', ports)
  const bus = ports.bus()
  const before = bus.clock.now() - options.olderThan
  const release = options.dryRun ? () => {} : onlyOne(bus)
  try {
    return await prune(bus, options, before)
  } finally {
    release()
  }
}

/** Two at once would each replace the history with what the other does not know. */
function onlyOne(bus: Bus): () => void {
  ensureHome(bus.home)
  const lock = tryPidLock(bus.home.pruneLock, bus.processes)
  if (typeof lock === 'function') return lock
  throw new CodedError('LOCKED', `another prune is at work (process ${lock.pid})`, { hint: 'wait until it has ended' })
}

async function prune(bus: Bus, options: PruneOptions, before: number): Promise<Pruned> {
  const { prunable, kept } = findPrunable(bus, before)
  const ids = options.dryRun
    ? new Set(prunable.flatMap(({ messages }) => messages.map(({ id }) => id)))
    : removeThreads(bus, prunable)
  const gone = prunable.filter(({ messages }) => messages.every(({ id }) => ids.has(id)))
  const counts = {
    messages: ids.size,
    threads: gone.length,
    bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0),
  }
  // What was removed is not to be found any more, also not in the copy that searches read; the next search makes it anew.
  if (!options.dryRun) removeFile(bus.home.corpus)
  if (options.dryRun || ids.size === 0) return { dry_run: options.dryRun === true, ...counts, kept, history: null }
  const history = await rotateHistory(bus, (event) => !isAbout(event, ids))
  record(bus, 'pruned', { ...counts, older_than: new Date(before).toISOString() })
  return { dry_run: false, ...counts, kept, history: history ?? null }
}

/** What tells of removed messages alone goes with them. */
function isAbout(event: Record<string, unknown>, ids: ReadonlySet<string>): boolean {
  if (typeof event.id === 'string') return ids.has(event.id)
  return Array.isArray(event.ids) && event.ids.length > 0 && event.ids.every((id) => ids.has(String(id)))
}

const WHY: Record<keyof Kept, string> = {
  young: 'not old enough',
  unread: 'with unread messages',
  task: 'with an open task',
  question: 'with a question that nobody has answered',
  unreadable: 'that cannot be read',
}

function render({ dry_run, messages, threads, bytes, kept, history }: Pruned): string {
  const did = dry_run ? 'would remove' : 'removed'
  const lines = [
    `${did} ${plural(messages, 'message')} in ${plural(threads, 'conversation')}, ${Math.ceil(bytes / 1024)} KB`,
  ]
  for (const [why, count] of Object.entries(kept))
    if (count > 0) lines.push(`  kept ${count} ${WHY[why as keyof Kept]}`)
  if (history) lines.push(`  the history until now is kept as ${history.file}`)
  return `${lines.join('\n')}\n`
}
