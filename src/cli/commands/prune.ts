import type { Command } from 'commander'
import { type Pruned, prune } from '../../chat/prune.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import { parseAge } from '../options/argument.ts'
import type { Ports } from '../ports.ts'

type Flags = { olderThan?: number; dryRun?: boolean; json?: boolean }

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

export function pruneCommand(program: Command, ports: Ports): void {
  addCommand(program, 'prune', 'agent-chat prune --older-than 90d --dry-run')
    .option(
      '--older-than <age>',
      'only conversations whose messages are all older, for example 12h, 8w (default: 30d)',
      parseAge,
    )
    .option('--dry-run', 'only report what it would remove')
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
  const lines = [
    `${did} ${plural(messages, 'message')} in ${plural(threads, 'conversation')}, ${Math.ceil(bytes / 1024)} KB`,
  ]
  for (const [why, count] of Object.entries(kept))
    if (count > 0) lines.push(`  kept ${count} ${WHY[why as keyof Pruned['kept']]}`)
  if (history) lines.push(`  the history until now is kept as ${history.file}`)
  return `${lines.join('\n')}\n`
}
