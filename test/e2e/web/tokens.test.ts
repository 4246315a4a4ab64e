import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { homeAt } from '../../../src/bus/home.ts'
import { until } from '../../../src/testing/until.ts'
import type { Now } from '../../../src/web/wire.ts'
import { liveTab, openedCookie } from '../../web/request.ts'
import { serve } from '../../web/served.ts'
import { worldForTest } from '../harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** What the scripted model says that an answer costs. */
const ANSWER = 15

test('the tokens of a real client are on the page, turn by turn and over /clear', async () => {
  const world = await worldForTest({ pluginDir: ROOT, rule: () => ({ text: 'It is done.' }) })
  const words = ['join', 'backend', '--no-watch']
  await promisify(execFile)(RUNTIME, [join(ROOT, 'dist', 'main.js'), ...words], { env: world.env })
  const pane = await world.startClaude({ name: 'backend' })
  const served = await serve(homeAt(world.chat))
  onTestFinished(() => served.kill('SIGTERM'))
  const tab = await liveTab(served, await openedCookie(served))
  const cost = () => {
    const told = tab.events.findLast(({ event }) => event === 'now')?.data as Now
    return told.people.find(({ name }) => name === 'backend')?.cost
  }
  const is = (answers: number) =>
    until(`${answers} answers are counted`, () => cost()?.tokens === answers * ANSWER)
  await pane.submit('do one thing')
  await is(1)
  await pane.submit('do another thing')
  await is(2)
  await pane.submit('/clear')
  await pane.submit('do a third thing')
  await is(3)
  expect(cost()?.usd).toBeNull()
})
