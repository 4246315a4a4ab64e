import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { escalateAs } from '../../src/chat/escalate.ts'
import type { Message } from '../../src/message/message.ts'
import { isWord } from '../../src/session/words.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, tempBus } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { allHeld } from '../../src/trust/sendGate/held.ts'
import type { Now } from '../../src/web/wire.ts'
import { get, liveTab, openedCookie, post } from './request.ts'
import { serve } from './served.ts'

async function world() {
  const bus = tempBus(['backend', 'frontend'])
  const served = await serve(bus.home)
  onTestFinished(() => served.kill('SIGTERM'))
  const cookie = await openedCookie(served)
  return {
    bus,
    served,
    cookie,
    does: (act: string, fields: Record<string, unknown>) => post(served, cookie, act, fields),
    room: () => get(served, cookie, '/api/room'),
  }
}

function asks(bus: Bus) {
  const ports = {
    bus: () => bus,
    env: {},
    notice: () => {},
    self: { node: '', script: '', root: '' },
  }
  return escalateAs('backend', { question: 'Drop it?', options: ['Yes', 'No'] }, ports)
}

const sent = (bus: Bus) =>
  eventsOf(bus.home, 'sent').map(({ from, to, kind, preview }) => [from, to, kind, preview])

describe('what the human does on the page', () => {
  test('answers a decision by a number; the answer is their word, and in the history', async () => {
    const { bus, does, room } = await world()
    const { message } = await asks(bus)
    expect((await room()).needs).toMatchObject([
      { type: 'decision', id: message.id, title: 'Drop it?', options: ['Yes', 'No'], text: '' },
    ])
    const { status, body } = await does('reply', { id: message.id, text: '2' })
    expect(status).toBe(200)
    expect(sent(bus).at(-1)).toEqual(['human', 'backend', 'reply', '2. No'])
    expect(isWord(bus.home, 'backend', String(body.id))).toBe(true)
    expect((await room()).needs).toEqual([])
    expect(await does('reply', { id: message.id, text: '1' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringMatching(/already has an answer/) } },
    })
  })

  test('what was missed is there until it was seen; a key is no such sign', async () => {
    const { bus, does, room } = await world()
    const pressed = new Date(Date.now() - 70 * 60_000).toISOString()
    writeFileSync(bus.home.presence, JSON.stringify({ pressed }))
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'one' })
    const lines = async () => ((await room()).away as Now['away'])?.lines
    expect(await lines()).toMatchObject([{ kind: 'pair', count: 1 }])
    await does('here', {})
    expect(await lines()).toMatchObject([{ kind: 'pair', count: 1 }])
    await does('away', {})
    expect(await lines()).toBeUndefined()
  })

  test('unread threads are a row each; what needs you is in none, and what was read has none', async () => {
    const { bus, does, room } = await world()
    const send = (body: string, inReplyTo?: Message) =>
      sendMessage(bus, { from: 'backend', to: 'human', kind: 'note', body, inReplyTo }).message
    const first = send('one')
    send('two', first)
    await asks(bus)
    const threads = async () => (await room()).threads as Now['threads']
    expect(await threads()).toMatchObject([{ root: first.id, title: 'two', from: ['backend'] }])
    await does('seen', { ids: (await threads())[0]?.ids })
    expect(await threads()).toEqual([])
  })

  test('what a session has not read stays marked once it has left', async () => {
    const { bus, does, room } = await world()
    const { body } = await does('say', { how: 'send', to: 'frontend', text: 'Look' })
    expect((await room()).unseen).toEqual([body.id])
    await runCli(['leave', 'frontend'], { home: bus.home.root })
    expect((await room()).unseen).toEqual([body.id])
    await runCli(['inbox', 'frontend'], { home: bus.home.root })
    expect((await room()).unseen).toEqual([])
  })

  test('a question to oneself is refused as the command line refuses it', async () => {
    const { bus, does } = await world()
    const { body } = await does('say', { how: 'ask', to: 'human', text: 'And I?' })
    const { stderr } = await runCli(['ask', '@human', 'And I?', '--as', 'human', '--json'], {
      home: bus.home.root,
    })
    expect(body).toEqual(JSON.parse(stderr))
    expect(body).toMatchObject({ error: { message: '@human cannot ask itself' } })
    expect(sent(bus)).toEqual([])
  })

  test('a click that comes twice sends one message', async () => {
    const { bus, does } = await world()
    const fields = { how: 'send', to: 'backend', text: 'Go on', key: 'k1' }
    const [one, two] = await Promise.all([does('say', fields), does('say', fields)])
    expect(one.body.id).toBe(two.body.id)
    expect(sent(bus)).toEqual([['human', 'backend', 'note', 'Go on']])
  })

  test('gives a task, and names a file by its path', async () => {
    const { bus, served, cookie, does } = await world()
    const path = `${bus.home.root}/notes.txt`
    writeFileSync(path, 'x')
    const task = await does('say', { how: 'task', to: 'backend', text: 'Do it', attach: [path] })
    const thread = await get(served, cookie, `/api/thread/${task.body.id}`)
    expect(thread.messages).toMatchObject([
      { kind: 'task', files: [{ path, bytes: 1, state: 'same' }] },
    ])
    expect(await get(served, cookie, '/api/tasks')).toMatchObject([
      { title: 'Do it', state: 'sent' },
    ])
  })

  test.each([
    ['say', { how: 'send', to: 'nobody', text: 'x' }, /no session named @nobody/],
    ['say', { how: 'shout', to: 'backend', text: 'x' }, /unknown/],
    ['say', { how: 'send', to: 'backend', text: '  ' }, /the message is empty/],
    ['say', { how: 'send', to: 'backend', text: 'x', attach: ['/none'] }, /cannot attach "\/none"/],
    ['say', { how: 'send', to: '../x', text: 'x' }, /x/],
    ['reply', { id: '../../etc', text: 'x' }, /etc/],
    ['reply', { text: 'x' }, /unknown/],
    ['release', { chain: 'none' }, /no held chain/],
  ])('%s %o is refused with a sentence and a hint', async (act, fields, message) => {
    const { bus, does } = await world()
    const { status, body } = await does(act, fields)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).toMatchObject({
      error: { message: expect.stringMatching(message), hint: expect.stringMatching(/./) },
    })
    expect(sent(bus)).toEqual([])
  })

  test('pauses and turns on; every tab sees it', async () => {
    const { bus, served, cookie, does, room } = await world()
    const tab = await liveTab(served, cookie)
    const silent = { ring: 'held' as const, why: '4 messages on this chain' }
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x', silent })
    await does('pause', { on: true })
    await until('the tab knows', () => JSON.stringify(tab.events).includes('"paused":true'))
    await does('pause', { on: false })
    expect((await room()).paused).toBe(false)
    expect(eventsOf(bus.home, 'paused')).toHaveLength(1)
    expect(eventsOf(bus.home, 'unpaused')).toHaveLength(1)
    // What the loop rule held is no part of the pair.
    expect(allHeld(bus)).toHaveLength(1)
  })

  test('what was read in the page is read', async () => {
    const { bus, does, room } = await world()
    const { id } = sendMessage(bus, {
      from: 'backend',
      to: 'human',
      kind: 'note',
      body: 'x',
    }).message
    expect((await room()).unread).toEqual([id])
    await does('seen', { ids: [id, '../../sessions'] })
    expect((await room()).unread).toEqual([])
  })

  test('a request that is too long is refused', async () => {
    const { does } = await world()
    expect(
      (await does('say', { how: 'send', to: 'backend', text: 'x'.repeat(600_000) })).status,
    ).toBe(413)
    expect(
      (await does('say', { how: 'send', to: 'backend', text: 'x'.repeat(300_000) })).body,
    ).toMatchObject({ error: { code: 'BODY_TOO_LONG' } })
  })

  test('hostile text is data: what is hidden is shown, and nothing is a tag', async () => {
    const { bus, served, cookie } = await world()
    const body = `<script>alert(1)</script><img src=x onerror=alert(2)>\u202e\u001b[31m${'x'.repeat(200_000)}`
    const { id } = sendMessage(bus, { from: 'backend', to: 'human', kind: 'note', body }).message
    const response = await fetch(`${served.address}/api/thread/${id}`, {
      headers: { Cookie: cookie },
    })
    expect(response.headers.get('content-type')).toBe('application/json')
    const thread = (await response.json()) as { messages: { text: string }[] }
    expect(thread.messages[0]?.text).toMatch(/^<script>.*<U\+202E>\^\[\[31mxxx/)
  })
})

describe('the command', () => {
  test('a second one says where the first is; --stop ends it and leaves no token', async () => {
    const { bus, served } = await world()
    const again = await runCli(['web'], { home: bus.home.root })
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain(
      `the page is already open: ${served.address} (pid ${served.child.pid})`,
    )
    expect(again.stdout).toContain(bus.home.webOpen)
    expect(again.stdout).not.toContain('/open/')
    const stopped = await runCli(['web', '--stop', '--json'], { home: bus.home.root })
    expect(JSON.parse(stopped.stdout)).toEqual({ pid: served.child.pid })
    await until('it has ended', () => served.child.exitCode === 0)
    expect(served.opening).toThrow()
    expect((await runCli(['web', '--stop'], { home: bus.home.root })).stdout).toBe(
      'no page is open\n',
    )
  })

  test('--detach serves in the background', async () => {
    const bus = tempBus(['backend'])
    const { stdout } = await runCli(['web', '--detach', '--port', '0', '--json'], {
      home: bus.home.root,
    })
    const { address, pid } = JSON.parse(stdout) as { address: string; pid: number }
    expect((await fetch(address)).status).toBe(401)
    const stopped = await runCli(['web', '--stop', '--json'], { home: bus.home.root })
    expect(JSON.parse(stopped.stdout)).toEqual({ pid })
    await expect(fetch(address)).rejects.toThrow()
  })

  test('a port that is taken is named, with what to type', async () => {
    const bus = tempBus()
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await until('it listens', () => other.listening)
    const { port } = other.address() as { port: number }
    const { code, stderr } = await runCli(['web', '--port', String(port)], { home: bus.home.root })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `agent-chat: port ${port} is taken\n  hint: let the system choose one: agent-chat web --port 0\n`,
    )
  })

  test('no agent has it', async () => {
    const bus = tempBus(['backend'])
    for (const env of [{ CLAUDECODE: '1' }, { AGENT_CHAT_NAME: 'backend' }]) {
      const { code, stderr } = await runCli(['web', '--port', '0'], { home: bus.home.root, env })
      expect(code).toBe(3)
      expect(stderr).toMatch(/agent-chat web is for your user only/)
    }
  })

  test('the page is small', async () => {
    const { gzipSync } = await import('node:zlib')
    const dist = `${import.meta.dirname}/../../dist`
    const bytes = ['page.js', 'page.css'].map(
      (file) => gzipSync(readFileSync(`${dist}/${file}`)).length,
    )
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(30_000)
  })
})
