import { expect, test } from 'vitest'
import type { Entry } from '../../chat/live/entry.ts'
import type { Away } from '../../feed/awayText.ts'
import type { Need } from '../../feed/need.ts'
import type { Message } from '../../message/message.ts'
import { until } from '../../testing/until.ts'
import { emptyRoom, note, type Room } from '../model/room.ts'
import type { Box } from './box.ts'
import { BURST_MS } from './burst.ts'
import { styleFor } from './style.ts'
import { createView } from './view.ts'

const [ENTER, ESC, TAB, UP, DOWN] = ['\r', '\u001b', '\t', '\u001b[A', '\u001b[B']
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

const id = (at: number, from = 'backend') => `20261121T03${10 + at}00.000000Z-from-${from}`

const decision = (number: number): Need => ({
  ...{ type: 'decision', key: id(number), id: id(number), at: '', from: 'backend', text: '' },
  ...{ title: `Drop ${number}?`, number, options: ['drop it', 'keep it'] },
})
const dialog: Need = {
  ...{ type: 'permission', key: 'permission frontend', name: 'frontend', at: '' },
  ...{ why: 'it wants to write: a.ts', answer: 'agent-chat attach frontend' },
}

function message(at: number, body = `text ${at}`): Message {
  return {
    ...{ id: id(at), from: 'backend', to: 'human', timestamp: '', kind: 'note', thread: id(at) },
    ...{ chain: id(at), hops: 0, body, extra: {} },
  }
}

function entry(at: number): Entry {
  return {
    ...{ type: 'message', id: id(at), at: '', from: 'backend', to: 'human', kind: 'note' },
    ...{ text: `whole text ${at}`, more: 0 },
  }
}

/** A box without keys of its own: what is pressed is text. */
function fakeBox(): Box {
  let text = ''
  return {
    text: () => text,
    set: (next) => (text = next),
    press: (data) => (text += data),
    before: () => text,
    replaceBefore: (next) => (text = next),
    remember: () => {},
    lines: () => [`› ${text}`],
  }
}

/** A view on a room with a decision, a dialog, a second decision and two unread threads. */
function seat(over: Partial<Room> = {}, mode: 'inbox' | 'line' = 'inbox') {
  let room: Room = {
    ...note(note(emptyRoom(), entry(1)), entry(2)),
    ...{ needs: [decision(3), dialog, decision(4)], unread: [message(1), message(2)], ...over },
  }
  let now = 0
  const did: string[] = []
  const box = fakeBox()
  const exits: number[] = []
  const view = createView(
    {
      ...{ room: () => room, unseen: () => [], now: () => now, style: styleFor({ NO_COLOR: '1' }) },
      known: () => ({ names: [], words: [], ids: [], numbers: [], chains: [] }),
      submit: async (line) => {
        did.push(`sends ${line}`)
        return { exit: exits.shift() ?? 0 }
      },
      looked: (ids) =>
        ids.length > 0 && did.push(`looked ${ids.map((one) => Number(one.slice(11, 13)) - 10)}`),
      read: (ids) => did.push(`read ${ids.length}`),
      pressed: () => {},
      awaySeen: () => did.push('away seen'),
      thread: (one) => [entry(Number(one.slice(11, 13)) - 10)],
      terminal: async (name, look) => {
        if (!look) did.push(`terminal ${name}`)
        return ['its screen']
      },
      copy: async () => {},
      leave: () => did.push('leaves'),
      fault: (error) => {
        throw error
      },
    },
    box,
    () => {},
    mode,
  )
  const draw = () => view.draw(80, 24)
  draw()
  const later = () => (now += 1000)
  /** Presses keys one by one, the screen drawn between them, as a person would. */
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      later()
      if (!view.key(key)) box.press(key)
      await new Promise((resolve) => setTimeout(resolve, BURST_MS + 1))
      draw()
    }
  }
  return {
    ...{ press, later, did, box, view, exits },
    at: () => draw().find((line) => line.startsWith('▌')) ?? '',
    screen: () => draw().join('\n'),
    bar: () => draw().at(-1) ?? '',
    become: (next: Partial<Room>) => {
      room = { ...room, ...next }
      draw()
    },
  }
}

type Seat = ReturnType<typeof seat>

/** Where the cursor is after keys. */
test.each<[keys: string[], row: RegExp]>([
  [[], /@backend #3/],
  [['j'], /@frontend asks permission/],
  [[DOWN], /@frontend asks permission/],
  [['j', 'j', 'k'], /@frontend asks permission/],
  [['j', UP], /@backend #3/],
  [['k'], /@backend #3/],
  [['G'], /text 1/],
  [['G', 'k'], /text 2/],
  [['G', 'j'], /text 1/],
  [['G', 'g'], /@backend #3/],
  [['\u001b[F'], /text 1/],
  [['\u001b[6~'], /text 1/],
])('%j goes to %s', async (keys, row) => {
  const { press, at, did } = seat()
  await press(...keys)
  expect([at(), did]).toEqual([expect.stringMatching(row), []])
})

/** What keys do, by what was asked of the room, and what is on the screen then. */
test.each<[what: string, keys: string[], did: string[], shows: RegExp]>([
  [
    'Enter opens a need whole',
    ['j', ENTER],
    [],
    /── asks permission[\s\S]*answer: \/open @frontend/,
  ],
  ['Enter opens a decision', [ENTER], [], /── message[\s\S]*whole text 3/],
  ['Enter opens a thread', ['G', ENTER], [], /── message[\s\S]*whole text 1/],
  ['which is read at the next key', ['G', ENTER, ESC], ['looked 1'], /▶ 3 need you/],
  ['an open pane goes along', [ENTER, 'j'], ['looked 3'], /answer: \/open @frontend/],
  ['Esc closes it', ['j', ENTER, ESC], [], /^(?![\s\S]*── asks permission)/],
  ['q closes it', ['j', ENTER, 'q'], [], /^(?![\s\S]*── asks permission)/],
  ['1 shows what it would send', ['1'], [], /answer #3 to @backend: 1\. drop it · Enter sends/],
  ['and the whole question', ['2'], [], /whole text 3/],
  ['1 Enter answers the row', ['1', ENTER], ['looked 3', 'sends #3 1'], /▶ 3 need you/],
  ['2 Enter on another row', ['j', 'j', '2', ENTER], ['looked 4', 'sends #4 2'], /▶ 3/],
  ['1 Esc answers nothing', ['1', ESC, ENTER], ['looked 3'], /── message/],
  ['1 and 2: the second counts', ['1', '2'], ['looked 3'], /answer #3 to @backend: 2\. keep it/],
  ['1 and j: nothing is asked any more', ['1', 'j', ENTER], ['looked 3'], /answer: \/open/],
  ['a digit without an option', ['3'], [], /there is no option 3 on this row/],
  ['a digit on a row without options', ['j', '1'], [], /there is no option 1 on this row/],
  ['e marks a thread read', ['G', 'e'], ['read 1'], /2 unread/],
  ['e is refused on what needs you', ['e'], [], /▌▶ @backend #3[\s\S]*this still needs you/],
  ['and on a dialog', ['j', 'e'], [], /▌▶ @frontend[\s\S]*this still needs you/],
  [
    'o shows the terminal of a need',
    ['j', 'o'],
    ['terminal frontend'],
    /read-only[\s\S]*its screen/,
  ],
  ['o again goes back', ['j', 'o', 'o'], ['terminal frontend'], /^(?![\s\S]*read-only)/],
  ['o leads to who wrote', ['G', 'o'], ['terminal backend'], /the terminal of @backend/],
  ['i writes', ['i'], [], /to: nobody yet[\s\S]*›/],
  [': writes', [':'], [], /to: nobody yet[\s\S]*›/],
  ['@ writes, and is typed', ['@'], [], /› @/],
  ['# writes, and is typed', ['#'], [], /› #/],
  ['a word behind it is text', ['i', 'q'], ['looked 1,2'], /› q/],
  ['r answers a decision in words', ['r'], [], /› #3 /],
  ['r answers a thread', ['G', 'r'], [], /› \/reply \w{5} /],
  ['r fills in what answers', ['j', 'r'], [], /› \/open @frontend/],
  ['/ filters as one types', ['/', 't', 'e', 'x', 't'], [], /only text[\s\S]*\/text · Enter keeps/],
  ['what needs you stays below it', ['/', 't', ' ', '2', ENTER], [], /text 2[\s\S]*#3[\s\S]*#4/],
  [
    'and it can be answered then',
    ['/', '4', ENTER, '1', ENTER],
    ['looked 4', 'sends #4 1'],
    /only 4/,
  ],
  ['Backspace takes back a letter', ['/', 't', 'x', '\u007f', ENTER], [], /only t ─/],
  ['Esc ends a filter', ['/', 'x', ESC], [], /2 unread ─/],
  ['Esc ends one that was kept', ['/', 'x', ENTER, ESC], [], /2 unread ─/],
  ['? shows the keys', ['?'], [], /── keys[\s\S]*In the inbox/],
  ['q closes them', ['?', 'q'], [], /^(?![\s\S]*── keys)/],
  ['q quits', ['q'], ['leaves'], /▶ 3/],
  ['Ctrl-D quits', ['\u0004'], ['leaves'], /▶ 3/],
  ['Ctrl-C says how to leave', ['\u0003'], [], /press Ctrl-C again to leave/],
  ['Ctrl-C twice leaves', ['\u0003', '\u0003'], ['leaves'], /▶ 3/],
  ['Tab goes to the messages', [TAB], [], /▌[^\n]*@backend → you[\s\S]*whole text 2/],
  ['and back', [TAB, TAB], ['looked 1,2'], /▶ 3 need you/],
  ['Esc in an empty line goes back', ['i', ESC], ['looked 1,2'], /▶ 3 need you · 2 unread/],
  ['another letter does nothing', ['x'], [], /▌▶ @backend #3/],
])('%s', async (_, keys, did, shows) => {
  const now = seat()
  await now.press(...keys)
  await until('the screen', () => shows.test(now.screen()))
  expect(now.did).toEqual(did)
})

const away: Away = {
  ...{ from: '2026-11-21T03:02:00.000Z', to: '2026-11-21T04:10:00.000Z' },
  lines: [
    { kind: 'done', count: 3, names: ['infra'], opens: [id(1), id(2)] },
    { kind: 'pair', count: 12, names: ['backend', 'frontend'], opens: [id(2)] },
    { kind: 'held', count: 2, names: ['frontend'], opens: [id(1)] },
  ],
}

test.each<[what: string, keys: string[], did: string[], shows: RegExp]>([
  [
    'is above all',
    [],
    [],
    /▌· While you were away[\s\S]*3 tasks done by @infra[\s\S]*▶ @backend #3/,
  ],
  ['its head opens all of it', [ENTER], [], /── While[\s\S]*3 tasks done[\s\S]*2 messages held/],
  [
    'a row opens its threads',
    ['j', ENTER],
    [],
    /── 2 messages[\s\S]*whole text 1[\s\S]*whole text 2/,
  ],
  ['a pair, too', ['j', 'j', ENTER], [], /── message[\s\S]*whole text 2/],
  ['what is held says so', ['j', 'j', 'j', ENTER], [], /2 messages held for @frontend/],
  ['e: it was seen', ['e'], ['away seen'], /While you were away/],
  ['so it was by whoever leaves', ['q'], ['away seen', 'leaves'], /While you were away/],
  ['o leads to who ended a task', ['j', 'o'], ['terminal infra'], /the terminal of @infra/],
  ['a digit answers nothing there', ['1', ENTER], [], /there is no option 1|── While/],
])('what happened while you were away: %s', async (_, keys, did, shows) => {
  const now = seat({ away })
  await now.press(...keys)
  await until('the screen', () => shows.test(now.screen()))
  expect(now.did).toEqual(did)
})

test('what happened while you were away is gone once it was seen, and the next row is selected', async () => {
  const { press, become, at, screen } = seat({ away })
  await press('e')
  become({ away: undefined })
  expect([at(), screen()]).toEqual([
    expect.stringContaining('@backend #3'),
    expect.not.stringContaining('While you were away'),
  ])
})

test('the line at the bottom has the keys of the row', async () => {
  const { press, bar } = seat()
  expect(bar()).toBe('1-2 answer · Enter open · r in words · i write · ? keys · q quit · j k move')
  await press('j')
  expect(bar()).toMatch(/^o terminal · Enter open · i write/)
  await press('G')
  expect(bar()).toMatch(/^Enter open · e mark read · r reply · o terminal · i write/)
  await press(ENTER)
  expect(bar()).toMatch(/^Esc close · PgUp PgDn scroll · Enter open/)
})

test('after an answer and after e the cursor is on the next row', async () => {
  const { press, become, at } = seat()
  await press('1', ENTER)
  become({ needs: [dialog, decision(4)] })
  expect(at()).toContain('@frontend')
  await press('G', 'k', 'e')
  become({ unread: [message(1)] })
  expect(at()).toContain('text 1')
})

test('an answer that was refused is in the line again, with the reason above it', async () => {
  const now = seat()
  now.exits.push(2)
  await now.press('1', ENTER)
  await until('the line', () => /› #3 1/.test(now.screen()))
})

test('agent-chat console @x opens in the line', async () => {
  const { press, box, screen } = seat({ addressee: 'frontend' }, 'line')
  expect(screen()).toMatch(/to: @frontend/)
  await press('q')
  expect(box.text()).toBe('q')
})

/** What comes meanwhile never makes a key act on another row than the one that was seen. */
test.each<[what: string, change: Partial<Room>, keys: string[], did: string[]]>([
  [
    'a need before it',
    { needs: [decision(2), decision(3)] },
    ['1', ENTER],
    ['looked 3', 'sends #3 1'],
  ],
  ['its own end: no row takes its keys', { needs: [decision(4)] }, ['1', ENTER], []],
  ['its own end, and e', { needs: [], unread: [message(1), message(2)] }, ['e'], []],
  ['its own end, and o', { needs: [dialog] }, ['o'], []],
  [
    'its own end, then a row is chosen',
    { needs: [decision(4)] },
    ['k', '1', ENTER],
    ['looked 4', 'sends #4 1'],
  ],
])('%s', async (_, change, keys, did) => {
  const now = seat()
  now.become(change)
  await now.press(...keys)
  expect(now.did).toEqual(did)
})

test('a row that comes between a key and what it does changes nothing', async () => {
  const { view, become, did, press, screen } = seat()
  view.key('1')
  become({ needs: [decision(4), dialog] })
  await new Promise((resolve) => setTimeout(resolve, BURST_MS + 1))
  expect(screen()).toContain('answer #3 to @backend: 1. drop it')
  await press(ENTER)
  expect(did).toEqual(['looked 3', 'sends #3 1'])
})

/** Nothing that is pasted presses a key that acts. */
test.each<[what: string, keys: string[], text: string]>([
  ['with the marks of a paste: it is text', [paste('1\nq')], paste('1\nq')],
  ['without them', ['1', ENTER], ''],
  ['a word', [...'e it'], ''],
  ['one that begins to write', [...'if so', ENTER], ''],
  ['one that begins with a name', [...'@backend go', ENTER], ''],
  ['keys that move before it', ['j', 'j', '1', ENTER], ''],
])('a paste %s', async (_, keys, text) => {
  const { view, box, did, screen }: Seat = seat()
  for (const key of keys) if (!view.key(key)) box.press(key)
  await new Promise((resolve) => setTimeout(resolve, BURST_MS + 1))
  expect([did, box.text()]).toEqual([[], text])
  if (text === '') expect(screen()).toContain('keys that come at once press nothing')
})

test('a paste behind a preview sends nothing', async () => {
  const { view, did, press, later } = seat()
  await press('1')
  later()
  for (const key of [ENTER, 'x']) view.key(key)
  await new Promise((resolve) => setTimeout(resolve, BURST_MS + 1))
  expect(did).toEqual(['looked 3', 'looked 3'])
})

test.each(['q', 'exit', 'help'])(
  '%s in the line is refused, and the next key clears it',
  async (word) => {
    const { view, box, exits, press, screen } = seat({}, 'line')
    exits.push(2)
    await view.submit(word)
    expect(box.text()).toBe(word)
    await press('@')
    expect(box.text()).toBe('@')
    exits.push(2)
    box.set('')
    await view.submit('@nobody hello')
    await press('!')
    expect(box.text()).toBe('@nobody hello!')
    expect(screen()).toContain('› @nobody hello!')
  },
)
