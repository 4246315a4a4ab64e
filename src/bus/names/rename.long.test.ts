import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sweepHome } from '../../doctor/sweep.ts'
import { outcome, runCli, startCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempBus, tempHome } from '../../testing/home.ts'
import { longId } from '../../testing/longId.ts'
import { isStopped } from '../../testing/stopped.ts'
import { until } from '../../testing/until.ts'
import type { Home } from '../home.ts'
import { sendMessage } from '../mail/send.ts'
import { nameAt, nameNow, namesEver, type Rename, readRenames } from './names.ts'
import { renameSession } from './rename.ts'
import { moveMessages } from './renameMove.ts'

const chat = (home: Home, args: string[], env: Record<string, string> = {}) =>
  runCli(args, { home: home.root, env })
const say = (home: Home, to: string, body: string, ...more: string[]) =>
  chat(home, ['send', `@${to}`, body, '--as', 'frontend', ...more])

async function bodiesOf(home: Home, name: string): Promise<string[]> {
  const { stdout } = await chat(home, ['inbox', name, '--json'])
  return JSON.parse(stdout).messages.map(({ body }: { body: string }) => body)
}

describe('the name of now', () => {
  const renames: Rename[] = [
    { from: 'a', to: 'b', at: '2026-11-21T01:00:00Z', until: '2026-11-21T02:00:00Z', done: true },
    { from: 'x', to: 'a', at: '2026-11-21T02:00:00Z', until: null, done: true },
    { from: 'b', to: 'c', at: '2026-11-21T03:00:00Z', until: null, done: true },
    { from: 'a', to: 'd', at: '2026-11-21T04:00:00Z', until: null, done: true },
  ]
  test.each([
    ['a', '2026-11-21T00:30:00Z', 'c'],
    ['a', '2026-11-21T02:30:00Z', 'd'],
    ['b', '2026-11-21T01:30:00Z', 'c'],
    ['x', '2026-11-21T00:30:00Z', 'd'],
    ['d', '2026-11-21T05:00:00Z', 'd'],
    ['other', '2026-11-21T05:00:00Z', 'other'],
  ])('@%s at %s is @%s', (name, at, now) => expect(nameAt(renames, name, Date.parse(at))).toBe(now))

  test('a session that goes back to its old name', () => {
    const back: Rename[] = [
      { from: 'a', to: 'b', at: '2026-11-21T01:00:00Z', until: '2026-11-21T02:00:00Z', done: true },
      { from: 'b', to: 'a', at: '2026-11-21T02:00:00Z', until: null, done: true },
    ]
    for (const [name, hour] of [
      ['a', '00'],
      ['b', '01'],
      ['a', '03'],
    ] as const)
      expect(nameAt(back, name, Date.parse(`2026-11-21T${hour}:30:00Z`))).toBe('a')
  })

  test.each([
    ['cat', Number.POSITIVE_INFINITY],
    ['bob', Number.POSITIVE_INFINITY],
    ['bob', Date.parse('2026-11-21T02:30:00Z')],
  ])('@%s at %d is followed through a name that another session has now', (name, time) => {
    const chain: Rename[] = [
      { from: 'cat', to: 'bob', at: '2026-11-21T01:00:00Z', until: null, done: true },
      { from: 'bob', to: 'dee', at: '2026-11-21T02:00:00Z', until: null, done: true },
      {
        from: 'dee',
        to: 'ada',
        at: '2026-11-21T03:00:00Z',
        until: '2026-11-21T04:00:00Z',
        done: true,
      },
    ]
    expect(nameAt(chain, name, time)).toBe('ada')
    expect(nameAt(chain, 'dee', Date.parse('2026-11-21T05:00:00Z'))).toBe('dee')
  })

  test('what is no list of renames has none, and a new one is seen at once', () => {
    const home = tempHome()
    expect(readRenames(home)).toEqual([])
    writeFileSync(home.names, '{"half')
    expect(nameNow(home, 'a')).toBe('a')
    writeFileSync(home.names, JSON.stringify([renames[2], { from: '../x', to: 'y' }, 7]))
    expect(readRenames(home)).toEqual([renames[2]])
    expect(namesEver(home, 'c')).toEqual(['c', 'b'])
  })
})

test('inbox, conversations, tasks and marks go along; messages stay as they were written', async () => {
  const home = tempHome('backend', 'frontend')
  await say(home, 'backend', 'read before')
  await chat(home, ['inbox', 'backend'])
  const task = longId(
    home,
    (await chat(home, ['task', '@backend', 'page the list', '--as', 'frontend'])).stdout,
  )
  const question = longId(home, (await say(home, 'backend', 'which type?', '--question')).stdout)
  const quiet = longId(home, (await say(home, 'backend', 'no hurry', '--quiet')).stdout)
  const text = readFileSync(home.message(task), 'utf8')
  const run = await chat(home, ['rename', 'backend', 'payments'])
  expect([run.code, run.stdout]).toEqual([0, '@backend is @payments now; 3 unread messages kept\n'])
  expect(readFileSync(home.message(task), 'utf8')).toBe(text)
  expect(existsSync(home.inbox('backend'))).toBe(false)
  expect(filesIn(home.readDirectory('payments'))).toHaveLength(1)
  expect(filesIn(home.heldBy('payments'))).toEqual([`${quiet}.json`])
  expect(eventsOf(home, 'renamed')).toMatchObject([{ from: 'backend', to: 'payments' }])
  expect((await bodiesOf(home, 'payments')).sort()).toEqual([
    'no hurry',
    'page the list',
    'which type?',
  ])
  expect((await chat(home, ['accept', 'the list', '--as', 'payments'])).code).toBe(0)
  expect((await chat(home, ['reply', question, 'a string', '--as', 'payments'])).code).toBe(0)
  const { tasks } = JSON.parse((await chat(home, ['tasks', '--json'])).stdout)
  expect(tasks).toMatchObject([{ state: 'accepted', to: 'payments' }])
  const shown = JSON.parse((await chat(home, ['show', question, '--json'])).stdout)
  expect(shown.stages.map(({ stage }: { stage: string }) => stage)).toContain('answered')
  expect((await chat(home, ['search', 'hurry', '--to', 'payments'])).stdout).toContain('no hurry')
})

test('what was read goes along where something was read under the new name already', () => {
  const bus = tempBus(['backend', 'payments'])
  const { home } = bus
  writeFileSync(`${home.readDirectory('backend')}/one.md`, 'one')
  writeFileSync(`${home.readDirectory('payments')}/two.md`, 'two')
  moveMessages(home, 'backend', 'payments')
  expect(filesIn(home.readDirectory('payments'))).toEqual(['one.md', 'two.md'])
  expect(existsSync(home.inbox('backend'))).toBe(false)
})

test('answers and messages to the old name reach the new one, until another session takes it', async () => {
  const home = tempHome('backend', 'frontend')
  const said = longId(
    home,
    (await chat(home, ['send', '@frontend', 'ready', '--as', 'backend'])).stdout,
  )
  await chat(home, ['rename', 'backend', 'payments'])
  expect((await chat(home, ['reply', said, 'twenty a page', '--as', 'frontend'])).stdout).toContain(
    'to @payments',
  )
  const old = await say(home, 'backend', 'by its old name')
  expect([old.code, old.stderr]).toEqual([0, expect.stringContaining('@backend is @payments now')])
  expect(await bodiesOf(home, 'backend')).toEqual(['twenty a page', 'by its old name'])
  expect((await chat(home, ['join', 'backend', '--no-watch'])).code).toBe(0)
  await say(home, 'backend', 'for the newcomer')
  expect(await bodiesOf(home, 'backend')).toEqual(['for the newcomer'])
  expect((await chat(home, ['reply', said, 'and more', '--as', 'frontend'])).stdout).toContain(
    'to @payments',
  )
  expect((await chat(home, ['rename', 'payments', 'backend'])).code).toBe(8)
})

test.each([
  ['backend', 'frontend', 8, 'is registered'],
  ['backend', 'docs', 8, 'its inbox still has messages'],
  ['nobody', 'payments', 4, 'no session named @nobody'],
  ['backend', 'send', 2, 'is reserved'],
  ['backend', '../x', 2, 'is not a session name'],
  ['backend', 'human', 2, 'is reserved'],
  ['backend', '@backend', 2, 'has that name already'],
])('@%s to %s ends with %i, and changes nothing', async (from, to, code, text) => {
  const home = tempHome('backend', 'frontend', 'docs')
  await say(home, 'docs', 'left behind')
  await chat(home, ['leave', 'docs'])
  const before = readFileSync(home.sessions, 'utf8')
  const run = await chat(home, ['rename', from, to])
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(text)])
  expect(readFileSync(home.sessions, 'utf8')).toBe(before)
  expect(existsSync(home.names)).toBe(false)
})

const STEPS = [
  'rename:recorded',
  'rename:registered',
  'rename:marks',
  'rename:inbox',
  'rename:moved',
]

describe.each(STEPS)('killed at %s', (step) => {
  async function killed(): Promise<Home> {
    const home = tempHome('backend', 'frontend')
    await say(home, 'backend', 'one')
    await chat(home, ['inbox', 'backend'])
    await say(home, 'backend', 'two')
    await say(home, 'backend', 'three', '--quiet')
    const run = await chat(home, ['rename', 'backend', 'payments'], { AGENT_CHAT_FAULT: step })
    expect(run.signal).toBe('SIGKILL')
    // A killed holder's lock is passed over after some seconds.
    rmSync(`${home.sessions}.lock`, { recursive: true, force: true })
    return home
  }

  test.each(['backend', 'payments'])('the messages are there by the name @%s', async (name) => {
    expect(await bodiesOf(await killed(), name)).toEqual(['two', 'three'])
  })

  test.each([
    ['the same again', ['rename', 'backend', 'payments']],
    ['doctor', ['doctor', '--no-ring']],
  ])('%s finishes it', async (_, args) => {
    const home = await killed()
    expect((await chat(home, args)).code).toBe(0)
    expect(Object.keys(JSON.parse(readFileSync(home.sessions, 'utf8'))).sort()).toEqual([
      'frontend',
      'payments',
    ])
    expect(readRenames(home)).toMatchObject([{ from: 'backend', to: 'payments', done: true }])
    expect(filesIn(home.inbox('backend')).filter((file) => file.endsWith('.md'))).toEqual([])
    expect(filesIn(home.readDirectory('payments'))).toHaveLength(1)
    expect(filesIn(home.heldBy('payments'))).toHaveLength(1)
    expect(eventsOf(home, 'renamed')).toHaveLength(1)
    const again = await chat(home, ['doctor', '--no-ring', '--json'])
    expect(
      JSON.parse(again.stdout).checks.filter(({ name }: { name: string }) => name === 'leftovers'),
    ).toMatchObject([{ status: 'ok' }])
    expect(await bodiesOf(home, 'payments')).toEqual(['two', 'three'])
  })

  test('nobody joins under either name meanwhile', async () => {
    const home = await killed()
    for (const name of ['backend', 'payments'])
      expect((await chat(home, ['join', name, '--force', '--no-watch'])).code).toBe(8)
  })
})

test('a send that began before the rename and ends after it arrives, once', async () => {
  const home = tempHome('backend', 'frontend')
  const sender = startCli(['send', '@backend', 'on its way', '--as', 'frontend'], {
    home: home.root,
    env: { AGENT_CHAT_FAULT: 'send:published:stop' },
  })
  const ended = outcome(sender)
  await until('the sender to stop', () =>
    filesIn(home.messages).some((file) => !file.startsWith('.')),
  )
  expect((await chat(home, ['rename', 'backend', 'payments'])).code).toBe(0)
  await until('the sender to have stopped', () => isStopped(sender.pid))
  sender.kill('SIGCONT')
  expect((await ended).code).toBe(0)
  expect(await bodiesOf(home, 'payments')).toEqual(['on its way'])
})

test.each([false, true])(
  'what a killed sender has left under the old name is brought; taken by a newcomer: %s',
  async (taken) => {
    const bus = tempBus(['backend', 'frontend'])
    const { home } = bus
    const { message } = sendMessage(bus, {
      from: 'frontend',
      to: 'backend',
      kind: 'note',
      body: 'astray',
    })
    // The clock counts milliseconds, and a name is taken from one of them on.
    await until('the next millisecond', () => bus.clock.now() > Date.parse(message.timestamp))
    await renameSession(bus, 'backend', 'payments')
    if (taken) {
      expect((await chat(home, ['join', 'backend', '--no-watch'])).code).toBe(0)
      await say(home, 'backend', 'for the newcomer')
    }
    mkdirSync(home.inbox('backend'), { recursive: true })
    renameSync(home.unread('payments', message.id), home.unread('backend', message.id))
    expect((await sweepHome(bus, { mend: true })).map(({ state }) => state)).toContain('astray')
    expect(await bodiesOf(home, 'payments')).toEqual(['astray'])
    if (taken) expect(await bodiesOf(home, 'backend')).toEqual(['for the newcomer'])
    expect((await sweepHome(bus, { mend: true })).map(({ state }) => state)).not.toContain('astray')
  },
)

test('what a session brings along under the old name of another is its own', async () => {
  const bus = tempBus(['backend', 'frontend'])
  sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'note',
    body: 'older than the renames',
  })
  await renameSession(bus, 'backend', 'payments')
  await renameSession(bus, 'frontend', 'backend')
  expect((await sweepHome(bus, { mend: true })).map(({ state }) => state)).not.toContain('astray')
  expect(await bodiesOf(bus.home, 'backend')).toEqual(['older than the renames'])
})

test('sends, reads and renames at once: each message is read once', async () => {
  const home = tempHome('backend', 'frontend')
  const sends = Array.from({ length: 12 }, (_, at) => say(home, 'backend', `m${at}`))
  const renames = (async () => {
    for (const [from, to] of [
      ['backend', 'b'],
      ['b', 'c'],
      ['c', 'backend'],
    ] as const)
      expect((await chat(home, ['rename', from, to])).code).toBe(0)
  })()
  const sent = await Promise.all(sends)
  await renames
  expect(sent.filter(({ code }) => code !== 0)).toEqual([])
  await chat(home, ['doctor', '--no-ring'])
  expect((await bodiesOf(home, 'backend')).sort()).toEqual(sent.map((_, at) => `m${at}`).sort())
})
