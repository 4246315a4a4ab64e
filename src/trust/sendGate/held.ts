import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus } from '../../bus/bus.ts'
import { record } from '../../bus/history.ts'
import type { Home } from '../../bus/home.ts'
import { ring } from '../../bus/mail/bell.ts'
import { markedNames, marksOf, putMark } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN, PROGRAM } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { isoTime } from '../../message/time.ts'
import { isErrno, unless } from '../../system/errno.ts'
import { makeDirectory, replaceFileSoon } from '../../system/files.ts'

/** A message that is held: over a cap, kept, and not rung. */
export type Held = { id: string; to: string; chain: string; why: string; at: string }

/** Records that a message is held. The first time on its chain, writes to the human: gives that. */
export function tellHeld(bus: Bus, message: Message, why: string): Message | undefined {
  record(bus, 'held', {
    id: message.id,
    from: message.from,
    to: message.to,
    chain: message.chain,
    why,
  })
  if (!firstTime(bus, message.chain)) return undefined
  return sendMessage(bus, {
    from: PROGRAM,
    to: HUMAN,
    kind: 'note',
    subject: `@${message.from} to @${message.to} is held`,
    extra: { held_by: message.to, held_chain: shortId(message.chain) },
    body: [
      `A message from @${message.from} to @${message.to} is kept but not delivered: ${why}.`,
      `Read it with \`agent-chat show ${shortId(message.id)}\`. Release its chain with \`agent-chat release ${shortId(message.chain)}\`.`,
    ].join('\n\n'),
  }).message
}

/** Every message that is held now. */
export function allHeld(bus: Bus): Held[] {
  return markedNames(bus.home).flatMap((to) => {
    const unread = new Set(unreadIds(bus.home, to))
    const marks = Object.entries(marksOf(bus.home, to)).filter(
      ([id, mark]) => mark.ring === 'held' && unread.has(id),
    )
    return marks.map(([id, { chain, why, at }]) => ({ id, to, chain, why, at }))
  })
}

/** Lets held messages ring; they count as spoken by the human from now on. */
export function release(bus: Bus, held: Held[]): void {
  const at = isoTime(bus.clock.now())
  for (const { id, to, chain, why } of held) {
    putMark(bus.home, to, id, { ring: 'resumed', why, chain, at })
    rmSync(join(bus.home.toldChains, chain), { force: true })
    noteReleased(bus, chain, at)
    record(bus, 'resumed', { id, to, chain })
  }
  for (const to of new Set(held.map((one) => one.to))) ring(bus, to)
}

/** What was read on a chain before the human let it go on counts no more. */
function noteReleased({ home }: Bus, chain: string, at: string): void {
  makeDirectory(home.toldChains)
  replaceFileSoon(home.releasedChain(chain), `${at}\n`)
}

/** When the human last let a chain go on, in milliseconds since 1970; 0 where they never did. */
export function releasedAt(home: Pick<Home, 'releasedChain'>, chain: string): number {
  const at = unless(['ENOENT'], () => readFileSync(home.releasedChain(chain), 'utf8'))
  return Date.parse(at?.trim() ?? '') || 0
}

/** Whether nobody has told of this chain yet: the process that makes its file does. */
function firstTime(bus: Bus, chain: string): boolean {
  makeDirectory(bus.home.toldChains)
  try {
    writeFileSync(join(bus.home.toldChains, chain), '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}
