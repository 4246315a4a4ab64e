import { basename } from 'node:path'
import { clipped, grouped, plural } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { type ShortDiff, shortDiff } from './diff.ts'
import { type Content, isSame, type Snapshot } from './snapshot.ts'

/** What a note about a watched file says. */
export type Note = { subject: string; body: string }

/** The note about a file that was so and is so now, or undefined where it is the same. */
export function noteOf(path: string, before: Snapshot, after: Snapshot): Note | undefined {
  if (isSame(before, after)) return undefined
  const { event, detail } = changeOf(before, after)
  const subject = clipped(`${visibleLine(basename(path))} ${event}`, 190)
  return { subject, body: `The watched file ${visibleLine(path)} ${event}${detail}` }
}

type Change = { event: string; detail: string }

function changeOf(before: Snapshot, after: Snapshot): Change {
  if (after.what === 'missing') return { event: 'was deleted', detail: '.' }
  if (after.what === 'unreadable') return { event: 'cannot be read now', detail: `: ${after.why}.` }
  if ('bytes' in before) return { event: 'has changed', detail: contentChange(before, after) }
  const event = before.what === 'missing' ? 'is back' : 'can be read again'
  if (before.before === undefined) return { event, detail: '.' }
  return {
    event,
    detail: isSame(before.before, after) ? ', as it was.' : contentChange(before.before, after),
  }
}

function contentChange(before: Content, after: Content): string {
  if (after.what !== 'text') {
    return ` (${after.what}: ${grouped(after.bytes)} bytes, ${grouped(before.bytes)} before; no diff).`
  }
  if (before.what !== 'text') return ` (text now, ${grouped(after.bytes)} bytes).`
  return diffText(shortDiff(before.text, after.text))
}

function diffText(diff: ShortDiff | undefined): string {
  if (diff === undefined) return ' (too much for a diff).'
  const { lines, more, added, removed } = diff
  const fence = fenceFor(lines)
  const rest = more === 0 ? '' : `\n… ${plural(more, 'more line')} of the diff`
  return `: ${plural(added, 'line')} added, ${removed} removed.\n\n${fence}diff\n${lines.join('\n')}\n${fence}${rest}`
}

/** Backticks enough that no line of the diff can end the block. */
function fenceFor(lines: string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
}
