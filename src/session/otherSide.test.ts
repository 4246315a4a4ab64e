import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startAgent } from '../testing/agent.ts'
import { tempBus } from '../testing/home.ts'
import { someMessage } from '../testing/message.ts'
import { lookAtOther, type OtherFacts, type OtherSide, otherSide } from './otherSide.ts'
import { noteReads } from './reads.ts'
import { claimRing, settleRing } from './rings.ts'
import { noteEvent } from './stateFile.ts'

const EARLY = '2026-11-21T03:39:10.000Z'
const LATE = '2026-11-21T03:39:20.000Z'

describe('how the other side stands to a question', () => {
  const TABLE: [what: string, facts: Partial<OtherFacts>, side: OtherSide][] = [
    ['not registered, or its agent has ended', { present: false }, 'gone'],
    ['its agent has said that it ends', { activity: 'gone' }, 'gone'],
    ['gone comes before an open dialog', { present: false, activity: 'asking' }, 'gone'],
    ['a dialog is open, the question not met', { activity: 'asking' }, 'asking'],
    ['a dialog is open, the question met', { activity: 'asking', met: EARLY }, 'asking'],
    [
      'idle since before it met the question',
      { activity: 'idle', since: EARLY, met: LATE },
      'waiting',
    ],
    ['idle from the very moment', { activity: 'idle', since: EARLY, met: EARLY }, 'waiting'],
    ['idle since after it met the question', { activity: 'idle', since: LATE, met: EARLY }, 'idle'],
    ['idle, and has not met the question', { activity: 'idle', since: LATE }, 'waiting'],
    ['at work with the question', { activity: 'busy', since: LATE, met: EARLY }, 'waiting'],
    ['at work without it', { activity: 'busy', since: EARLY }, 'waiting'],
    ['nothing tells what it does', {}, 'waiting'],
    ['nothing tells what it does, the question met', { met: EARLY }, 'waiting'],
  ]
  test.each(TABLE)('%s', (_, facts, side) => {
    expect(
      otherSide({ present: true, activity: 'unknown', since: undefined, met: undefined, ...facts }),
    ).toBe(side)
  })
})

describe('what the files tell of the other side', () => {
  const question = someMessage({ from: 'backend', to: 'frontend', kind: 'question' })

  /** A session `frontend` whose agent has told what it does. */
  function world() {
    const bus = tempBus(['backend', 'frontend'])
    const { ref, end } = startAgent(bus)
    const register = (agent: unknown) =>
      writeFileSync(bus.home.sessions, JSON.stringify({ frontend: { name: 'frontend', agent } }))
    register(ref)
    const tell = (kind: 'started' | 'prompted' | 'asked' | 'stopped', at = EARLY) =>
      noteEvent(bus, 'frontend', { kind, at, session_id: null, agent: ref })
    return { bus, ref, end, register, tell, look: () => lookAtOther(bus, question) }
  }

  test('its activity is believed while its agent runs', async () => {
    const { look, tell, end } = world()
    expect(look()).toEqual({ present: true, activity: 'unknown', since: undefined, met: undefined })
    tell('asked')
    expect(look()).toEqual({ present: true, activity: 'asking', since: EARLY, met: undefined })
    await end()
    expect(look()).toMatchObject({ present: false, activity: 'unknown' })
  })

  test('a session that is registered no more is not present; one of which no process is known is', () => {
    const { bus, look, register } = world()
    register(null)
    expect(look().present).toBe(true)
    writeFileSync(bus.home.sessions, '{}')
    expect(look().present).toBe(false)
  })

  test('it has met the question when a doorbell has told it', () => {
    const { bus, look } = world()
    writeFileSync(bus.home.unread('frontend', question.id), '')
    expect(claimRing(bus, 'frontend', 'native')).toEqual([question.id])
    expect(look().met).toBeUndefined()
    settleRing(bus, 'frontend', 'native', [question.id], true)
    expect(look().met).toMatch(/^20/)
  })

  test('it has met the question when it has read it, and not by reading another', () => {
    const { bus, look } = world()
    noteReads(bus, 'frontend', [
      { message: someMessage({ id: `${question.id}-2` }), approved: false },
    ])
    expect(look().met).toBeUndefined()
    noteReads(bus, 'frontend', [{ message: question, approved: false }])
    expect(look().met).toMatch(/^20/)
  })

  test('the human is always there, and does nothing that is known', () => {
    const { bus } = world()
    const toHuman = { ...question, to: 'human' }
    expect(lookAtOther(bus, toHuman)).toEqual({
      present: true,
      activity: 'unknown',
      since: undefined,
      met: undefined,
    })
    noteReads(bus, 'human', [{ message: toHuman, approved: false }])
    expect(lookAtOther(bus, toHuman).met).toMatch(/^20/)
  })
})
