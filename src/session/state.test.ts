import { describe, expect, test } from 'vitest'
import {
  type Activity,
  finishedAt,
  nextState,
  type SessionState,
  type StateEvent,
  withFailure,
  withQuestion,
} from './state.ts'

const AGENT = { pid: 7, started: 'then' }
const BEFORE = '2026-11-21T03:39:12.123Z'
const NOW = '2026-11-21T03:40:00.000Z'
const KNOWN: SessionState = {
  activity: 'idle',
  since: BEFORE,
  session_id: 'one',
  agent: AGENT,
  native: true,
  vim: true,
  gate: 'warn',
}

const event = (kind: StateEvent['kind'], fields: Partial<StateEvent> = {}): StateEvent => ({
  kind,
  at: NOW,
  session_id: 'one',
  agent: AGENT,
  ...fields,
})

/** What holds after an event, from nothing known and from each activity. */
const TABLE: Record<StateEvent['kind'], Record<'nothing' | Activity, Activity | 'nothing'>> = {
  started: { nothing: 'idle', idle: 'idle', busy: 'idle', asking: 'idle', gone: 'idle' },
  joined: { nothing: 'busy', idle: 'idle', busy: 'busy', asking: 'asking', gone: 'gone' },
  compacted: { nothing: 'idle', idle: 'idle', busy: 'busy', asking: 'asking', gone: 'gone' },
  prompted: { nothing: 'busy', idle: 'busy', busy: 'busy', asking: 'busy', gone: 'busy' },
  asked: { nothing: 'asking', idle: 'asking', busy: 'asking', asking: 'asking', gone: 'asking' },
  rested: { nothing: 'idle', idle: 'idle', busy: 'idle', asking: 'idle', gone: 'idle' },
  worked: { nothing: 'nothing', idle: 'idle', busy: 'busy', asking: 'busy', gone: 'gone' },
  stopped: { nothing: 'idle', idle: 'idle', busy: 'idle', asking: 'idle', gone: 'idle' },
  ended: { nothing: 'gone', idle: 'gone', busy: 'gone', asking: 'gone', gone: 'gone' },
}
const KINDS = Object.keys(TABLE) as StateEvent['kind'][]
const ROWS = KINDS.flatMap((kind) =>
  (Object.keys(TABLE[kind]) as ('nothing' | Activity)[]).map(
    (now) => [kind, now, TABLE[kind][now]] as const,
  ),
)

const stateOf = (now: 'nothing' | Activity) =>
  now === 'nothing' ? undefined : { ...KNOWN, activity: now }
const holds = (state: SessionState | undefined, what: StateEvent) => nextState(state, what) ?? state

describe('the state after an event', () => {
  test.each(ROWS)('%s, when it was %s: %s', (kind, now, then) => {
    expect(holds(stateOf(now), event(kind))?.activity ?? 'nothing').toBe(then)
  })

  test.each(KINDS)('%s of another agent counts as the first that is heard', (kind) => {
    const other = { pid: 8, started: 'later' }
    const reused = { pid: 7, started: 'later' }
    for (const agent of [other, reused]) {
      const next = nextState({ ...KNOWN, activity: 'asking' }, event(kind, { agent }))
      const then = TABLE[kind].nothing
      if (then === 'nothing') expect(next).toBeUndefined()
      else expect(next).toMatchObject({ activity: then, agent })
    }
  })
})

describe('a state', () => {
  test('keeps since when the activity has held, unless the session has started anew', () => {
    const busy = { ...KNOWN, activity: 'busy' as const }
    expect(holds(busy, event('prompted', { session_id: 'two' }))?.since).toBe(BEFORE)
    expect(holds(busy, event('asked'))?.since).toBe(NOW)
    expect(holds(KNOWN, event('started'))?.since).toBe(NOW)
  })

  test('that an event would leave as it is, is not written again', () => {
    expect(nextState(KNOWN, event('stopped'))).toBeUndefined()
    const { activity: _, since, ...rest } = KNOWN
    const busy: SessionState = { activity: 'busy', since, begun: BEFORE, ...rest }
    expect(nextState(busy, event('prompted'))).toBeUndefined()
    expect(nextState(busy, event('worked'))).toBeUndefined()
  })

  test('knows when its turn began, through its dialogs and until its end', () => {
    const LATER = '2026-11-21T03:41:00.000Z'
    const busy = nextState(KNOWN, event('prompted'))
    const asking = nextState(busy, event('asked', { at: LATER }))
    expect(asking).toMatchObject({ begun: NOW, since: LATER })
    expect(nextState(asking, event('worked', { at: LATER }))).toMatchObject({ begun: NOW })
    expect(nextState(asking, event('stopped', { at: LATER }))).not.toHaveProperty('begun')
    // Version 1.0.0 and earlier noted no such time.
    const former: SessionState = { ...KNOWN, activity: 'busy' }
    expect(nextState(former, event('asked'))).toMatchObject({ begun: BEFORE, since: NOW })
  })

  test('knows the records of the last conversations, the newest first, whoever has them', () => {
    const told = (state: SessionState | undefined, transcript?: string) =>
      nextState(state, event('started', { transcript, agent: { pid: 9, started: 'new' } })) ?? state
    const two = told(told(KNOWN, '/one'), '/two')
    expect(two?.transcripts).toEqual(['/two', '/one'])
    expect(told(two)?.transcripts).toEqual(['/two', '/one'])
    expect(told(two, `/${'x'.repeat(5000)}`)?.transcripts).toEqual(['/two', '/one'])
    expect(told(two, '/one')?.transcripts).toEqual(['/one', '/two'])
    const many = Array.from({ length: 20 }, (_, at) => `/${at}`)
    const all = many.reduce<SessionState | undefined>(told, KNOWN)
    expect(all?.transcripts).toEqual(many.slice(-8).reverse())
    const same = event('started', {
      transcript: '/19',
      agent: all?.agent ?? null,
      at: all?.since ?? '',
    })
    expect(nextState(all, same)).toBeUndefined()
  })

  test('keeps what an event does not tell', () => {
    const silent = event('prompted', { session_id: null })
    expect(nextState(KNOWN, silent)).toMatchObject({
      session_id: 'one',
      native: true,
      vim: true,
      gate: 'warn',
    })
    const told = event('started', { session_id: 'two', native: false, vim: false, gate: 'off' })
    expect(nextState(KNOWN, told)).toMatchObject({
      session_id: 'two',
      native: false,
      vim: false,
      gate: 'off',
    })
    expect(nextState(undefined, event('started'))).toMatchObject({
      native: false,
      vim: false,
      gate: 'enforce',
    })
  })
})

/** What hooks tell of a session, one after the other, a second apart. */
type Step = StateEvent['kind'] | 'well' | 'failed' | 'question' | 'cleared'

describe('a session has finished', () => {
  test.each<[has: boolean, steps: Step[]]>([
    [false, ['started']],
    [false, ['started', 'prompted']],
    [true, ['started', 'prompted', 'well']],
    [true, ['started', 'prompted', 'worked', 'well', 'rested']],
    // A hook that runs beside the agent.
    [true, ['started', 'prompted', 'rested', 'well', 'worked']],
    [true, ['started', 'prompted', 'well', 'compacted', 'joined']],
    [false, ['started', 'prompted', 'well', 'prompted']],
    [false, ['started', 'prompted', 'well', 'asked']],
    [false, ['started', 'prompted', 'well', 'ended']],
    // Somebody pressed Escape.
    [false, ['started', 'prompted', 'well', 'prompted', 'rested']],
    [false, ['started', 'prompted', 'question']],
    [false, ['started', 'prompted', 'failed']],
    [false, ['started', 'prompted', 'well', 'prompted', 'failed']],
    [true, ['started', 'prompted', 'failed', 'prompted', 'well']],
    [false, ['started', 'prompted', 'well', 'ended', 'cleared']],
  ])('%s: %j', (has, steps) => {
    let state: SessionState | undefined
    let ended: string | undefined
    steps.forEach((step, second) => {
      const at = new Date(Date.parse(NOW) + second * 1000).toISOString()
      const isEnd = step === 'well' || step === 'failed' || step === 'question'
      const kind = isEnd ? 'stopped' : step === 'cleared' ? 'started' : step
      const session_id = step === 'cleared' ? 'two' : 'one'
      state = nextState(state, event(kind, { at, session_id })) ?? state
      if (!isEnd || !state) return
      state = withFailure(state, step === 'failed' ? '529 Overloaded' : undefined, at)
      state = withQuestion(state, step === 'question' ? 'Shall I?' : undefined, at)
      ended = at
    })
    expect(state && finishedAt(state)).toBe(has ? ended : undefined)
  })

  test('in a state of an earlier version nothing tells', () => {
    expect(finishedAt(KNOWN)).toBeUndefined()
    expect(finishedAt({ ...KNOWN, well: 'soon' })).toBeUndefined()
  })
})
