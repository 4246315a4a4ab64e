import { appendFileSync } from 'node:fs'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Ended, endedIn, writeUnguarded } from './page.ts'
import { playUnguarded, UNGUARDED } from './unguarded.ts'

const { AGENT_CHAT_E2E_CASE: only = '', AGENT_CHAT_E2E_ENDED: path } = process.env
const rows = UNGUARDED.filter(({ name }) => new RegExp(only).test(name))

test.each(rows)('$name', async (row) => {
  let end: Ended['end'] = 'not played'
  onTestFinished(() => {
    if (path) appendFileSync(path, `${JSON.stringify({ row: row.name, end } satisfies Ended)}\n`)
  })
  end = await playUnguarded(row)
  expect(row.ends).toContain(end)
})

// Several of these run side by side: the last writes what all have found.
afterAll(() => {
  if (path && process.env.AGENT_CHAT_E2E_WRITE === 'alone') writeUnguarded(endedIn(path), UNGUARDED)
})
