import { expect } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { formatId } from '../../src/message/id.ts'
import { eventsOf, filesIn } from '../../src/testing/home.ts'
import { letter } from './stdio.ts'

/** So many messages of its own a hostile machine sends with each attack. */
const FLOOD = 50

/**
 * What machine c, a hostile one, says to b while a writes to it: a list of lines each. `id`: of a
 * message from a that is on its way, which c tries to take the place of and to speak for.
 */
export function attacks(id: string): string[][] {
  const say = (...frames: object[]) => frames.map((frame) => JSON.stringify(frame))
  const forged = letter('not from a', { id })
  return [
    ['hello', '{"f":"msg","n":1,"letter":{"id":7}}'],
    ['x'.repeat(5_000_000)],
    say(
      { f: 'msg', n: 1, letter: forged },
      { f: 'msg', n: 2, letter: { ...own('as c'), id: forged.id } },
      { f: 'msg', n: 3, letter: { id: '../../../../tmp/x', text: 'x' } },
      { f: 'msg', n: 4, letter: { ...own('cut'), text: '---\nfrom: backend' } },
      { f: 'msg', n: 5, letter: own('to a', 'frontend.a') },
      { f: 'rcpt', n: 6, receipts: [{ id: forged.id, stage: 'read' }] },
      { f: 'rcpt', n: 7, receipts: [{ id: '../x.b', stage: 'read' }] },
      { f: 'ans', n: 8, answer: { is: 'arrived' } },
    ),
    say(...Array.from({ length: FLOOD }, (_, n) => ({ f: 'msg', n, letter: own(`flood ${n}`) }))),
  ]
}

let count = 0

/** What c may send. */
function own(body: string, to = 'frontend.b') {
  count += 1
  const id = formatId(Date.now() * 1000 + count, 'backend')
  const { id: asA, text } = letter(body, { id, to })
  return { id: asA.replace(/\.a$/, '.c'), text: text.replaceAll('backend.a', 'backend.c') }
}

/** Nothing came to b in the name of a but what a sent; gives what became of c's. */
export function noteOf(b: Home, sent: readonly string[]): string {
  const came = eventsOf(b, 'sent').map(({ id }) => String(id))
  const known = new Set(sent.map((id) => `${id}.a`))
  expect(came.filter((id) => !known.has(id) && !id.endsWith('-from-backend.c'))).toEqual([])
  expect(eventsOf(b, 'read')).toEqual([])
  const kept = filesIn(b.peerBad('c')).length
  expect(kept).toBeGreaterThan(0)
  return `of c's, ${came.length - sent.length} came as its own, and ${kept} were kept apart`
}
