import { describe, test } from 'vitest'
import { asksTheHuman, asThemselves, changing, model, setUpAndRemove, states } from './cases.ts'
import { CLIENTS, type ClientName } from './clients.ts'
import { agentWorld } from './world.ts'

// OpenCode has a table of its own.
const NAMES = (Object.keys(CLIENTS) as ClientName[]).filter(
  (name) => name !== 'opencode' && (!process.env.CLIENT || process.env.CLIENT === name),
)

describe.each(NAMES)('%s', (name) => {
  const ready = async (rule: typeof model) => {
    const world = await agentWorld(name, rule)
    await world.chat('setup', '--agent', name)
    return world
  }

  test('setup and its removal leave its files as they were', async () => {
    await setUpAndRemove(await agentWorld(name, model), name)
  })
  test('two sessions on one configuration each send and read as themselves', async () => {
    await asThemselves(await ready(model))
  })
  test('a ring comes in every state, once', async () => {
    const took = await states(await ready(model))
    console.log(`${name}: ${JSON.stringify(took)} (ms)`)
  })
  test('a change of a message is put to the human, and Escape is no end', async () => {
    await asksTheHuman(await ready(changing))
  })
})
