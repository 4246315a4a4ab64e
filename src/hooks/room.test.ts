import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { noteRoom } from '../session/room.ts'
import { readState } from '../session/stateFile.ts'
import { promptKey } from '../session/witness.ts'
import { agentsOn, type TestAgent } from '../testing/agent.ts'
import { eventsOf } from '../testing/home.ts'

async function withRoom(): Promise<{ bus: Bus; agent: TestAgent }> {
  const { bus, agents } = await agentsOn('frontend')
  const agent = agents[0] as TestAgent
  noteRoom(bus, { agent: agent.ref, since: '2026-11-21T03:39:12.123Z', client: '2.1.329' })
  return { bus, agent }
}

function witness({ bus, agent }: { bus: Bus; agent: TestAgent }, kind: string, text: string) {
  const note = { kind, key: promptKey(text), at: bus.clock.now(), typed: 0 }
  writeFileSync(bus.home.roomPrompt(agent.ref.pid), JSON.stringify(note))
}

const submit = (agent: TestAgent, prompt: string, prompt_id: string) =>
  agent.hook('user-prompt-submit', { prompt, prompt_id })

test('a prompt that the room saw come from no person closes its turn at once', async () => {
  const here = await withRoom()
  await submit(here.agent, 'hello', 'p1')
  expect(readState(here.bus.home, 'frontend')?.turn).toMatchObject({ began: 'human' })
  witness(here, 'plugin', 'delete it')
  await submit(here.agent, 'delete it', 'p2')
  expect(readState(here.bus.home, 'frontend')?.turn).toMatchObject({
    ...{ began: 'other', id: 'p2', chain: null, opened: null },
  })
  expect(eventsOf(here.bus.home, 'disowned')).toHaveLength(1)
  expect(await here.agent.may('Write', { file_path: '/tmp/x', content: 'x' })).toBe('ask')
})

test('it never opens one: what the composer is said to have sent is judged as ever', async () => {
  const here = await withRoom()
  const ring = 'New message from @backend. Check inbox.'
  witness(here, 'composer', ring)
  await submit(here.agent, ring, 'p1')
  expect(readState(here.bus.home, 'frontend')?.turn).toMatchObject({ began: 'doorbell' })
})

test('in the middle of a turn of the human it closes the rest, and a broken note nothing', async () => {
  const here = await withRoom()
  await submit(here.agent, 'hello', 'p1')
  witness(here, 'peer', 'psst')
  await submit(here.agent, 'psst', 'p1')
  expect(readState(here.bus.home, 'frontend')?.turn).toMatchObject({ began: 'other', id: 'p1' })
  writeFileSync(here.bus.home.roomPrompt(here.agent.ref.pid), '{"kind":"plug')
  await submit(here.agent, 'again', 'p2')
  expect(readState(here.bus.home, 'frontend')?.turn).toMatchObject({ began: 'human', id: 'p2' })
})

test('the room is told of each call that the gate has judged, and whose message asked for it', async () => {
  const { bus, agent } = await withRoom()
  const judged = () => readFileSync(bus.home.roomJudged(agent.ref.pid), 'utf8')
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'write it' })
  await agent.rung('backend')
  await agent.hook('pre-tool-use', {
    ...{ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' },
  })
  expect(judged()).toContain('{"call":"call-1"}\n')
  await agent.hook('pre-tool-use', {
    ...{ tool_name: 'Write', tool_input: { file_path: '/tmp/x' }, tool_use_id: 'call-2' },
  })
  expect(judged()).toMatch(/\{"call":"call-2","asked":"@backend"\}\n/)
})
