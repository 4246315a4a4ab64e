import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { ensureHome } from '../bus/home.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { rotateHistory } from '../bus/upkeep/rotate.ts'
import type { Entry, MessageEntry } from '../chat/live/entry.ts'
import { main } from '../cli/program.ts'
import { systemPorts } from '../cli/systemPorts.ts'
import { escalationBody, escalationFields } from '../message/escalation.ts'
import { shortId } from '../message/shortId.ts'
import { noteReads } from '../session/reads.ts'
import { noteEvent } from '../session/stateFile.ts'
import { startAgent } from '../testing/agent.ts'
import { runCli } from '../testing/cli.ts'
import { eventsOf, filesIn, register, tempBus } from '../testing/home.ts'
import { linkWithA } from '../testing/linked.ts'
import { until } from '../testing/until.ts'
import { type Live, openLive } from './live.ts'
import type { Room } from './model/room.ts'

type Seen = { live: Live; entries: Entry[]; bells: () => number }

/** A room on this home. With `looks`, the human looks at each message when it comes. */
function openOn(bus: Bus, { looks = false, to }: { looks?: boolean; to?: string } = {}): Seen {
  const root = { script: '/nowhere', root: '/nowhere', bus: () => bus, openConsole: async () => {} }
  // The keys of a console that a person has opened.
  const ports = { ...systemPorts(root, {}), typed: 'terminal' as const }
  const run = async (argv: string[]) => {
    const printed: string[] = []
    const said: string[] = []
    const tell = (text: string) => said.push(text)
    const heard = { print: (text: string) => printed.push(text), notice: tell, talk: tell }
    const exit = await main(argv, { ...ports, ...heard })
    return { exit, printed: printed.join(''), said }
  }
  const entries: Entry[] = []
  let bells = 0
  const shown: string[] = []
  let live: Live | undefined
  const added = (entry: Entry) => {
    entries.push(entry)
    if (entry.type === 'message') shown.push(entry.id)
    if (looks) live?.looked(shown)
  }
  live = openLive({ ...ports, commands: { run, load: async () => {} } }, to, {
    changed: () => {},
    added,
    bell: () => (bells += 1),
  })
  if (looks) live.looked(shown)
  onTestFinished(() => live.close())
  return { live, entries, bells: () => bells }
}

function send(
  bus: Bus,
  from: string,
  to: string,
  body: string,
  more: Partial<Parameters<typeof sendMessage>[1]> = {},
) {
  return sendMessage(bus, { from, to, kind: 'handover', body, ...more }).message
}

function escalate(bus: Bus, number: number) {
  const options = ['drop it', 'keep it']
  const extra = escalationFields(number, options)
  return send(bus, 'backend', 'human', escalationBody({ question: 'Drop it?', options }), {
    kind: 'question',
    extra,
  })
}

const messages = (entries: Entry[]) =>
  entries.filter((entry): entry is MessageEntry => entry.type === 'message')
const texts = (entries: Entry[]) => entries.map(({ text }) => text)
const sent = (bus: Bus) => eventsOf(bus.home, 'sent')

describe('what the room shows', () => {
  test('what was there, in its order, then what comes; each message once', async () => {
    const bus = tempBus(['backend', 'frontend'])
    send(bus, 'backend', 'frontend', 'one')
    send(bus, 'backend', 'human', 'two\nlines')
    const { entries, live, bells } = openOn(bus)
    expect(texts(entries)).toEqual(['one', 'two\nlines'])
    send(bus, 'frontend', 'human', 'three\nlines')
    send(bus, 'frontend', 'backend', 'four')
    await until('what came', () => messages(entries).length === 4)
    expect(texts(messages(entries)).slice(2).sort()).toEqual(['four', 'three\nlines'])
    await live.submit('/who')
    expect(new Set(messages(entries).map(({ id }) => id)).size).toBe(messages(entries).length)
    expect(bells()).toBe(1)
  })

  test('a message is held until it is read, also for a console that is opened later', async () => {
    const bus = tempBus(['backend', 'frontend'])
    const silent = { ring: 'held' as const, why: '4 messages on this chain' }
    const held = (room: Room) =>
      room.entries.map((entry) => (entry.type === 'message' ? entry.held : undefined))
    const { live } = openOn(bus)
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'one', silent })
    await until('it is held', () => held(live.room())[0] === silent.why)
    expect(held(openOn(bus).live.room())).toEqual([silent.why])
    await runCli(['inbox', 'frontend'], { home: bus.home.root })
    await until('it is read', () => held(live.room())[0] === undefined)
    expect(held(openOn(bus).live.room())).toEqual([undefined])
  })

  test('three hundred messages at once, none lost and none twice', async () => {
    const bus = tempBus(['backend', 'frontend'])
    const { entries } = openOn(bus)
    for (let count = 0; count < 300; count += 1)
      send(bus, 'backend', count % 10 === 0 ? 'human' : 'frontend', `m${count}`)
    await until('all of them', () => messages(entries).length >= 300)
    expect(new Set(texts(messages(entries))).size).toBe(300)
    expect(messages(entries)).toHaveLength(300)
  })

  test('nothing again of a history that was rotated, and what comes then', async () => {
    const bus = tempBus(['backend', 'frontend'])
    for (let count = 0; count < 80; count += 1) send(bus, 'backend', 'frontend', `m${count}`)
    const { live, entries } = openOn(bus)
    await live.submit('@backend hello')
    await until('the feed', () => live.room().people.length === 2)
    const before = entries.length
    await rotateHistory(bus, ({ id }) => String(id) > String(eventsOf(bus.home, 'sent')[10]?.id))
    send(bus, 'backend', 'frontend', 'after')
    await until('what came then', () => texts(entries).includes('after'))
    expect(entries).toHaveLength(before + 1)
  })

  test('who is here, what they have unread, and whether all is paused', async () => {
    const bus = tempBus(['backend', 'frontend'])
    send(bus, 'backend', 'frontend', 'one')
    const { live } = openOn(bus)
    await until('the people', () => live.room().people.length === 2)
    expect(live.room().people).toMatchObject([
      { name: 'backend', unread: 0 },
      { name: 'frontend', unread: 1 },
    ])
    expect((await live.submit('/pause')).exit).toBe(0)
    await until('the pause', () => live.room().paused)
    expect((await live.submit('/resume')).exit).toBe(0)
    await until('the end of it', () => !live.room().paused)
  })

  test('how far a message of the human’s has come', async () => {
    const bus = tempBus(['backend'])
    const { live, entries } = openOn(bus)
    await live.submit('@backend hello')
    const id = messages(entries)[0]?.id ?? ''
    const { markRead } = await import('../bus/mail/inbox.ts')
    markRead(bus, 'backend', id)
    await until('the stage', () =>
      live.room().entries.some((entry) => entry.type === 'message' && entry.stage === 'read'),
    )
  })
})

describe('a message to the human', () => {
  test('is read when the human has looked at it, and not before', async () => {
    const bus = tempBus(['backend'])
    const { id } = send(bus, 'backend', 'human', 'one')
    const { live } = openOn(bus)
    expect([unreadIds(bus.home, 'human'), live.unseen()]).toEqual([[id], [id]])
    expect(await live.submit('/inbox')).toEqual({ exit: 0, inbox: true })
    await until('the list', () => live.room().unread.length === 1)
    live.looked([id])
    await until('the mark', () => unreadIds(bus.home, 'human').length === 0)
    expect(live.unseen()).toEqual([])
    await until('the list', () => live.room().unread.length === 0)
    expect(eventsOf(bus.home, 'read')).toMatchObject([{ id, by: 'human' }])
    expect(filesIn(bus.home.readDirectory('human'))).toEqual([`${id}.md`])
  })

  test('is shown by two rooms, and read once', async () => {
    const bus = tempBus(['backend'])
    const rooms = [openOn(bus, { looks: true }), openOn(bus, { looks: true })]
    send(bus, 'backend', 'human', 'one')
    await until('both', () => rooms.every(({ entries }) => messages(entries).length === 1))
    await until('the mark', () => unreadIds(bus.home, 'human').length === 0)
    await rooms[0]?.live.submit('@backend /task two')
    await until('both again', () => rooms.every(({ entries }) => messages(entries).length === 2))
    expect(eventsOf(bus.home, 'read')).toHaveLength(1)
  })

  test('that somebody else reads first is shown all the same', async () => {
    const bus = tempBus(['backend'])
    const { entries } = openOn(bus)
    const message = send(bus, 'backend', 'human', 'one\ntwo')
    renameSync(bus.home.unread('human', message.id), bus.home.read('human', message.id))
    await until('the message', () => messages(entries).length === 1)
    expect(texts(entries)).toEqual(['one\ntwo'])
  })

  test('that is no message harms nothing', async () => {
    const bus = tempBus(['backend'])
    mkdirSync(bus.home.readDirectory('human'), { recursive: true })
    writeFileSync(bus.home.unread('human', '20261121T033912.123456Z-from-backend'), 'no header')
    const { entries } = openOn(bus)
    send(bus, 'backend', 'human', 'one')
    await until('the message', () => messages(entries).length === 1)
  })
})

describe('what is typed', () => {
  test('goes to whom it names, and from then on without a name', async () => {
    const bus = tempBus(['backend', 'frontend'])
    const { live, entries } = openOn(bus)
    for (const line of [
      '@backend one',
      'two',
      '@frontend /task three',
      '@backend',
      'four',
      '-',
      '--help',
    ])
      expect((await live.submit(line)).exit).toBe(0)
    expect(sent(bus).map(({ to, kind, preview }) => [to, kind, preview])).toEqual([
      ['backend', 'note', 'one'],
      ['backend', 'note', 'two'],
      ['frontend', 'task', 'three'],
      ['backend', 'note', 'four'],
      ['backend', 'note', '-'],
      ['backend', 'note', '--help'],
    ])
    expect(sent(bus).every(({ from }) => from === 'human')).toBe(true)
    expect(texts(messages(entries))).toEqual(['one', 'two', 'three', 'four', '-', '--help'])
  })

  test('goes to a session of another machine, which is known by its whole name', async () => {
    const bus = tempBus(['frontend'])
    linkWithA(bus)
    const { live } = openOn(bus)
    expect(live.known().names).toEqual(expect.arrayContaining(['backend.a', 'ops.a']))
    expect((await live.submit('@backend.a one')).exit).toBe(0)
    expect(sent(bus).map(({ to }) => to)).toEqual(['backend.a'])
    expect(filesIn(bus.home.out('a'))).toHaveLength(1)
    expect((await live.submit('@backend two')).exit).toBe(4)
  })

  test('approves beforehand, as the human alone may', async () => {
    const { live, entries } = openOn(tempBus(['backend', 'frontend']))
    expect((await live.submit('/approve @frontend --name backend')).exit).toBe(0)
    await until('the event', () =>
      texts(entries).includes('@backend may write to and from @frontend without a dialog'),
    )
  })

  test.each([
    ['@nobody hello', 4, /no session named @nobody/],
    ['@all hello', 2, /no broadcast/],
    ['@Ab,c hello', 2, /broadcast|name/],
    ['hello', 2, /no recipient/],
    ['/nothing', 2, /no command/],
    ['/show 0000', 4, /no message/],
    ['/reply 0000 yes', 4, /no decision 0/],
    ['#7 1', 4, /no decision 7/],
    ['#7', 4, /no decision 7/],
    ['/history --follow', 2, /already follows/],
    ['/resume nochain', 4, /no held chain/],
  ])('%s', async (line, exit, why) => {
    const bus = tempBus(['backend', 'frontend'])
    const { live, entries } = openOn(bus)
    expect((await live.submit(line)).exit).toBe(exit)
    expect(entries.at(-1)).toMatchObject({ tone: 'error', text: expect.stringMatching(why) })
    expect(sent(bus)).toEqual([])
  })

  test('is refused where it is longer than a message', async () => {
    const { live } = openOn(tempBus(['backend']))
    expect((await live.submit('@backend '.padEnd(300_000, 'x'))).exit).toBe(2)
  })

  test.each(['/who', '/tasks', '/history', '/gate', '/status', '/help'])(
    '%s answers',
    async (line) => {
      const bus = tempBus(['backend'])
      send(bus, 'backend', 'frontend', 'one', { kind: 'task' })
      const { live, entries } = openOn(bus)
      expect((await live.submit(line)).exit).toBe(0)
      expect(entries.at(-2)).toMatchObject({ tone: 'typed', text: line })
      expect(entries.at(-1)).toMatchObject({
        tone: 'answer',
        text: expect.stringMatching(/backend|@name/),
      })
    },
  )

  test('answers a message by a part of its id, and shows its thread', async () => {
    const bus = tempBus(['backend', 'frontend'])
    const message = send(bus, 'backend', 'frontend', 'one')
    const { live, entries } = openOn(bus)
    expect((await live.submit(`/reply ${message.id.slice(9, 22)} two\nlines`)).exit).toBe(0)
    expect(sent(bus).at(-1)).toMatchObject({
      to: 'backend',
      in_reply_to: message.id,
      preview: 'two\nlines',
    })
    await live.submit(`/thread ${message.id.slice(9, 22)}`)
    expect(entries.at(-1)).toMatchObject({
      tone: 'answer',
      text: expect.stringMatching(/one[\s\S]*two\nlines/),
    })
  })

  test('/stop ends a session as stop does, a worker as down does, and nobody without a name', async () => {
    const bus = tempBus(['backend'])
    mkdirSync(bus.home.agents, { recursive: true })
    writeFileSync(bus.home.agentFile('coder'), '')
    const { live, entries } = openOn(bus)
    const said = async (line: string) => {
      await live.submit(line)
      return entries.at(-1)?.text
    }
    expect(await said('/stop @backend')).toContain('did not start the agent of @backend')
    expect(await said('/stop @coder')).toBe(
      'no worker named @coder has run\nsee the workers with: /health; end a session with: /stop <name>',
    )
    expect(await said('/stop')).toContain('stop takes a name')
  })

  test('answers a decision by its number, which then waits no more', async () => {
    const bus = tempBus(['backend'])
    escalate(bus, 3)
    const { live, entries } = openOn(bus)
    await until('the question', () => live.room().needs.length === 1)
    expect(live.room().needs).toMatchObject([
      { number: 3, from: 'backend', options: ['drop it', 'keep it'] },
    ])
    expect((await live.submit('#3 9')).exit).toBe(2)
    expect((await live.submit('7')).exit).toBe(2)
    expect(texts(entries).at(-1)).toMatch(/7 is not sent: it may be meant for decision 3\n/)
    await live.submit('#3')
    expect(entries.at(-1)?.text).toContain('1. drop it')
    expect((await live.submit('#3 2')).exit).toBe(0)
    expect(sent(bus).at(-1)).toMatchObject({ to: 'backend', preview: '2. keep it' })
    await until('no question', () => live.room().needs.length === 0)
    const isAnswered = ({ live: { room } }: Pick<Seen, 'live'>) =>
      room().entries.some((entry) => entry.type === 'message' && entry.answered === true)
    await until('the mark', () => isAnswered({ live }))
    expect(isAnswered(openOn(bus))).toBe(true)
    await live.submit('#3 1')
    expect(entries.at(-1)?.text).toBe(
      `decision 3 already has an answer: ${shortId(String(sent(bus).at(-1)?.id))}\nto say more: @backend …`,
    )
  })

  test('a session with the name of an agent gets a note, and /stop ends it and no worker', async () => {
    const bus = tempBus(['backend'])
    mkdirSync(bus.home.agents, { recursive: true })
    for (const name of ['backend', 'coder']) writeFileSync(bus.home.agentFile(name), '')
    const { live, entries } = openOn(bus)
    await live.submit('@backend the tests may run now')
    expect(sent(bus).at(-1)).toMatchObject({ to: 'backend', kind: 'note' })
    await live.submit('/stop @backend')
    expect(entries.at(-1)?.text).toContain('agent-chat did not start the agent of @backend')
    await live.submit('/stop @coder')
    expect(entries.at(-1)?.text).toContain('no worker named @coder has run')
  })

  test('is done also after a line whose outcome could not be shown', async () => {
    const { live, entries } = openOn(tempBus(['backend']))
    const push = entries.push
    entries.push = () => {
      throw new Error('the terminal is gone')
    }
    await expect(live.submit('/nothing')).rejects.toThrow('the terminal is gone')
    entries.push = push
    expect((await live.submit('@backend one')).exit).toBe(0)
  })

  test('is done line by line, in its order', async () => {
    const bus = tempBus(['backend'])
    const { live } = openOn(bus)
    await Promise.all(Array.from({ length: 20 }, (_, at) => live.submit(`@backend ${at}`)))
    expect(sent(bus).map(({ preview }) => preview)).toEqual(
      Array.from({ length: 20 }, (_, at) => String(at)),
    )
  })
})

describe('a question', () => {
  test('holds nothing up; its answer is shown when it comes', async () => {
    const bus = tempBus(['backend'])
    const { live, entries } = openOn(bus)
    expect((await live.submit('@backend /ask why?')).exit).toBe(0)
    expect((await live.submit('and this')).exit).toBe(0)
    const question = messages(entries)[0]
    expect(question).toMatchObject({ kind: 'question', text: 'why?' })
    const inReplyTo = { id: question?.id ?? '', thread: question?.id ?? '' }
    send(bus, 'backend', 'human', 'because', { kind: 'reply', inReplyTo })
    await until('the answer', () => texts(entries).includes('because'))
  })

  test('tells once that the other side has ended its turn, has a dialog open, is gone', async () => {
    const bus = tempBus()
    const agent = startAgent(bus)
    const session = { name: 'backend', agent: agent.ref, native: true, doorbell: 'auto' }
    writeFileSync(bus.home.sessions, JSON.stringify({ backend: session }))
    const { live, entries } = openOn(bus)
    const becomes = (kind: 'stopped' | 'asked') =>
      noteEvent(bus, 'backend', {
        kind,
        at: new Date(bus.clock.now()).toISOString(),
        session_id: 'x',
        agent: agent.ref,
      })
    await live.submit('@backend /ask why?')
    becomes('asked')
    await until('the dialog', () =>
      texts(entries).some((text) => text.includes('has a dialog open')),
    )
    const { readArchived } = await import('../bus/mail/archive.ts')
    noteReads(bus, 'backend', [
      { message: readArchived(bus.home, messages(entries)[0]?.id ?? ''), approved: false },
    ])
    const read = bus.clock.now()
    await until('a later moment', () => bus.clock.now() > read)
    becomes('stopped')
    await until('the end of the turn', () =>
      texts(entries).some((text) => text.includes('finished its turn')),
    )
    await agent.end()
    await live.submit('/who')
    await until('the end', () =>
      texts(entries).some((text) => text.includes('its agent has ended')),
    )
    const told = texts(entries).filter((text) =>
      /dialog|finished its turn|agent has ended/.test(text),
    )
    expect(told).toHaveLength(3)
  })

  test('to one who is gone is not sent', async () => {
    const bus = tempBus()
    const agent = startAgent(bus)
    writeFileSync(bus.home.sessions, JSON.stringify({ backend: { agent: agent.ref } }))
    await agent.end()
    const { live } = openOn(bus)
    expect((await live.submit('@backend /ask why?')).exit).toBe(4)
    expect(sent(bus)).toEqual([])
  })
})

test('a home that is removed is told of and not made again; with another in its place the room goes on', async () => {
  const bus = tempBus(['backend'])
  const { live, entries } = openOn(bus)
  await until('the people', () => live.room().people.length === 1)
  rmSync(bus.home.root, { recursive: true })
  await until('the trouble', () => live.room().trouble?.includes('is gone'))
  for (const line of ['@backend hello', '/pause', '/who'])
    expect((await live.submit(line)).exit).toBe(1)
  expect(filesIn(bus.home.root)).toEqual([])
  ensureHome(bus.home)
  register(bus.home, 'backend')
  await until('the end of it', () => live.room().trouble === undefined)
  send(bus, 'backend', 'human', 'back')
  await until('the message', () => texts(entries).includes('back'))
})
