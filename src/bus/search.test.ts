import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countFs } from '../testing/fsCalls.ts'
import { tempBus } from '../testing/home.ts'
import { fileText, putInInbox } from '../testing/message.ts'
import type { Bus } from './bus.ts'
import type { Draft } from './mail/draft.ts'
import { markRead } from './mail/inbox.ts'
import { sendMessage } from './mail/send.ts'
import { type Search, searchMessages } from './search.ts'

function world() {
  const bus = tempBus(['backend', 'frontend', 'docs'])
  const send = (body: string, more: Partial<Draft> = {}) =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body, ...more }).message
  return { bus, send }
}

/** Searches, and gives what was found, the newest first. */
function look(bus: Bus, words: string[], more: Partial<Search> = {}, limit = 100) {
  const found = searchMessages(bus.home, { words, ...more }, limit)
  return { ...found, bodies: found.hits.map(({ message }) => message.body) }
}

const bodies = (bus: Bus, ...words: string[]) => look(bus, words).bodies

describe('what is found', () => {
  test('every word, in any case and anywhere; the newest first', () => {
    const { bus, send } = world()
    for (const body of ['GET /tasks is ready', 'ready?', 'tasks: not READY', 'nothing']) send(body)
    expect(bodies(bus, 'Ready', 'TASKS')).toEqual(['tasks: not READY', 'GET /tasks is ready'])
    expect(bodies(bus, 'nowhere')).toEqual([])
    expect(bodies(bus, 'ready', 'nowhere')).toEqual([])
  })

  test.each([
    ['say "no"'],
    ['f(x)[0] {y}'],
    ['.*'],
    ['a|b$^'],
    ['\\d+\\'],
    ["it's"],
    ['`$HOME`'],
    ['%s'],
    ['a\nb'],
    ['\u001b[2J'],
    ['<tag> & "more"'],
  ])('%j is text and nothing else', (text) => {
    const { bus, send } = world()
    send(`before ${text} behind`)
    send('before d behind a b f x 0 y HOME')
    expect(bodies(bus, text)).toEqual([`before ${text} behind`])
  })

  test.each([
    ['ÄRGER', 'ärger'],
    ['Cafe\u0301', 'caf\u00e9'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ИНБОКС', 'инбокс'],
    ['試験 🚀', '🚀'],
  ])('%s holds %s', (text, word) => {
    const { bus, send } = world()
    send(text)
    expect(bodies(bus, word)).toEqual([text])
  })

  test('several words together stand together', () => {
    const { bus, send } = world()
    send('the amount is a string')
    send('a string, the amount')
    expect(bodies(bus, 'amount is a')).toEqual(['the amount is a string'])
  })

  test('no word is found across two messages, or in what only the file has', () => {
    const { bus, send } = world()
    send('one')
    send('two')
    for (const word of ['one\0', 'onetwo', 'backend', 'note', 'from-', '2026-'])
      expect(bodies(bus, word)).toEqual([])
  })

  test('the line is the first that holds the most words; the subject is line 0', () => {
    const { bus, send } = world()
    const line = (...words: string[]) => look(bus, words).hits[0]?.line
    send('first line\nsecond Line of text\nthird line of text', { subject: 'the text' })
    expect(line('line')).toEqual({ number: 1, text: 'first line' })
    expect(line('of', 'LINE')).toEqual({ number: 2, text: 'second Line of text' })
    expect(line('text')).toEqual({ number: 0, text: 'the text' })
    expect(line('line\nthird')).toBeUndefined()
    expect(line('text\nthird')).toEqual({ number: 2, text: 'second Line of text' })
  })

  test('a body of nothing but lines', () => {
    const { bus, send } = world()
    send(`${'\n'.repeat(260_000)}last`)
    expect(look(bus, ['LAST']).hits[0]?.line).toEqual({ number: 260_001, text: 'last' })
  })

  test('from, to, kind and since, together with words; as many as asked, and whether there are more', () => {
    const { bus, send } = world()
    for (const from of ['backend', 'docs'])
      for (const to of ['frontend', 'backend']) send('x', { from, to })
    const task = send('x', { kind: 'task' })
    const pairs = (more: Partial<Search>) =>
      look(bus, ['x'], more).hits.map(({ message: { from, to, kind } }) => `${from} ${to} ${kind}`)
    expect(pairs({ from: 'docs' })).toEqual(['docs backend note', 'docs frontend note'])
    expect(pairs({ from: 'docs', to: 'backend' })).toEqual(['docs backend note'])
    expect(pairs({ kind: 'task' })).toEqual(['backend frontend task'])
    expect(pairs({ since: Date.parse(task.timestamp) + 1 })).toEqual([])
    expect(pairs({ since: Date.parse(task.timestamp) })).toContain('backend frontend task')
    expect(look(bus, ['x'], {}, 2)).toMatchObject({ bodies: ['x', 'x'], more: true })
    expect(look(bus, ['x'], {}, 5)).toMatchObject({ bodies: Array(5).fill('x'), more: false })
  })

  test('a session goes by the name that it has now, also where another has had that name before', () => {
    const { bus, send } = world()
    send('x', { from: 'docs' })
    const at = new Date(bus.clock.now() + 1000).toISOString()
    const rename = (from: string, to: string, until: string | null) => ({
      from,
      to,
      at,
      until,
      done: true,
    })
    for (const renames of [
      [rename('docs', 'api', null)],
      [rename('docs', 'api', at), rename('web', 'docs', null)],
    ]) {
      writeFileSync(bus.home.names, JSON.stringify(renames))
      expect(look(bus, ['x'], { from: 'api' }).hits.map(({ message: { from } }) => from)).toEqual([
        'api',
      ])
      expect(look(bus, ['x'], { from: 'docs' }).hits).toEqual([])
    }
  })

  test('newest is by the time that a message says, also where its id is of another form', () => {
    const { bus } = world()
    for (const [file, time] of [
      ['2.md', '2026-01-02'],
      ['zz.md', '2026-01-01'],
      ['aa.md', '2026-01-03'],
    ])
      putInInbox(
        bus.home,
        'docs',
        file ?? '',
        `---\nfrom: backend\nto: docs\ntimestamp: ${time}T00:00:00Z\n---\nx ${time}\n`,
      )
    expect(bodies(bus, 'x')).toEqual(['x 2026-01-03', 'x 2026-01-02', 'x 2026-01-01'])
  })

  test('needs no history: cut, rotated or gone', () => {
    const { bus, send } = world()
    send('x1')
    renameSync(bus.home.history, `${bus.home.history}.1`)
    send('x2')
    expect(bodies(bus, 'x')).toEqual(['x2', 'x1'])
    rmSync(bus.home.history)
    send('x3')
    expect(bodies(bus, 'x')).toEqual(['x3', 'x2', 'x1'])
  })

  test('a home that is not there has nothing, and stays so', () => {
    const { bus } = world()
    rmSync(bus.home.root, { recursive: true })
    expect(bodies(bus, 'x')).toEqual([])
    expect(() => readFileSync(bus.home.root)).toThrow('ENOENT')
  })
})

describe('reads as little as it can', () => {
  test('no older message than those that were asked for', () => {
    const { bus, send } = world()
    for (let at = 0; at < 20; at += 1) send(`x${at}`)
    const opened = countFs('openSync')
    expect(look(bus, ['x'], {}, 3)).toMatchObject({ bodies: ['x19', 'x18', 'x17'], more: true })
    expect(opened).toHaveLength(4)
  })

  test('no message of before the time that was asked for', () => {
    const { bus, send } = world()
    for (let at = 0; at < 20; at += 1) send('x')
    const opened = countFs('openSync')
    expect(look(bus, ['x'], { since: Date.now() + 60_000 }).hits).toEqual([])
    expect(opened).toEqual([])
  })
})

describe('a subject', () => {
  test.each([
    ['a quote: "yes"'],
    ['a \\ and a \u0085'],
    ['a line\nand another'],
    ['two\u2028lines'],
  ])('%j is found by its text', (subject) => {
    const { bus, send } = world()
    send('body', { subject })
    expect(bodies(bus, subject.replaceAll('\n', ' '))).toEqual(['body'])
  })

  test.each([
    ["'it''s here'", "it's here"],
    ['>\n  it is\n  here', 'it is here'],
    ['it is\n  here', 'it is here'],
    ['"\\u0069t is here"', 'it is here'],
  ])('that a hand wrote as %j is found by %j', (subject, word) => {
    const { bus } = world()
    const text = fileText('backend', 'docs', 'body').replace('---\n', `---\nsubject: ${subject}\n`)
    putInInbox(bus.home, 'docs', 'note-from-backend.md', text)
    expect(bodies(bus, word)).toEqual(['body'])
  })
})

describe('by hand', () => {
  test('put into an inbox, and read from there, without an archive that knows', () => {
    const { bus } = world()
    putInInbox(bus.home, 'docs', 'note-from-backend.md', fileText('backend', 'docs', 'by hand'))
    expect(bodies(bus, 'by hand')).toEqual(['by hand'])
    markRead(bus, 'docs', 'note-from-backend')
    expect(bodies(bus, 'by hand')).toEqual(['by hand'])
  })

  test('removed: it is found no more', () => {
    const { bus, send } = world()
    const { id } = send('the secret')
    send('the rest')
    markRead(bus, 'frontend', id)
    rmSync(bus.home.message(id))
    // Its link in read/ is a message still.
    expect(bodies(bus, 'the')).toEqual(['the rest', 'the secret'])
    rmSync(bus.home.read('frontend', id))
    expect(bodies(bus, 'the')).toEqual(['the rest'])
  })

  test('put into the archive while nothing is sent', () => {
    const { bus, send } = world()
    send('x')
    writeFileSync(bus.home.message('note-from-backend'), fileText('backend', 'docs', 'x by hand'))
    expect(look(bus, ['x']).hits).toHaveLength(2)
  })

  test('what is no message is passed over', () => {
    const { bus, send } = world()
    send('x')
    for (const [file, text] of Object.entries({
      'bad.md': 'x',
      '.x.1.tmp': 'x',
      'notes.txt': 'x',
      'a-from-b.md': '',
    }))
      writeFileSync(`${bus.home.messages}/${file}`, text)
    writeFileSync(`${bus.home.inboxes}/stray`, 'x')
    expect(bodies(bus, 'x')).toEqual(['x'])
  })
})
