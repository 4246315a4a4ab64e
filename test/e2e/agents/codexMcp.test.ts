import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printed } from './cases.ts'
import type { Answer, Asked } from './responses.ts'
import { agentWorld } from './world.ts'

test('two sessions of Codex send, read and consult over MCP, each as itself', async () => {
  const world = await agentWorld('codex', model)
  const config = join(world.home, '.codex', 'config.toml')
  const before = readFileSync(config, 'utf8')
  await world.chat('setup', '--mcp', 'codex')
  const [alice, bob] = [await world.start('alice'), await world.start('bob')]
  await alice.submit('CALL send {"to":"bob","message":"the contract is ready"}')
  await world.model.waitFor('what alice has sent', printed(/"success":true.*"to":"bob"/))
  // The ring has bob look.
  const read = await world.model.waitFor('what bob read', printed(/the contract is ready/))
  expect(read.results.join('')).toMatch(/"name":"bob".*"from":"alice"/)
  await bob.submit('CALL consult {"to":"alice","question":"Which port?"}')
  const told = await world.model.waitFor('the answer', printed(/"answered":true/))
  expect(told.results.join('')).toMatch(/"answer":"Port 7.*"from":"alice"/)
  const calls = readFileSync(join(world.chatHome, 'logs', 'mcp.jsonl'), 'utf8')
  const made = [...calls.matchAll(/"session":"(\w+)".*?"tool":"(\w+)"/g)].map(([, ...one]) =>
    one.join(' '),
  )
  expect(made.sort()).toEqual([
    ...['alice inbox', 'alice reply', 'alice send'],
    ...['bob consult', 'bob inbox'],
  ])
  await world.chat('setup', '--mcp', 'codex', '--remove')
  expect(readFileSync(config, 'utf8')).toBe(before)
})

/** `CALL tool {…}` calls one of our tools; a question that a ring tells of gets an answer. */
function model({ prompt, results }: Asked): Answer {
  const [, tool = '', input = ''] = /CALL (\w+) (.*)/.exec(prompt) ?? []
  if (tool !== '' && results.length === 0) return { tool, input: JSON.parse(input) }
  const id = /"short_id":"(\w+)"[^}]*"kind":"question"/.exec(results.join(''))?.[1]
  if (/Check inbox/.test(prompt) && results.length === 0) return { tool: 'inbox', input: {} }
  if (/Check inbox/.test(prompt) && results.length === 1 && id)
    return { tool: 'reply', input: { id, message: 'Port 7' } }
  return { say: 'done' }
}
