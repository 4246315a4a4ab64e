import { rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatId } from '../message/id.ts'
import type { ProcessRef } from '../system/processes.ts'
import { fixedClock } from '../testing/clock.ts'
import { filesIn, tempBus } from '../testing/home.ts'
import { claimRing, forgetRings, presentRings, settleRing, unclaimRing } from './rings.ts'
import { idsOf, type LastRing, type RingMark, readRings } from './ringsFile.ts'

/** What the file means, one mark an id, as simply as it can be said. */
function model() {
  let marks = new Map<string, RingMark>()
  let last: LastRing | undefined
  const dropRead = (unread: string[]) => {
    marks = new Map([...marks].filter(([id]) => unread.includes(id)))
  }
  return {
    marks: () => Object.fromEntries(marks),
    last: () => last,
    claim: (unread: string[], mark: RingMark, dead: ProcessRef) => {
      const ids = unread.filter(
        (id) => !marks.has(id) || marks.get(id)?.ringing?.started === dead.started,
      )
      if (ids.length > 0) dropRead(unread)
      for (const id of ids) marks.set(id, mark)
      return ids
    },
    settle: (unread: string[], by: string, at: string, ids: string[], presented: boolean) => {
      const before = ids.map((id) => marks.get(id))
      const after = before.map((mark) => {
        const got = mark?.presented ?? (presented ? at : undefined)
        return { by, at: mark?.at ?? at, ...(got === undefined ? {} : { presented: got }) }
      })
      ids.forEach((id, index) => void marks.set(id, after[index] as RingMark))
      if (before.includes(undefined)) dropRead(unread)
      const got = after.find((mark) => mark.presented !== undefined)?.presented
      const since = before.find((mark) => mark?.by === by)?.at ?? at
      if (ids.length > 0) last = { by, at: since, ...(got === undefined ? {} : { presented: got }) }
    },
    unclaim: (ids: string[]) => ids.forEach((id) => void marks.delete(id)),
    present: (by: string, at: string) => {
      const isNews = (mark?: LastRing) => mark?.by === by && mark.presented === undefined
      const news = [...marks.keys()].filter((id) => isNews(marks.get(id)))
      for (const id of news) marks.set(id, { by, at: marks.get(id)?.at ?? '', presented: at })
      if (last && isNews(last)) last = { ...last, presented: at }
      return news
    },
    forget: () => {
      marks.clear()
      last = undefined
    },
  }
}

describe('groups of marks', () => {
  const by = fc.constantFrom('tmux', 'native', 'prompt')
  const some = fc.array(fc.nat(11), { maxLength: 4 })
  const step = fc.oneof(
    fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ do: fc.constant('read' as const), some }),
    fc.record({ do: fc.constant('claim' as const), by, dies: fc.boolean() }),
    fc.record({ do: fc.constant('settle' as const), by, some, presented: fc.boolean() }),
    fc.record({ do: fc.constant('unclaim' as const), some }),
    fc.record({ do: fc.constant('present' as const), by }),
    fc.record({ do: fc.constant('forget' as const) }),
  )

  test('are the same as a mark for each message, whatever is done in whatever order', () => {
    const clock = fixedClock('2026-11-21T03:39:12.123Z')
    const here = tempBus(['frontend'], clock)
    const dead = { pid: 99_999_999, started: 'dead' }
    const killed = { ...here, processes: { ...here.processes, self: () => dead } }
    const inbox = here.home.inbox('frontend')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        forgetRings(here, 'frontend')
        for (const file of filesIn(inbox)) rmSync(`${inbox}/${file}`)
        const plain = model()
        let sent: string[] = []
        let unread: string[] = []
        for (const one of steps) {
          clock.set(clock.now() + 1000)
          const at = new Date(clock.now()).toISOString()
          const ids =
            'some' in one ? [...new Set(one.some.flatMap((index) => sent[index] ?? []))].sort() : []
          if (one.do === 'send') {
            const fresh = Array.from({ length: one.count }, () =>
              formatId(clock.micros(), 'backend'),
            )
            for (const id of fresh) writeFileSync(`${inbox}/${id}.md`, '')
            sent = [...sent, ...fresh]
            unread = [...unread, ...fresh]
          } else if (one.do === 'read') {
            for (const id of ids) rmSync(`${inbox}/${id}.md`, { force: true })
            unread = unread.filter((id) => !ids.includes(id))
          } else if (one.do === 'claim') {
            const ringing = one.dies ? dead : here.processes.self()
            const claimed = claimRing(one.dies ? killed : here, 'frontend', one.by)
            expect(claimed).toEqual(plain.claim(unread, { by: one.by, at, ringing }, dead))
          } else if (one.do === 'settle') {
            settleRing(here, 'frontend', one.by, ids, one.presented)
            plain.settle(unread, one.by, at, ids, one.presented)
          } else if (one.do === 'unclaim') {
            unclaimRing(here, 'frontend', ids)
            plain.unclaim(ids)
          } else if (one.do === 'present') {
            expect(presentRings(here, 'frontend', one.by).sort()).toEqual(
              plain.present(one.by, at).sort(),
            )
          } else {
            forgetRings(here, 'frontend')
            plain.forget()
          }
          const { groups, last } = readRings(here.home, 'frontend')
          const marks = groups.flatMap((group) => idsOf(group).map((id) => [id, group.mark]))
          expect({ marks: Object.fromEntries(marks), count: marks.length, last }).toEqual({
            marks: plain.marks(),
            count: Object.keys(plain.marks()).length,
            last: plain.last(),
          })
        }
      }),
      { numRuns: 200 },
    )
  })
})
