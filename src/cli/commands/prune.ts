import type { Command } from 'commander'
import { type Pruned, prune } from '../../chat/prune.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import { parseDuration } from '../options/argument.ts'
import type { Ports } from '../ports.ts'

type Flags = { olderThan?: number; dryRun?: boolean; json?: boolean }

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

export function pruneCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'prune',
    'agent-chat prune --older-than 90d --dry-run\nagent-chat prune --older-than 90d',
  )
    .option(
      '--older-than <age>',
      'how old their newest message must be: 12h, 90d, 8w (default: 30d)',
      parseDuration,
    )
    .option('--dry-run', 'list what it would remove, and remove nothing')
    .action(async ({ olderThan = MONTH_MS, dryRun, json }: Flags) => {
      const pruned = await prune({ olderThanMs: olderThan, dryRun }, ports)
      ports.print(json ? `${JSON.stringify(pruned)}\n` : render(pruned))
    })
}

const WHY: Record<keyof Pruned['kept'], string> = {
  young: 'not old enough',
  unread: 'with unread messages',
  task: 'with an open task',
  question: 'with an open question',
  unreadable: 'that cannot be read',
}

function render({ dry_run, messages, threads, bytes, kept, history }: Pruned): string {
  const did = dry_run ? 'would remove' : 'removed'
  const what = `${plural(messages, 'message')} in ${plural(threads, 'conversation')}`
  const lines = [
    messages === 0 ? 'nothing to remove' : `${did} ${what}, ${Math.ceil(bytes / 1024)} KB`,
  ]
  for (const [why, count] of Object.entries(kept))
    if (count > 0)
      lines.push(`  kept: ${plural(count, 'conversation')} ${WHY[why as keyof Pruned['kept']]}`)
  if (history) lines.push(`  the old history is kept in ${history.file}`)
  return `${lines.join('\n')}\n`
}
