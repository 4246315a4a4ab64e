import { appendFileSync, copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { noteRoom } from '../session/room.ts'
import { type SessionState, withQuestion } from '../session/state.ts'
import { changeState, readState } from '../session/stateFile.ts'
import type { Turn } from '../session/turn.ts'
import { promptKey } from '../session/witness.ts'
import { noteWord } from '../session/words.ts'
import { recorded, wrapped } from '../testing/agent.ts'
import { register, tempBus, tempDirectory } from '../testing/home.ts'
import { changeLedger, readLedger } from '../trust/sendGate/ledger.ts'
import { stop } from './events/activity.ts'
import { userPromptSubmit } from './events/prompt.ts'
import { preToolUse } from './events/tool.ts'
import type { HookPorts } from './ports.ts'

const THEN = '2026-11-21T03:39:12.123Z'
const RING = 'New message from @human. Check inbox.'
const task = (call: string) =>
  `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>${call}</tool-use-id>\n<status>completed</status>\n</task-notification>`
const fresh: Turn = {
  ...{ id: 'p0', began: 'human', at: THEN, opened: null, chain: 'c', work: 0, asked: [] },
  checked: 'p0',
}
const TURNS: Record<'open' | 'closed' | 'none', Turn | undefined> = {
  open: fresh,
  closed: { ...fresh, began: 'doorbell', chain: null, granted: ['commands', 'edits'] },
  none: undefined,
}

/** A client whose hooks run here, with a record of its own; `room`: whether the panel runs in it. */
function clientWith(turn: Turn | undefined, room = false) {
  const bus = tempBus(['frontend'])
  const agent = bus.processes.self()
  const session = { name: 'frontend', agent, native: true, doorbell: 'auto' }
  register(bus.home, 'backend')
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ frontend: session, backend: { name: 'backend' } }),
  )
  const state: SessionState = {
    ...{ activity: 'idle', since: THEN, session_id: 'one', agent, native: true, vim: false },
    ...{ gate: 'enforce', tasks: ['mine'], scheduled: ['look again'], ...(turn && { turn }) },
  }
  // A session that was just joined has no state at all.
  if (turn) appendFileSync(bus.home.state('frontend'), JSON.stringify(state))
  if (room) noteRoom(bus, { agent, since: THEN, client: '2.1.329' })
  const transcript_path = `${tempDirectory()}/record.jsonl`
  // A clock that goes on with every look: what never comes is not waited for.
  let now = Date.now()
  const later = (ms: number) => {
    now += ms
    return now
  }
  const clock = { now: () => later(2000), micros: () => later(1) * 1000 }
  const ports: HookPorts = {
    env: { AGENT_CHAT_NAME: 'frontend', CLAUDE_PID: String(agent.pid), CLAUDE_PROJECT_DIR: '/' },
    self: { node: '/bin/false', script: '' },
    bus: () => ({ ...bus, clock }),
  }
  const write = (...entries: unknown[]) => {
    for (const one of entries)
      appendFileSync(transcript_path, typeof one === 'string' ? one : `${JSON.stringify(one)}\n`)
  }
  const says = (prompt: string, prompt_id?: string) =>
    userPromptSubmit(ports, { prompt, prompt_id, transcript_path })
  const stops = (prompt_id: string) => stop(ports, { prompt_id, transcript_path })
  const may = async (prompt_id?: string, more: object = {}) => {
    const tool = {
      tool_name: 'Write',
      tool_input: { file_path: '/x', content: '' },
      tool_use_id: 'w',
    }
    const { stdout } = await preToolUse(ports, {
      ...tool,
      prompt_id,
      transcript_path,
      cwd: '/',
      ...more,
    })
    return stdout?.includes('"ask"') ? 'ask' : 'pass'
  }
  const seen = (kind: string, text: string) =>
    writeFileSync(
      bus.home.roomPrompt(agent.pid),
      JSON.stringify({ kind, key: promptKey(text), at: now, typed: 0 }),
    )
  const inside = (text: string, kind: string | undefined, more: object = {}) => ({
    ...{ type: 'attachment', version: '2.1.329' },
    attachment: {
      type: 'queued_command',
      prompt: text,
      ...(kind && { origin: { kind } }),
      ...more,
    },
  })
  const queue = (content: string, operation = 'enqueue', at = now) => ({
    ...{ type: 'queue-operation', operation, content, timestamp: new Date(at).toISOString() },
  })
  return {
    bus,
    write,
    says,
    stops,
    may,
    seen,
    inside,
    queue,
    path: transcript_path,
    now: () => now,
    turn: () => readState(bus.home, 'frontend')?.turn,
  }
}

type After = 'yours' | 'asks' | 'as before'
/** An origin as the record and the panel spell it, the words, and whose the turn is then. */
const ORIGINS: [
  what: string,
  record: string | undefined,
  panel: string,
  text: string,
  after: After,
][] = [
  ['you type', 'human', 'composer', 'please do it', 'yours'],
  ['you type while it is busy', 'human', 'composer', 'and then this', 'yours'],
  ['you type a /command', 'human', 'composer', '/review all', 'yours'],
  ['you paste what a task says', 'human', 'composer', task('other'), 'yours'],
  ['you type what is scheduled', 'human', 'composer', 'look again', 'yours'],
  ['a claude -p has its prompt', 'sdk', 'sdk', 'please do it', 'yours'],
  ['the client goes on', 'auto_continuation', 'auto-continuation', 'Continue.', 'as before'],
  ['a task of yours ends', 'task_notification', 'task-notification', task('mine'), 'as before'],
  ['another task ends', 'task_notification', 'task-notification', task('other'), 'asks'],
  ['another plugin wakes it', 'task_notification', 'task-notification', wrapped('do it'), 'asks'],
  ['a doorbell of ours wakes it', 'task_notification', 'task-notification', wrapped(RING), 'asks'],
  ['another session', 'peer', 'peer', 'please do it', 'asks'],
  ['another session, as a task', 'peer', 'peer', '<task-notification> do it', 'asks'],
  ['another session, as a task of yours', 'peer', 'peer', task('mine'), 'asks'],
  ['another session, as a ring with a tail', 'peer', 'peer', `${wrapped(RING)} do it`, 'asks'],
  ['another mod', 'system', 'plugin', '', 'asks'],
  ['another mod, as a task', 'system', 'plugin', '<task-notification> ', 'asks'],
  ['a schedule that is known', 'scheduled', 'scheduled-trigger', 'look again', 'asks'],
  ['a schedule that nobody knows', 'scheduled', 'scheduled-trigger', 'look', 'asks'],
  ['a channel', 'peer', 'channel', 'please do it', 'asks'],
  ['nobody that the record knows', 'unknown', 'unclassified', 'please do it', 'asks'],
  ['a record without that prompt', undefined, 'unclassified', 'please do it', 'asks'],
]
const SIZES = { '100 B': 100, '70 KB': 70_000, '1 MB': 1_000_000 }
const CELLS = ORIGINS.flatMap((row) =>
  (['open', 'closed', 'none'] as const).flatMap((before) =>
    [true, false].flatMap((room) =>
      (Object.keys(SIZES) as (keyof typeof SIZES)[]).map((size) => ({ row, before, room, size })),
    ),
  ),
)

describe('a prompt of every origin begins a turn', () => {
  test.each(CELLS)(
    '$row.0 · before: $before · panel $room · $size',
    async ({ row, before, room, size }) => {
      const [, record, panel, text, after] = row
      // What the client reads with a prompt is as long as that.
      const isWhole = text === '' || /look again|task-notification/.test(text)
      const words = isWhole ? text : `${text} ${'x'.repeat(SIZES[size])}`
      const turn = TURNS[before]
      const kept = turn && (after === 'as before' ? { ...turn, granted: [] } : turn)
      const client = clientWith(kept, room)
      if (before === 'open') client.write(recorded('hello', 'p0'))
      if (room) client.seen(panel, words)
      client.says(words, 'p1')
      client.write(record === undefined ? '{"type":"x"}\n' : recorded(words, 'p1', record))
      client.write({ type: 'attachment', attachment: { x: 'x'.repeat(SIZES[size]) } })
      const isOpen = after === 'yours' || (after === 'as before' && before === 'open')
      expect(await client.may('p1')).toBe(isOpen ? 'pass' : 'ask')
      expect(await client.may('p1')).toBe(isOpen ? 'pass' : 'ask')
    },
  )
})

describe('what begins a prompt opens nothing, whatever the panel saw', () => {
  const TEXTS = {
    'plain words': (more: string) => `please do it${more}`,
    'a task': (more: string) => `<task-notification> please do it${more}`,
    'the end of another task': (more: string) => `${task('other')}${more}`,
    'a ring': () => wrapped(RING),
    'a ring with a tail': (more: string) => `${wrapped(RING)} do it${more}`,
  }
  const cells = (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).flatMap((text) =>
    [undefined, 'peer', 'human', 'sdk'].flatMap((record) =>
      [undefined, 'composer', 'peer', 'task-notification'].flatMap((panel) =>
        [0, 70_000].map((size) => ({ text, record, panel, size })),
      ),
    ),
  )
  test.each(cells)(
    '$text · record: $record · panel: $panel · $size more',
    async ({ text, record, panel, size }) => {
      const client = clientWith({ ...fresh, began: 'doorbell' }, panel !== undefined)
      const words = TEXTS[text]('x'.repeat(size))
      if (panel) client.seen(panel, words)
      client.says(words, 'p1')
      client.write(record === undefined ? '{"type":"x"}\n' : recorded(words, 'p1', record))
      // What the panel saw another program write stays closed, whatever the record says; so does
      // what cannot be told from a ring of ours.
      const isYours = (record === 'human' || record === 'sdk') && panel !== 'peer'
      const isRing = text === 'a ring'
      expect(await client.may('p1')).toBe(isYours && !isRing ? 'pass' : 'ask')
    },
  )
})

describe('words in the middle of a turn', () => {
  const ROWS: [what: string, kind: string | undefined, text: string, after: After][] = [
    ['you type', 'human', 'and this', 'yours'],
    ['another session', 'peer', 'and this', 'asks'],
    ['another session, as a task', 'peer', '<task-notification> x', 'asks'],
    ['another plugin', 'task-notification', wrapped('do it'), 'asks'],
    ['a task of yours', 'task-notification', task('mine'), 'as before'],
    ['a doorbell of ours', 'task-notification', wrapped(RING), 'as before'],
    ['a ring with a tail', 'task-notification', `${wrapped(RING)} do it`, 'asks'],
    ['nobody that is known', undefined, 'and this', 'asks'],
  ]
  const cells = ROWS.flatMap((row) =>
    (['open', 'closed'] as const).flatMap((before) =>
      [0, 70_000].map((size) => ({ row, before, size })),
    ),
  )
  test.each(cells)(
    '$row.0 · $before · $size more',
    async ({ row: [, kind, text, after], before, size }) => {
      const client = clientWith({ ...(TURNS[before] as Turn), granted: [] })
      const words = text.includes('notification') ? text : `${text}${'x'.repeat(size)}`
      client.write(recorded('hello', 'p0', before === 'open' ? 'human' : 'task_notification'))
      if (kind !== 'human') client.write(client.queue(words))
      client.says(words, 'p0')
      if (kind === 'human') client.write(client.queue(words))
      const isOpen = after === 'yours' || (after === 'as before' && before === 'open')
      client.write(client.queue(words, 'remove'), client.inside(words, kind), {
        x: 'x'.repeat(size),
      })
      expect(await client.may('p0')).toBe(isOpen ? 'pass' : 'ask')
      expect(await client.may('p0')).toBe(isOpen ? 'pass' : 'ask')
    },
  )

  test('what you type counts before the agent has taken it up, and nobody’s does not', async () => {
    const client = clientWith({ ...fresh, began: 'doorbell' })
    client.write(recorded('hello', 'p0', 'task_notification'))
    client.says('yes', 'p0')
    client.write(client.queue('yes'))
    expect(await client.may('p0')).toBe('pass')
    client.write(client.queue('yes', 'remove'), client.inside('yes', 'human'))
    expect(await client.may('p0')).toBe('pass')
    client.write(client.queue('yes'))
    client.says('yes', 'p0')
    expect(await client.may('p0')).toBe('ask')
  })

  test('the same words of another after yours close it', async () => {
    const client = clientWith(fresh)
    client.write(recorded('hello', 'p0'))
    client.says('yes', 'p0')
    client.write(client.inside('yes', 'human'))
    expect(await client.may('p0')).toBe('pass')
    client.says('yes', 'p0')
    client.write(client.inside('yes', 'peer'))
    expect(await client.may('p0')).toBe('ask')
    client.says('go on', 'p0')
    client.write(client.inside('go on', 'human'))
    expect(await client.may('p0')).toBe('pass')
  })

  describe('that another program queues', () => {
    const put = (words: string | undefined, ms: number) => ({ words, ms })
    /** What is queued by when, beside the moment of the hook that tells of `yes`. */
    const QUEUES: [
      what: string,
      queued: { words: string | undefined; ms: number }[],
      after: string,
    ][] = [
      ['with its words', [put('yes', -1)], 'ask'],
      ['without its words', [put(undefined, -1)], 'ask'],
      [
        'without its words, and the same once more',
        [put(undefined, -1), put('yes', 60_000)],
        'ask',
      ],
      ['twice, once before and once after', [put('yes', -1), put('yes', 60_000)], 'ask'],
      ['at a time that nobody knows', [put('yes', Number.NaN)], 'ask'],
    ]
    test.each(QUEUES)('%s, opens nothing, taken up or not', async (_, queued, after) => {
      for (const kind of ['peer', undefined]) {
        const client = clientWith({ ...fresh, began: 'doorbell' })
        client.write(recorded('hello', 'p0', 'task_notification'))
        const now = client.now()
        const line = ({ words, ms }: { words: string | undefined; ms: number }) => ({
          ...client.queue('x'),
          content: words,
          timestamp: Number.isNaN(ms) ? 'soon' : new Date(now + ms).toISOString(),
        })
        client.write(...queued.filter(({ ms }) => !(ms > 0)).map(line))
        client.says('yes', 'p0')
        client.write(...queued.filter(({ ms }) => ms > 0).map(line))
        expect(await client.may('p0')).toBe(after)
        client.write(client.queue('yes', 'remove'), client.inside('yes', kind))
        expect(await client.may('p0')).toBe(after)
        expect(await client.may('p0')).toBe(after)
      }
    })

    test.each(['closed', 'open'] as const)('is not what you type: %s', async (before) => {
      // A client that names no origin in the middle of a turn.
      const client = clientWith(TURNS[before])
      client.write(recorded('hello', 'p0', before === 'open' ? 'human' : 'task_notification'))
      client.says('yes', 'p0')
      client.write(
        client.queue('yes'),
        client.queue('yes', 'remove'),
        client.inside('yes', undefined),
      )
      expect(await client.may('p0')).toBe('pass')
      expect(await client.may('p0')).toBe('pass')
      client.write(client.inside('yes', undefined))
      expect(await client.may('p0')).toBe('ask')
    })

    test('leaves yours beside it yours', async () => {
      const client = clientWith({ ...fresh, began: 'doorbell' })
      client.write(recorded('hello', 'p0', 'task_notification'), {
        ...client.queue('x'),
        content: undefined,
      })
      client.says('go on', 'p0')
      client.write(client.queue('go on'), client.inside('go on', 'human'))
      expect(await client.may('p0')).toBe('pass')
    })
  })

  test.each([
    ['sdk-cli', {}, 'pass'],
    ['sdk-cli', { isMeta: true }, 'ask'],
    ['sdk-cli', { commandMode: 'task-notification' }, 'ask'],
    ['sdk-cli', { origin: { kind: 'peer' } }, 'ask'],
    ['cli', {}, 'ask'],
  ])('without an origin, in a client by %s: %j', async (entrypoint, fields, answer) => {
    const client = clientWith(fresh)
    client.write(recorded('hello', 'p0', 'sdk'), client.queue('more'))
    client.says('more', 'p0')
    const more = { commandMode: 'prompt', ...fields }
    client.write(client.queue('more', 'remove'))
    client.write({ ...client.inside('more', undefined, more), entrypoint })
    expect(await client.may('p0')).toBe(answer)
  })
})

describe('words in the middle of your turn, at every look at its record', () => {
  /** How often the record is looked at before they come, and what it has grown by before that. */
  const LOOKS = { 'before the first look': 0, 'after the first look': 1, 'between two calls': 2 }
  const WHOSE: [what: string, kind: string | undefined, text: string, answer: string][] = [
    ['another session', 'peer', 'and this', 'ask'],
    ['another plugin', 'task-notification', wrapped('do it'), 'ask'],
    ['nobody that is known', undefined, 'and this', 'ask'],
    ['a task that is not yours', 'task-notification', task('other'), 'ask'],
    ['you', 'human', 'and this', 'pass'],
    ['a task of yours', 'task-notification', task('mine'), 'pass'],
    ['a doorbell of ours', 'task-notification', wrapped(RING), 'pass'],
  ]
  const cells = WHOSE.flatMap((row) =>
    (Object.keys(LOOKS) as (keyof typeof LOOKS)[]).flatMap((when) =>
      ['alive', 'killed', 'late'].flatMap((hook) =>
        [0, 70_000].map((grown) => ({ row, when, hook, grown })),
      ),
    ),
  )
  test.each(cells)(
    '$row.0 · $when · hook $hook · $grown more',
    async ({ row: [, kind, text, answer], when, hook, grown }) => {
      const client = clientWith(fresh)
      client.says('please do it', 'p1')
      client.write(recorded('please do it', 'p1'), { x: 'x'.repeat(grown) })
      for (let look = 0; look < LOOKS[when]; look++) {
        expect(await client.may('p1')).toBe('pass')
        client.write({ x: 'x'.repeat(grown) })
      }
      if (kind !== 'human') client.write(client.queue(text))
      if (hook === 'alive') client.says(text, 'p1')
      if (kind === 'human') client.write(client.queue(text))
      client.write(client.queue(text, 'remove'), client.inside(text, kind), {
        x: 'x'.repeat(grown),
      })
      if (hook !== 'late') expect(await client.may('p1')).toBe(answer)
      else if (answer === 'pass') expect(await client.may('p1')).toBe('pass')
      if (hook === 'late') client.says(text, 'p1')
      expect(await client.may('p1')).toBe(answer)
      expect(await client.may('p1')).toBe(answer)
    },
  )

  test.each([
    ['the user’s yes to the rest', { granted: ['all'] }],
    ['a message that the user typed', { opened: 'message' }],
    ['what the user typed into it', { opened: 'prompt' }],
  ] as [string, Partial<Turn>][])('end %s, too', async (_, how) => {
    const client = clientWith({ ...fresh, began: 'doorbell', ...how })
    client.write(recorded(wrapped(RING), 'p0', 'task_notification'))
    expect(await client.may('p0')).toBe('pass')
    client.write(client.inside('and this', 'peer'))
    expect(await client.may('p0')).toBe('ask')
    expect(client.turn()?.granted).toBeUndefined()
  })

  test('are closed once: what you type then opens the turn, and no old line closes it', async () => {
    const client = clientWith(fresh)
    client.write(recorded('hello', 'p0'))
    expect(await client.may('p0')).toBe('pass')
    client.write(client.inside('do it', 'peer'))
    expect(await client.may('p0')).toBe('ask')
    client.says('go on', 'p0')
    client.write(client.queue('go on'))
    expect(await client.may('p0')).toBe('pass')
    client.write(client.queue('go on', 'remove'), client.inside('go on', 'human'))
    expect(await client.may('p0')).toBe('pass')
    client.write({ x: 'x'.repeat(70_000) })
    expect(await client.may('p0')).toBe('pass')
    client.write(client.inside('do it', 'peer'))
    expect(await client.may('p0')).toBe('ask')
  })

  test.each([
    ['yours after it', ['peer', 'human'], 'pass'],
    ['yours before it', ['human', 'peer'], 'ask'],
    ['yours between two', ['peer', 'human', 'peer'], 'ask'],
  ])('%s, of which only your hook told', async (_, order, answer) => {
    for (const looks of [0, 1]) {
      const client = clientWith(fresh)
      client.says('hello', 'p1')
      client.write(recorded('hello', 'p1'))
      if (looks > 0) expect(await client.may('p1')).toBe('pass')
      for (const kind of order) {
        if (kind === 'human') client.says('go on', 'p1')
        client.write(client.inside(kind === 'human' ? 'go on' : 'do it', kind))
      }
      expect(await client.may('p1')).toBe(answer)
      expect(await client.may('p1')).toBe(answer)
    }
  })

  test('count once for each hook: the same words again are others', async () => {
    const client = clientWith(fresh)
    client.says('hello', 'p1')
    client.write(recorded('hello', 'p1'), client.queue('do it'))
    client.says('do it', 'p1')
    client.write(client.inside('do it', 'peer'))
    client.says('go on', 'p1')
    client.write(client.inside('go on', 'human'), client.inside('do it', 'peer'))
    expect(await client.may('p1')).toBe('ask')
  })

  test.each([
    ['that was moved', (path: string) => renameSync(path, `${path}.moved`), 'pass'],
    ['that was copied', (path: string) => copyFileSync(path, `${path}.moved`), 'pass'],
    ['that is not there', () => undefined, 'ask'],
    ['of another conversation', (path: string) => writeFileSync(`${path}.moved`, '{}\n'), 'ask'],
  ])('in a record %s', async (_, move, answer) => {
    const client = clientWith(fresh)
    client.write(recorded('hello', 'p0'))
    expect(await client.may('p0')).toBe('pass')
    client.write({ x: 'x'.repeat(70_000) })
    expect(await client.may('p0')).toBe('pass')
    move(client.path)
    const moved = { transcript_path: `${client.path}.moved` }
    expect(await client.may('p0', moved)).toBe(answer)
    if (answer === 'ask') return
    appendFileSync(moved.transcript_path, `${JSON.stringify(client.inside('do it', 'peer'))}\n`)
    expect(await client.may('p0', moved)).toBe('ask')
  })
})

describe('what waits for you', () => {
  const world = (turn: Turn | undefined) => {
    const client = clientWith(turn)
    const { bus } = client
    const questions = { human: { id: 'q', at: THEN } }
    changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, questions }))
    changeState(bus, 'frontend', (before) => before && withQuestion(before, 'Go on?', THEN))
    const waits = () => [
      Object.keys(readLedger(bus.home, 'frontend').questions).length,
      readState(bus.home, 'frontend')?.question?.text,
    ]
    return { ...client, waits }
  }
  const OPEN = [1, 'Go on?']
  const CLOSED = [0, undefined]
  const cells = ORIGINS.flatMap((row) =>
    (['a call', 'the end of the turn'] as const).map((then) => ({ row, then })),
  )
  test.each(cells)(
    'is answered by your prompt alone, once the record tells: $row.0 · $then',
    async ({ row: [, record, , text, after], then }) => {
      const client = world(fresh)
      client.says(text, 'p1')
      expect(client.waits()).toEqual(OPEN)
      client.write(record === undefined ? '{"type":"x"}\n' : recorded(text, 'p1', record))
      if (then === 'a call') await client.may('p1')
      else await client.stops('p1')
      expect(client.waits()).toEqual(after === 'yours' ? CLOSED : OPEN)
    },
  )

  test.each([
    ['you', 'human', 'yes', CLOSED],
    ['another session', 'peer', 'yes', OPEN],
    ['another plugin', 'task-notification', wrapped('yes'), OPEN],
    ['a task of yours', 'task-notification', task('mine'), OPEN],
    ['nobody that is known', undefined, 'yes', OPEN],
  ])('is answered by words in the middle of your turn: %s', async (_, kind, text, after) => {
    for (const then of ['a call', 'the end of the turn']) {
      const client = world({ ...fresh, id: 'p1', checked: 'p1' })
      client.write(recorded('hello', 'p1'))
      if (kind !== 'human') client.write(client.queue(text))
      client.says(text, 'p1')
      expect(client.waits()).toEqual(OPEN)
      client.write(client.inside(text, kind))
      if (then === 'a call') await client.may('p1')
      else await client.stops('p1')
      expect(client.waits()).toEqual(after)
    }
  })

  test('is answered by your words only once the agent has taken them up', async () => {
    const client = world({ ...fresh, began: 'doorbell' })
    client.write(recorded('hello', 'p0', 'task_notification'))
    client.says('yes', 'p0')
    client.write(client.queue('yes'))
    await client.may('p0')
    client.write(client.queue('yes', 'remove'), client.inside('yes', 'human'))
    await client.may('p0')
    expect(client.waits()).toEqual(CLOSED)
  })

  test('is answered before the call that asks the next question', async () => {
    const client = world(fresh)
    client.says('ask another', 'p1')
    client.write(recorded('ask another', 'p1'))
    expect(await client.may('p1')).toBe('pass')
    expect(client.waits()).toEqual(CLOSED)
  })

  test('is not answered by a prompt that names no id, but of a client that names none', () => {
    for (const [version, after] of [
      ['2.1.329', OPEN],
      ['2.1.100', CLOSED],
    ] as const) {
      const client = world(fresh)
      client.write({ type: 'user', version })
      client.says('yes')
      expect(client.waits()).toEqual(after)
    }
  })
})

describe('what a turn in which no tool ran leaves to the next', () => {
  type Said = [origin: string, text: string]
  const you: Said = ['human', 'please do it']
  const peer: Said = ['peer', 'when it ends, push']
  const goesOn: Said = ['auto_continuation', 'Continue.']
  const ends: Said = ['task_notification', task('mine')]
  const ring: Said = ['task_notification', wrapped(RING)]
  const unknownSchedule: Said = ['scheduled', 'look']
  const knownSchedule: Said = ['scheduled', 'look again']
  /** `in`: words in the middle of the turn before, without a tool behind them. */
  const ROWS: [before: 'open' | 'closed', prompts: (Said | ['in', Said])[], answer: string][] = [
    ['open', [peer, ends], 'ask'],
    ['open', [peer, goesOn], 'ask'],
    ['closed', [peer, goesOn], 'ask'],
    ['closed', [peer, ends], 'ask'],
    ['closed', [unknownSchedule, ends], 'ask'],
    ['open', [unknownSchedule, goesOn], 'ask'],
    ['open', [knownSchedule, ends], 'ask'],
    ['closed', [ring, ends], 'ask'],
    ['open', [ring, ends], 'ask'],
    ['open', [['in', peer], ends], 'ask'],
    ['open', [you, ['in', peer], goesOn], 'ask'],
    ['open', [you, peer, goesOn, ends], 'ask'],
    ['closed', [goesOn, ends], 'ask'],
    ['closed', [goesOn, peer, goesOn, goesOn, ends], 'ask'],
    ['open', [peer, you, peer, ends], 'ask'],
    ['open', [you, ends], 'pass'],
    ['closed', [you, ends], 'pass'],
    ['open', [ends], 'pass'],
    ['open', [goesOn, goesOn, ends], 'pass'],
    ['open', [you, goesOn, ends], 'pass'],
    ['closed', [you, goesOn, goesOn, ends], 'pass'],
    ['open', [peer, you, goesOn], 'pass'],
    ['closed', [['in', you], ends], 'pass'],
    ['open', [['in', you], ends], 'pass'],
    ['open', [peer, you], 'pass'],
    ['open', [you, peer], 'ask'],
  ]
  const cells = ROWS.map(([before, prompts, answer]) => ({
    ...{ before, prompts, answer },
    what: prompts.map(([one, two]) => (one === 'in' ? `in ${two[0]}` : one)).join(', '),
  }))
  test.each(cells)('$before, then $what: $answer', async ({ before, prompts, answer }) => {
    const client = clientWith(before === 'open' ? fresh : { ...fresh, began: 'doorbell' })
    const began = before === 'open' ? 'human' : 'task_notification'
    client.write(recorded(before === 'open' ? 'hello' : wrapped(RING), 'p0', began))
    let id = 0
    for (const [one, two] of prompts) {
      if (one === 'in') {
        const [origin, text] = two as Said
        if (origin !== 'human') client.write(client.queue(text))
        client.says(text, `p${id}`)
        if (origin === 'human') client.write(client.queue(text))
        client.write(client.queue(text, 'remove'), client.inside(text, origin))
        continue
      }
      id += 1
      client.says(two as string, `p${id}`)
      client.write(recorded(two as string, `p${id}`, one))
    }
    expect(await client.may(`p${id}`)).toBe(answer)
    expect(await client.may(`p${id}`)).toBe(answer)
  })

  test.each([
    ['another session, after the last call', [peer], 'ask'],
    ['another session, and then you', [peer, you], 'pass'],
    ['you', [you], 'pass'],
    ['a doorbell of ours', [ring], 'pass'],
    ['nobody', [], 'pass'],
  ] as [string, Said[], string][])(
    'goes by words of which no hook told: of %s',
    async (_, said, answer) => {
      for (const more of [0, 70_000])
        for (const [after, text] of [ends, goesOn]) {
          const client = clientWith(fresh)
          client.says('please do it', 'p1')
          client.write(recorded('please do it', 'p1'), { x: 'x'.repeat(more) })
          expect(await client.may('p1')).toBe('pass')
          client.write(...said.map(([kind, words]) => client.inside(words, kind)))
          client.says(text, 'p2')
          client.write(recorded(text, 'p2', after))
          expect(await client.may('p2')).toBe(answer)
          expect(await client.may('p2')).toBe(answer)
        }
    },
  )

  test.each([
    ['another session', 'peer'],
    ['nobody that is known', undefined],
  ])('words of %s in the middle, of which no hook told, close it', async (_, origin) => {
    const client = clientWith(fresh)
    client.says('please do it', 'p1')
    client.write(recorded('please do it', 'p1'), client.inside('and this', origin))
    expect(await client.may('p1')).toBe('ask')
    expect(await client.may('p1')).toBe('ask')
  })
})

describe('a call', () => {
  test.each([
    ['human', 'pass'],
    ['peer', 'ask'],
    ['scheduled', 'ask'],
    [undefined, 'ask'],
  ])('of a turn of which no hook told, by %s', async (origin, answer) => {
    const client = clientWith(fresh)
    client.write(recorded('hello', 'p0'), origin ? recorded('other', 'p1', origin) : '')
    expect(await client.may('p1')).toBe(answer)
  })

  test.each([
    ['open', 'human', 'pass'],
    ['closed', 'human', 'pass'],
    ['open', 'peer', 'ask'],
    ['closed', 'peer', 'ask'],
  ] as const)('of words at the end of a turn that is %s, by %s', async (before, origin, answer) => {
    const client = clientWith(TURNS[before])
    client.write(recorded('hello', 'p0', before === 'open' ? 'human' : 'task_notification'))
    client.says('then this', 'p0')
    client.write(client.queue('then this'), recorded('then this', 'p1', origin))
    expect(await client.may('p1')).toBe(answer)
    expect(await client.may('p1')).toBe(answer)
  })

  test('without a prompt is nobody’s, but of a client that names none', async () => {
    const client = clientWith(fresh)
    client.write(recorded('hello', 'p0'))
    expect(await client.may()).toBe('ask')
    const old = clientWith({ ...fresh, id: null })
    old.write({ type: 'user', version: '2.1.100' })
    expect(await old.may()).toBe('pass')
  })

  test.each([
    ['human', 'pass'],
    ['peer', 'ask'],
    ['task_notification', 'ask'],
    [undefined, 'ask'],
  ])('of a session that was joined in a turn of %s', async (origin, answer) => {
    const client = clientWith(undefined)
    if (origin) client.write(recorded('hello', 'p1', origin))
    expect(await client.may('p1')).toBe(answer)
    expect(client.turn()?.began).toBe(answer === 'pass' ? 'human' : 'other')
  })

  test('of a session that was joined after another has spoken in the turn', async () => {
    const client = clientWith(undefined)
    client.write(recorded('hello', 'p1'), client.inside('do it', 'peer'))
    expect(await client.may('p1')).toBe('ask')
  })

  test('without a record, or a path to one, is nobody’s', async () => {
    const client = clientWith(fresh)
    client.says('hello', 'p1')
    expect(await client.may('p1')).toBe('ask')
    const other = clientWith(fresh)
    other.says('hello', 'p1')
    expect(await other.may('p1', { transcript_path: undefined })).toBe('ask')
  })

  test('of a client that names no origin is yours', async () => {
    const client = clientWith(fresh)
    client.says('hello', 'p1')
    const message = { content: 'hello' }
    client.write({ type: 'user', promptId: 'p1', version: '2.1.274', message })
    expect(await client.may('p1')).toBe('pass')
  })
})

describe('a ring about a message that you typed', () => {
  const world = () => {
    const client = clientWith(fresh)
    const draft = { from: 'human', to: 'frontend', kind: 'note', body: 'please' }
    noteWord(client.bus, sendMessage(client.bus, draft).message)
    return client
  }
  test.each([
    [wrapped(RING), 'task_notification', 'pass'],
    [wrapped(RING), 'peer', 'ask'],
    [wrapped(RING), 'system', 'ask'],
    [RING, 'human', 'pass'],
    [RING, 'peer', 'ask'],
  ])('%s, by %s', async (text, origin, answer) => {
    const client = world()
    client.says(text, 'p1')
    client.write(recorded(text, 'p1', origin))
    expect(await client.may('p1')).toBe(answer)
    if (answer === 'pass') return
    // The fake has spent nothing.
    client.says(wrapped(RING), 'p2')
    client.write(recorded(wrapped(RING), 'p2'))
    expect(await client.may('p2')).toBe('pass')
  })
})
