import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../src/testing/home.ts'
import { makeBody } from './bodies.mjs'
import { judgeHome } from './judge.mjs'
import { judgeUnshown } from './unshown.mjs'

const NAMES = ['ada', 'bob']
const ID = '20261121T033912.123456Z-from-ada'
const AT = '2026-11-21T03:39:13.000Z'
const READ = Date.parse(AT)

/**
 * A home where @ada has sent one message to @bob, who was shown it; and what the soak has noted of
 * that.
 */
function world() {
  const root = tempDirectory()
  for (const name of NAMES) mkdirSync(join(root, 'inbox', name, 'read'), { recursive: true })
  mkdirSync(join(root, 'messages'))
  const text = `---\nid: ${ID}\n---\n${makeBody(0, () => 0.5)}\n`
  const [archived, read] = [
    join(root, 'messages', `${ID}.md`),
    join(root, 'inbox/bob/read', `${ID}.md`),
  ]
  for (const path of [archived, read]) writeFileSync(path, text)
  const events = [
    { event: 'sent', id: ID },
    { event: 'read', id: ID, by: 'bob', at: AT },
  ]
  writeFileSync(
    join(root, 'history.log'),
    `${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
  )
  const sent = new Map([[0, { id: ID, from: 'ada', to: 'bob', urgent: false }]])
  const killed: { name: string; from: number; to: number }[] = []
  const counts = { torn: [], failed: [], reads: 1, commands: 0, commandMs: [] }
  const done = { sent, shown: new Map([[ID, 1]]), killed, ...counts }
  const judge = () => judgeHome({ root, names: NAMES, env: {}, close: () => {} }, done).wrong
  return { root, done, judge, archived, read }
}

test('nothing is wrong where every message is archived, shown once and read', () => {
  expect(world().judge()).toEqual([])
})

test('what is unread after all have looked to the end is stuck', () => {
  const { root, judge, read } = world()
  renameSync(read, join(root, 'inbox/bob', `${ID}.md`))
  expect(judge()).toEqual([`stuck: inbox/bob/${ID}.md is still unread`])
})

test('what is elsewhere, twice, torn or not known is told of', () => {
  const { root, judge, archived, read } = world()
  writeFileSync(join(root, 'inbox/ada', `${ID}.md`), '')
  writeFileSync(archived, 'half')
  writeFileSync(join(root, 'messages/other.md'), '')
  expect(judge()).toEqual([
    `stuck: inbox/ada/${ID}.md is still unread`,
    'never sent, or half: messages/other.md',
    `lost: ${ID}.md to @bob is in 2 places: inbox/ada/${ID}.md inbox/bob/read/${ID}.md`,
    `torn: ${archived}`,
  ])
  renameSync(read, join(root, 'inbox/ada/read', `${ID}.md`))
  expect(judge()).toContain(
    `lost: ${ID}.md to @bob is in 2 places: inbox/ada/${ID}.md inbox/ada/read/${ID}.md`,
  )
})

test('what was read and shown to nobody is lost, unless a killed read had it at that time', () => {
  const { done, judge } = world()
  done.shown.clear()
  const lost = [`lost: ${ID} was read by @bob, was never shown, and no read was killed there`]
  expect(judge()).toEqual(lost)
  done.killed.push(
    { name: 'ada', from: READ, to: READ },
    { name: 'bob', from: READ + 1, to: READ + 2 },
  )
  expect(judge()).toEqual(lost)
  done.killed.push({ name: 'bob', from: READ - 1, to: READ })
  expect(judge()).toEqual([])
})

test('a killed read leaves one message at the most for doctor to add', () => {
  const added = ['a', 'b'].map((id) => ({ id, by: 'bob', at: AT, mended: true }))
  const killed = (times: number) =>
    Array.from({ length: times }, () => ({ name: 'bob', from: 0, to: 1 }))
  const wrong = (times: number) => judgeUnshown(added, new Map(), killed(times)).wrong.length
  expect([wrong(0), wrong(1), wrong(2)]).toEqual([2, 1, 0])
})
