import { appendFileSync } from 'node:fs'
import { afterAll, onTestFinished, test } from 'vitest'
import { sceneForTest } from '../gate/scene.ts'
import { type Found, foundIn, writePage } from './page.ts'
import { ROWS } from './rows.ts'

const { AGENT_CHAT_E2E_CASE: only = '', AGENT_CHAT_E2E_FOUND: path } = process.env

test.each(ROWS.filter(({ name }) => new RegExp(only).test(name)))('$name', async (row) => {
  const found: Found = { row: row.name, held: false }
  onTestFinished(() => {
    if (path) appendFileSync(path, `${JSON.stringify(found)}\n`)
  })
  await row.play(await sceneForTest())
  found.held = true
})

afterAll(async () => {
  if (path && process.env.AGENT_CHAT_E2E_WRITE) await writePage(foundIn(path), ROWS)
})
