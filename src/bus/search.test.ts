import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { serializeMessage } from '../message/serialize.ts'
import { tempBus } from '../testing/home.ts'
import { fileText, putInInbox, someMessage } from '../testing/message.ts'
import type { Bus } from './bus.ts'
import { markRead } from './inbox.ts'
import { type Found, type Search, searchMessages } from './search.ts'
import { corpusRecord } from './searchCorpus.ts'
import { placeStamps } from './searchPlaces.ts'
import { type Draft, sendMessage } from './send.ts'

function world() {
  const bus = tempBus(['backend', 'frontend', 'docs'])
  const send = (body: string, more: Partial<Draft> = {}) =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body, ...more }).message
  return { bus, send }
}

/** Searches, and gives what was found, the newest first, and how many files were read for it. */
function look(
  bus: Bus,
  words: string[],
  more: Partial<Search> = {},
  limit = 100,
): Found & { bodies: string[]; read: number } {
  let read = 0
  const found = searchMessages(bus, { words, ...more }, limit, (count) => {
    read = count
  })
  return { ...found, bodies: found.hits.map(({ message }) => message.body), read }
}

/** As if all that was sent were of yesterday: then its files are surely whole, and the directories quiet. */
function age(bus: Bus): Bus {
  return { ...bus, clock: { ...bus.clock, now: () => Date.now() + 86_400_000 } }
}

const bodies = (bus: Bus, ...words: string[]) => look(bus, words).bodies

describe('what is found', () => {
  test('every word, in any case and anywhere; the newest first', () => {
    const { bus, send } = world()
    for (const body of ['GET /tasks is ready', 'ready?', 'tasks: not READY', 'nothing']) send(body)
    for (const at of [1, 2]) {
      expect([at, bodies(bus, 'Ready', 'TASKS')]).toEqual([at, ['tasks: not READY', 'GET /tasks is ready']])
      expect(bodies(bus, 'nowhere')).toEqual([])
      expect(bodies(bus, 'ready', 'nowhere')).toEqual([])
    }
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
    for (const _ of ['from the file', 'from the corpus'])
      expect(bodies(age(bus), text)).toEqual([`before ${text} behind`])
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
    for (const _ of ['from the file', 'from the corpus']) expect(bodies(age(bus), word)).toEqual([text])
  })

  test('several words together stand together', () => {
    const { bus, send } = world()
    send('the amount is a string')
    send('a string, the amount')
    expect(bodies(bus, 'amount is a')).toEqual(['the amount is a string'])
  })

  test('no word is found across two messages, or in what only the corpus has', () => {
    const { bus, send } = world()
    send('one')
    send('two')
    for (const word of ['one\0', 'onetwo', 'backend', 'note', 'from-', '2026-'])
      expect(bodies(age(bus), word)).toEqual([])
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

  test('from, to, kind and since, together with words; as many as asked, and how many there are', () => {
    const { bus, send } = world()
    for (const from of ['backend', 'docs']) for (const to of ['frontend', 'backend']) send('x', { from, to })
    const task = send('x', { kind: 'task' })
    const pairs = (more: Partial<Search>) =>
      look(bus, ['x'], more).hits.map(({ message: { from, to, kind } }) => `${from} ${to} ${kind}`)
    for (const _ of ['from the files', 'from the corpus']) {
      expect(pairs({ from: 'docs' })).toEqual(['docs backend note', 'docs frontend note'])
      expect(pairs({ from: 'docs', to: 'backend' })).toEqual(['docs backend note'])
      expect(pairs({ kind: 'task' })).toEqual(['backend frontend task'])
      expect(pairs({ since: Date.parse(task.timestamp) + 1 })).toEqual([])
      expect(pairs({ since: Date.parse(task.timestamp) })).toContain('backend frontend task')
      expect(look(age(bus), ['x'], {}, 2)).toMatchObject({ bodies: ['x', 'x'], found: 5 })
    }
  })

  test('a session goes by the name that it has now, also where another has had that name before', () => {
    const { bus, send } = world()
    const later = age(bus)
    send('x', { from: 'docs' })
    const at = new Date(bus.clock.now() + 1000).toISOString()
    const rename = (from: string, to: string, until: string | null) => ({ from, to, at, until, done: true })
    look(later, ['x'])
    for (const renames of [[rename('docs', 'api', null)], [rename('docs', 'api', at), rename('web', 'docs', null)]]) {
      writeFileSync(bus.home.names, JSON.stringify(renames))
      for (const corpus of ['as it was', 'anew']) {
        if (corpus === 'anew') rmSync(bus.home.corpus)
        expect(look(later, ['x'], { from: 'api' }).hits.map(({ message: { from } }) => from)).toEqual(['api'])
        expect(look(later, ['x'], { from: 'docs' }).found).toBe(0)
      }
      expect(readFileSync(bus.home.corpus, 'utf8')).toContain(' docs frontend note ')
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
    for (const _ of [1, 2]) expect(bodies(bus, 'x')).toEqual(['x 2026-01-03', 'x 2026-01-02', 'x 2026-01-01'])
  })

  test('a home that is not there has nothing, and stays so', () => {
    const { bus } = world()
    rmSync(bus.home.root, { recursive: true })
    expect(bodies(bus, 'x')).toEqual([])
    expect(() => readFileSync(bus.home.root)).toThrow('ENOENT')
  })
})

describe('the corpus', () => {
  test('each message is read from its file once', () => {
    const { bus, send } = world()
    const later = age(bus)
    for (let at = 0; at < 5; at += 1) send(`x${at}`)
    expect(look(later, ['x']).read).toBe(5)
    expect(look(later, ['x3'])).toMatchObject({ read: 0, bodies: ['x3'] })
    send('x5')
    expect(look(later, ['x'])).toMatchObject({ read: 1, found: 6 })
    expect(look(later, ['x'])).toMatchObject({ read: 0, found: 6 })
  })

  test('a file that may still be written is read, and not kept', () => {
    const { bus } = world()
    const path = bus.home.message('hand-from-backend')
    writeFileSync(path, fileText('backend', 'docs', 'half'))
    expect(bodies(bus, 'half')).toEqual(['half'])
    writeFileSync(path, fileText('backend', 'docs', 'whole'))
    utimesSync(path, 1, 1)
    expect(bodies(bus, 'whole')).toEqual(['whole'])
    expect(bodies(bus, 'half')).toEqual([])
  })

  test('what was removed is not found, and leaves the corpus', () => {
    const { bus, send } = world()
    const later = age(bus)
    const { id } = send('the secret')
    send('the rest')
    markRead(bus, 'frontend', id)
    expect(bodies(later, 'the')).toEqual(['the rest', 'the secret'])
    rmSync(bus.home.message(id))
    // Its link in read/ is a message still.
    expect(bodies(later, 'the')).toEqual(['the rest', 'the secret'])
    rmSync(bus.home.read('frontend', id))
    expect(readFileSync(bus.home.corpus, 'utf8')).toContain('the secret')
    expect(bodies(later, 'the')).toEqual(['the rest'])
    expect(readFileSync(bus.home.corpus, 'utf8')).not.toContain('secret')
    expect(look(later, ['the'])).toMatchObject({ read: 0, bodies: ['the rest'] })
  })

  test('while no directory has changed, the corpus is believed to have everything', () => {
    const { bus, send } = world()
    const later = age(bus)
    send('x')
    look(later, ['x'])
    const before = JSON.parse(readFileSync(bus.home.searchSeen, 'utf8'))
    send('y')
    // What would be true if nothing had been sent.
    const stamps = Object.fromEntries(placeStamps(bus.home, later.clock.now()))
    writeFileSync(bus.home.searchSeen, JSON.stringify({ ...before, stamps }))
    expect(bodies(later, 'y')).toEqual([])
    writeFileSync(bus.home.searchSeen, JSON.stringify(before))
    expect(bodies(later, 'y')).toEqual(['y'])
    expect(JSON.parse(readFileSync(bus.home.searchSeen, 'utf8')).stamps).toEqual(stamps)
  })

  test('a directory that has only just changed is not believed', () => {
    const { bus, send } = world()
    send('x')
    look(bus, ['x'])
    expect(JSON.parse(readFileSync(bus.home.searchSeen, 'utf8')).stamps).toEqual({})
  })

  test.each([
    ['removed', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path)],
    ['cut in a record', (path: string) => truncateSync(path, readFileSync(path).length - 3)],
    ['cut in a first line', (path: string) => truncateSync(path, readFileSync(path).indexOf('2026') + 10)],
    ['ended by zeros', (path: string) => zeroTail(path)],
    ['of another version', (path: string) => writeFileSync(path, 'agent-chat search 9\nx')],
    ['something else', (path: string) => writeFileSync(path, Buffer.alloc(9_000_000, 'x'))],
    ['open at its end', (path: string) => appendFileSync(path, 'hand-from-backend 9 backend docs no')],
    ['twice the same', (path: string) => appendFileSync(path, readFileSync(path).subarray(41))],
  ])('that was %s is made again', (_, harm) => {
    const { bus, send } = world()
    const later = age(bus)
    for (let at = 0; at < 10; at += 1) send(`message x${at}`)
    look(later, ['x'])
    const before = readFileSync(bus.home.corpus, 'latin1').split('\n').slice(1)
    harm(bus.home.corpus)
    expect(look(later, ['message'])).toMatchObject({ found: 10 })
    expect(look(later, ['x9'])).toMatchObject({ found: 1, read: 0 })
    expect(readFileSync(bus.home.corpus, 'latin1').split('\n').slice(1)).toEqual(before)
  })

  test('a record that says something else than the file is not believed', () => {
    const { bus, send } = world()
    const later = age(bus)
    const message = send('truth')
    look(later, ['x'])
    const head = readFileSync(bus.home.corpus).subarray(0, 41)
    writeFileSync(bus.home.corpus, Buffer.concat([head, corpusRecord({ ...message, body: 'lie' })]))
    expect(look(later, ['lie'])).toMatchObject({ hits: [], found: 0 })
  })

  test('what seen.json says is worth nothing without the corpus that it is about', () => {
    const { bus, send } = world()
    const later = age(bus)
    send('x')
    look(later, ['x'])
    const old = [readFileSync(bus.home.corpus), readFileSync(bus.home.searchSeen)] as const
    rmSync(bus.home.corpus)
    expect(bodies(later, 'x')).toEqual(['x'])
    writeFileSync(bus.home.searchSeen, old[1])
    expect(bodies(later, 'x')).toEqual(['x'])
    for (const text of ['', '{', '[]', 'null', '{"stamps":null,"corpus":1}', '{"stamps":{},"corpus":{}}']) {
      writeFileSync(bus.home.searchSeen, text)
      expect(bodies(later, 'x')).toEqual(['x'])
    }
  })

  test('needs no history: cut, rotated or gone', () => {
    const { bus, send } = world()
    send('x1')
    renameSync(bus.home.history, `${bus.home.history}.1`)
    send('x2')
    expect(bodies(age(bus), 'x')).toEqual(['x2', 'x1'])
    rmSync(bus.home.history)
    send('x3')
    expect(bodies(age(bus), 'x')).toEqual(['x3', 'x2', 'x1'])
  })

  test('more than is read at once, and a record on the border', () => {
    const { bus } = world()
    const body = `${'lorem ipsum '.repeat(8000)} x`
    for (let at = 100; at < 160; at += 1) {
      const id = `20260101T000000.000${at}Z-from-backend`
      writeFileSync(bus.home.message(id), serializeMessage(someMessage({ id, body: `${body}${at}` })))
    }
    const later = age(bus)
    for (const read of [60, 0]) {
      expect(look(later, ['ipsum'])).toMatchObject({ found: 60, read })
      for (const at of [100, 130, 143, 144, 159]) expect(look(later, [`x${at}`]).found).toBe(1)
    }
  })
})

describe('by hand', () => {
  test('put into an inbox, and read from there, without an archive that knows', () => {
    const { bus } = world()
    const later = age(bus)
    putInInbox(bus.home, 'docs', 'note-from-backend.md', fileText('backend', 'docs', 'by hand'))
    expect(bodies(later, 'by hand')).toEqual(['by hand'])
    markRead(bus, 'docs', 'note-from-backend')
    expect(bodies(later, 'by hand')).toEqual(['by hand'])
    expect(look(later, ['by hand']).read).toBe(0)
  })

  test('put into the archive while nothing is sent', () => {
    const { bus, send } = world()
    const later = age(bus)
    send('x')
    look(later, ['x'])
    writeFileSync(bus.home.message('note-from-backend'), fileText('backend', 'docs', 'x by hand'))
    expect(look(later, ['x']).found).toBe(2)
  })

  test('what is no message is passed over', () => {
    const { bus, send } = world()
    send('x')
    for (const [file, text] of Object.entries({ 'bad.md': 'x', '.x.1.tmp': 'x', 'notes.txt': 'x', 'a-from-b.md': '' }))
      writeFileSync(`${bus.home.messages}/${file}`, text)
    writeFileSync(`${bus.home.inboxes}/stray`, 'x')
    for (const _ of [1, 2]) expect(bodies(age(bus), 'x')).toEqual(['x'])
  })
})

/** As after a power cut: the file is as long as it was, and its last bytes never reached the disk. */
function zeroTail(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, bytes.length - 30))
}
