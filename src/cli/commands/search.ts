import type { Command } from 'commander'
import type { Hit } from '../../bus/search.ts'
import { tellUnknown } from '../../chat/recipient.ts'
import { foundJson, search } from '../../chat/search.ts'
import { KINDS } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { visibleLine } from '../../message/visible.ts'
import { localTime } from '../../system/zone.ts'
import { addCommand } from '../command.ts'
import { parseCount, parseDuration } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { excerpt, hasColour, painter } from '../render/paint.ts'

type Flags = {
  from?: string
  to?: string
  kind?: string
  since?: number
  limit: number
  json?: boolean
}

export function searchCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'search',
    'agent-chat search contract amount\nagent-chat search "GET /tasks?page=" --from @backend --since 2d',
  )
    .argument(
      '<words...>',
      'plain text; upper and lower case match; words in quotes match as a phrase',
    )
    .option('--from <name>', 'only messages from this session')
    .option('--to <name>', 'only messages to this session')
    .option('--since <age>', 'only messages of this age or newer: 30m, 12h, 2d, 4w', parseDuration)
    .addOption(program.createOption('--kind <kind>', 'only messages of this kind').choices(KINDS))
    .option('-n, --limit <count>', 'print at most this many', parseCount, 20)
    .action(async (words: string[], { since: ageMs, json, ...flags }: Flags) => {
      const result = search({ ...flags, words, ageMs }, ports)
      if (result.hits.length === 0) tellUnknown([flags.from, flags.to], ports)
      if (json) return ports.print(`${JSON.stringify(foundJson(result))}\n`)
      const colour = await hasColour(ports)
      const paint = await painter(ports)
      for (const hit of result.hits) ports.print(paint(renderHit(hit, words, colour)))
      ports.print(renderEnd(result.hits.length, result.more, words))
    })
}

function renderHit({ message, line }: Hit, words: string[], colour: boolean): string {
  const { id, from, to, kind, subject, timestamp } = message
  const text = excerpt(line.text, words, colour)
  const about =
    subject === undefined
      ? ''
      : `  ${line.number === 0 ? text : visibleLine(subject).slice(0, 160)}`
  const where = line.number === 0 ? '' : `    ${line.number}: ${text}\n`
  return `${shortId(id)}  ${localTime(timestamp)}  @${from} → @${to}  ${kind}${about}\n${where}`
}

function renderEnd(shown: number, more: boolean, words: string[]): string {
  if (shown === 0) return `no message holds ${words.length === 1 ? 'this' : 'all of these'}\n`
  return more ? `to see more: --limit ${shown * 2}\n` : ''
}
