import { expect, test } from 'vitest'
import { countOf, hears, newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

test('a prompt typed into the real client is answered by the script, on the screen', async () => {
  const world = await worldForTest({
    rule: (request) => ({
      text: hears(request, 'what is the colour') ? 'It is viridian.' : 'No idea.',
    }),
  })
  const pane = await world.startClaude()
  await pane.submit('tell me what is the colour')
  await pane.waitFor(/It is viridian\./)
  const [request] = world.api.main()
  expect(request && newText(request)).toContain('tell me what is the colour')
  expect(request && countOf(request, 'tell me what is the colour')).toBe(1)
})

test('the headless client runs a tool that the script calls and tells the result', async () => {
  const world = await worldForTest({
    rule: (request) =>
      hears(request, 'find the home')
        ? { tool: 'Bash', input: { command: 'printenv AGENT_CHAT_HOME', description: 'say it' } }
        : { text: newText(request) },
  })
  const client = await world.startHeadless({ args: ['--allowedTools', 'Bash(printenv *)'] })
  client.prompt('find the home')
  const result = await client.waitFor('a result', (message) => message.type === 'result')
  expect(result.result).toContain(world.chat)
  expect(await client.end()).toBe(0)
})
