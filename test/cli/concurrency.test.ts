import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holderOf } from '../../src/system/pidlock.ts'
import { outcome, runCli, startCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn, tempHome } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'

type Shown = { id: string; from: string; body: string }

test('8 senders of 25 messages each, with 2 readers at work: none lost, none shown twice, each sender in order', async () => {
  const senders = Array.from({ length: 8 }, (_, at) => `sender-${at}`)
  const home = tempHome('frontend', ...senders)
  let sending = true
  const shown: Shown[][] = [[], []]
  const send = async (from: string) => {
    for (let count = 0; count < 25; count += 1) {
      const args = ['send', '@frontend', `${from} ${count}`, '--as', from]
      // So many messages in so short a time are held back from ringing otherwise.
      const env = { AGENT_CHAT_GATE: 'off' }
      expect(await runCli(args, { home: home.root, env })).toMatchObject({ code: 0, stderr: '' })
    }
  }
  const readOnce = async (mine: Shown[]) => {
    const run = await runCli(['inbox', 'frontend', '--json'], { home: home.root })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const { messages, bad } = JSON.parse(run.stdout)
    expect(bad).toEqual([])
    mine.push(...messages)
  }
  const readers = shown.map(async (mine) => {
    while (sending) await readOnce(mine)
  })
  await Promise.all(senders.map(send))
  sending = false
  await Promise.all(readers)
  for (const mine of shown) await readOnce(mine)

  const all = shown.flat()
  const expected = senders.flatMap((from) => Array.from({ length: 25 }, (_, at) => `${from} ${at}`))
  expect(all.map(({ body }) => body).sort()).toEqual(expected.sort())
  for (const mine of shown) {
    for (const from of senders) {
      const counts = mine
        .filter((message) => message.from === from)
        .map(({ body }) => Number(body.split(' ')[1]))
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    }
  }
  const order = all.map(({ id }) => id).sort()
  for (const from of senders) {
    const counts = order
      .filter((id) => id.endsWith(`-from-${from}`))
      .map((id) => all.find((one) => one.id === id)?.body)
    expect(counts).toEqual(Array.from({ length: 25 }, (_, at) => `${from} ${at}`))
  }
  expect(filesIn(home.messages)).toHaveLength(200)
  expect(filesIn(home.readDirectory('frontend'))).toEqual(filesIn(home.messages))
  expect(filesIn(home.inbox('frontend'))).toEqual([])
  expect(eventsOf(home, 'sent')).toHaveLength(200)
  expect(eventsOf(home, 'read')).toHaveLength(200)
}, 120_000)

test('20 sessions that join at once are all registered, and leave at once', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `session-${String(at).padStart(2, '0')}`)
  const home = tempHome()
  const joins = await Promise.all(
    names.map((name) => runCli(['join', name, '--no-watch'], { home: home.root })),
  )
  expect(joins.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(Array(20).fill('0'))
  expect(Object.keys(JSON.parse(readFileSync(home.sessions, 'utf8'))).sort()).toEqual(names)
  const leaves = await Promise.all(
    names.map((name) => runCli(['leave', name], { home: home.root })),
  )
  expect(leaves.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(Array(20).fill('0'))
  expect(JSON.parse(readFileSync(home.sessions, 'utf8'))).toEqual({})
  expect(filesIn(home.root)).toEqual(['history.log', 'processes', 'sessions.json'])
})

test('a reader that is killed while others wait for it holds nobody up, and no message is lost', async () => {
  const home = tempHome('frontend')
  for (const body of ['one', 'two', 'three'])
    await runCli(['send', '@frontend', body, '--as', 'backend'], { home: home.root })
  const stopped = startCli(['inbox', 'frontend'], {
    home: home.root,
    env: { AGENT_CHAT_FAULT: 'inbox:moved:stop' },
  })
  await until(
    'the first message is read',
    () => filesIn(home.readDirectory('frontend')).length === 1,
  )
  expect(holderOf(home.readerLock('frontend'))?.pid).toBe(stopped.pid)
  const waiting = Array.from({ length: 4 }, () =>
    outcome(startCli(['inbox', 'frontend', '--json'], { home: home.root })),
  )
  stopped.kill('SIGKILL')
  const bodies = (await Promise.all(waiting)).flatMap(({ stdout }) =>
    JSON.parse(stdout).messages.map(({ body }: Shown) => body),
  )
  expect(bodies.sort()).toEqual(['three', 'two'])
  expect(filesIn(home.inbox('frontend'))).toEqual([])
})
