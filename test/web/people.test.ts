import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentsOn } from '../../src/testing/agent.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Now, Person } from '../../src/web/wire.ts'
import { liveTab, openedCookie, type Tab } from './request.ts'
import { serve } from './served.ts'

async function world() {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const served = await serve(bus.home)
  onTestFinished(() => served.kill('SIGTERM'))
  const tab = await liveTab(served, await openedCookie(served))
  return { agents, tab, people: () => peopleIn(tab) }
}

/** Who is here, as the tab was told last. */
function peopleIn(tab: Tab): Person[] {
  const told = tab.events.findLast(({ event }) => event === 'now')?.data as Now
  return told.people
}

const answer = (id: string, output_tokens: number) =>
  `${JSON.stringify({ type: 'assistant', timestamp: new Date().toISOString(), message: { id, usage: { output_tokens } } })}\n`

test('a session of Claude Code has its tokens of today, from the record that a hook has named; another has none', async () => {
  const { agents, people } = await world()
  const directory = tempDirectory()
  const [one, two] = [join(directory, 'one.jsonl'), join(directory, 'two.jsonl')]
  writeFileSync(one, answer('a', 1000))
  const begins = (source: string, transcript_path: string) =>
    agents[0]?.hook('session-start', { source, session_id: 'backend', transcript_path })
  const costs = () => people().map(({ cost }) => cost)
  const are = (tokens: number) => until(`it is ${tokens}`, () => costs()[0]?.tokens === tokens)
  await begins('startup', one)
  await are(1000)
  // No file of the home changes now.
  appendFileSync(one, answer('a', 1200) + answer('b', 10))
  await are(1210)
  await begins('clear', two)
  writeFileSync(two, answer('c', 5))
  await are(1215)
  expect(costs()).toEqual([{ tokens: 1215, usd: null }, null])
})

test('an agent that was killed without a word is gone', async () => {
  const { agents, people } = await world()
  const states = () => people().map(({ state }) => state)
  expect(states()).toEqual(['idle', 'idle'])
  await agents[0]?.end()
  await until('it is told', () => states()[0] === 'gone')
  expect(states()).toEqual(['gone', 'idle'])
})

test('a tab gets a sign of life while nothing happens', async () => {
  const { tab } = await world()
  await until('it comes', () => tab.events.some(({ event }) => event === 'beat'))
})
