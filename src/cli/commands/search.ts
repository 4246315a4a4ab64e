import type { Command } from 'commander'
import { nameNow } from '../../bus/names.ts'
import { type Found, type Hit, searchMessages } from '../../bus/search.ts'
import { CodedError } from '../../errors.ts'
import { headerFields, KINDS } from '../../message/message.ts'
import { parseName } from '../../message/name.ts'
import { visibleLine } from '../../message/visible.ts'
import { parseAge } from '../argument.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { excerpt } from '../render/mark.ts'
import { localTime } from '../render/time.ts'
import { parseCount } from './inbox.ts'

/** `since` is an age in milliseconds. */
export type SearchOptions = {
  words: string[]
  from?: string
  to?: string
  kind?: string
  since?: number
  limit: number
}

type SearchPorts = Pick<Ports, 'bus' | 'say'>

const DEFAULT_LIMIT = 20

/** From how many messages on it is said that they have to be read first, which then takes a tenth of a second. */
const MANY = 5000

export function searchCommand(program: Command, ports: Ports, run = runSearch): void {
  addCommand(
    program,
    'search',
    'the messages that hold all of these words, newest first, with the matching line',
    'agent-chat search contract amount\nagent-chat search "GET /tasks?page=" --from @backend --since 2d',
  )
    .argument('<words...>', 'plain text, in any case; several words in quotes stand together')
    .option('--from <name>', 'only messages from this session')
    .option('--to <name>', 'only messages to this session')
    .option('--since <age>', 'only messages that are no older: 30m, 12h, 2d, 4w', parseAge)
    .addOption(program.createOption('--kind <kind>', 'only messages of this kind').choices(KINDS))
    .option('--limit <count>', 'how many at most', parseCount, DEFAULT_LIMIT)
    .action(async (words: string[], options: Omit<SearchOptions, 'words'> & { json?: boolean }) => {
      const { hits, found } = run({ ...options, words }, ports)
      if (options.json) return ports.print(`${JSON.stringify({ messages: hits.map(hitJson), found })}\n`)
      const colour = !ports.env.NO_COLOR && (await ports.isTerminal('stdout'))
      for (const hit of hits) ports.print(renderHit(hit, words, colour))
      ports.print(renderEnd(hits.length, found, words))
    })
}

/** Searches every message; the subject counts as line 0 of the body. Throws `USAGE` where there is nothing to search for. */
export function runSearch(options: SearchOptions, ports: SearchPorts): Found {
  const words = options.words.map((word) => word.trim())
  if (words.includes('')) {
    throw new CodedError('USAGE', 'there is nothing to search for in an empty word', {
      hint: 'agent-chat search contract "several words that stand together"',
    })
  }
  const { from, to, kind, since, limit } = options
  const bus = ports.bus()
  const search = {
    words,
    ...(from === undefined ? {} : { from: nameNow(bus.home, parseName(from)) }),
    ...(to === undefined ? {} : { to: nameNow(bus.home, parseName(to)) }),
    ...(kind === undefined ? {} : { kind }),
    ...(since === undefined ? {} : { since: bus.clock.now() - since }),
  }
  const found = searchMessages(bus, search, limit, (count) => {
    if (count >= MANY) ports.say(`agent-chat: reading ${count} messages that no search has seen yet`)
  })
  if (found.unkept !== undefined)
    ports.say(`agent-chat: what was read could not be kept for the next search (${found.unkept}), which is as slow`)
  return found
}

function hitJson({ message, line }: Hit): Record<string, unknown> {
  return { ...headerFields(message), line }
}

function renderHit({ message, line }: Hit, words: string[], colour: boolean): string {
  const { id, from, to, kind, subject, timestamp } = message
  const text = excerpt(line.text, words, colour)
  const about = subject === undefined ? '' : `  ${line.number === 0 ? text : visibleLine(subject).slice(0, 160)}`
  const where = line.number === 0 ? '' : `    ${line.number}: ${text}\n`
  return `${localTime(timestamp)}  @${from} → @${to}  ${kind}${about}\n${where}    ${id}\n`
}

function renderEnd(shown: number, found: number, words: string[]): string {
  if (found === 0) return `no message holds ${words.length === 1 ? 'this' : 'all of these'}\n`
  return found > shown ? `${found - shown} more: --limit ${found}\n` : ''
}
