import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../src/testing/cli.ts'
import { tempDirectory } from '../src/testing/home.ts'
import { statesOf } from './cases/doctor.mjs'
import { countWorld } from './count.mjs'
import { MAKINGS } from './states.mjs'
import { makeWorld } from './world.mjs'

/** A world with one message that was read and one that is unread, and where the files of the unread one are. */
async function world() {
  const made = makeWorld(join(tempDirectory(), 'w'), { script: join(DIST, 'main.js') })
  await made.open()
  await made.send()
  await made.read()
  await made.send()
  const inbox = join(made.home, 'inbox/frontend')
  const file = readdirSync(inbox).find((name) => name.endsWith('.md')) ?? ''
  return { made, inbox, file, archived: join(made.home, 'messages', file) }
}

test('the counts find what they are there to find', async () => {
  const { made, inbox, file, archived } = await world()
  const counts = () => {
    const { lost, torn, duplicated, shownAgain, stuck } = countWorld(made)
    return { lost, torn, duplicated, shownAgain, stuck }
  }
  const none = { lost: 0, torn: 0, duplicated: 0, shownAgain: 0, stuck: 0 }
  expect(counts()).toEqual({ ...none, stuck: 1 })

  // Marked as read, and never shown.
  renameSync(join(inbox, file), join(inbox, 'read', file))
  expect(counts()).toEqual({ ...none, lost: 1 })
  // Gone, though its sender was told that it was sent.
  rmSync(join(inbox, 'read', file))
  expect(counts()).toEqual({ ...none, lost: 1 })

  const text = readFileSync(archived, 'utf8')
  writeFileSync(join(inbox, file), text)
  writeFileSync(archived, text.slice(0, -20))
  expect(counts()).toEqual({ ...none, torn: 1, stuck: 1 })
  writeFileSync(archived, text)

  // The same message under another id, and once more from a reader that ended well.
  writeFileSync(archived.replace(/\.\d{6}Z/, '.000000Z'), text)
  await made.read()
  renameSync(join(inbox, 'read', file), join(inbox, file))
  expect(counts()).toEqual({ ...none, duplicated: 1, stuck: 1 })
  await made.read()
  expect(counts()).toEqual({ ...none, duplicated: 2 })
})

test('a message that a killed reader printed is shown again, which is not twice', async () => {
  const { made } = await world()
  await made.read({ fault: 'inbox:printed' })
  await made.drain('killed')
  expect(countWorld(made)).toMatchObject({
    lost: 0,
    torn: 0,
    duplicated: 0,
    shownAgain: 1,
    stuck: 0,
  })
})

test('an error without a hint, and a command that runs over its limit, are seen', async () => {
  const { made } = await world()
  const run = await made.run(['who', '--no-such-option'])
  made.runs.push({ ...run, stderr: 'TypeError: undefined is not a function\n' })
  await made.run(['ask', '@frontend', 'why?', '--as', 'backend', '--timeout', '60'], {
    limitMs: 1000,
  })
  const { remedies, stuck, wrong } = countWorld(made)
  expect(stuck).toBe(2)
  expect(remedies).toEqual([1, 2])
  expect(wrong).toContainEqual(
    expect.stringMatching(/^no remedy: who --no-such-option ended with 2: TypeError/),
  )
})

test('every state that doctor knows is made here', () => {
  expect(Object.keys(MAKINGS).sort()).toEqual(
    statesOf()
      .map(([state]) => state)
      .sort(),
  )
})
