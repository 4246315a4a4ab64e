import { expect, test } from 'vitest'
import { printed } from './cases.ts'
import { listening } from './ports.ts'
import { model } from './table/stage.ts'
import { agentWorld } from './world.ts'

// All cases: npm run e2e:agents.
test('two sessions on one configuration each send and read as themselves, from the sandbox', async () => {
  const world = await agentWorld('codex', model)
  const [, bob] = [await world.start('alice'), await world.start('bob')]
  await bob.submit('RUN agent-chat send @alice "this is bob" && agent-chat who')
  const shown = await world.model.waitFor('what bob printed', printed(/sent \w+ to @alice/))
  expect(shown.results.join('')).toMatch(/@alice .*\n.*@bob/)
  expect(shown.results.join('')).not.toMatch(/gone|no watcher/)
  const heard = await world.model.waitFor('what alice read', printed(/from @bob/))
  expect(heard.prompt).toBe('New message from @bob. Check inbox.')
  expect(heard.results.join('')).toContain('this is bob')
  expect(await world.chat('history')).toMatch(/@bob → @alice/)
  expect(await listening(world.env.AGENT_CHAT_HOME ?? '')).toEqual([])
})
