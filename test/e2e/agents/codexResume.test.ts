import { test } from 'vitest'
import { comesBack } from './comesBack.ts'
import { model, setUp } from './table/stage.ts'
import { agentWorld } from './world.ts'

// All clients: npm run e2e:agents.
test('two sessions of Codex come back after everything was killed, each with its own conversation', async () => {
  const world = await agentWorld('codex', model)
  await setUp(world, 'codex')
  await comesBack(world, 'codex', 1)
})
