import 'node:child_process'
import { expect, test } from 'vitest'
import { readState } from '../session/stateFile.ts'
import { agentsOn, type TestAgent } from '../testing/agent.ts'

const ASKS = {
  last_assistant_message: 'The plan is ready.\n\nShall I go ahead?',
  session_id: 'one',
}
const RING = 'New message from @backend. Check inbox.'

type Step = [word: string, payload: Record<string, unknown>]
const prompt = (prompt: string, prompt_id: string, origin?: string): Step => [
  'user-prompt-submit',
  { prompt, prompt_id, origin, session_id: 'one' },
]
const HUMAN = prompt('yes', 'p2')
const PEER = prompt('yes', 'p2', 'peer')
const CALL: Step = ['pre-tool-use', { tool_name: 'Read', prompt_id: 'p2', session_id: 'one' }]
const MESSAGE = prompt(RING, 'p2')
const END: Step = ['stop', { last_assistant_message: 'Done.', session_id: 'one' }]

async function questionAfter(steps: Step[]): Promise<string | undefined> {
  const { bus, agents } = await agentsOn('frontend')
  const agent = agents[0] as TestAgent
  for (const [word, payload] of steps) await agent.hook(word, payload)
  return readState(bus.home, 'frontend')?.question?.text
}

const BEGIN = prompt('plan it', 'p1')

test.each<[string, Step[], string | undefined]>([
  ['its end', [], 'Shall I go ahead?'],
  ['a turn of a message', [MESSAGE, END], 'Shall I go ahead?'],
  ['a prompt of which the record has not told', [HUMAN], 'Shall I go ahead?'],
  ['a call in a turn of the person', [HUMAN, CALL], undefined],
  ['a turn of another session', [PEER, CALL, END], 'Shall I go ahead?'],
  ['a turn of the person', [HUMAN, END], undefined],
  ['/clear', [['session-start', { source: 'clear', session_id: 'two' }]], undefined],
  ['a subagent that ends', [['stop', { agent_id: 'a1', session_id: 'one' }]], 'Shall I go ahead?'],
])('a question at the end of a turn, after %s', async (_, steps, expected) => {
  expect(await questionAfter([BEGIN, ['stop', ASKS], ...steps])).toBe(expected)
})

test('a dialog says what it asks, for as long as it is open', async () => {
  const { bus, agents } = await agentsOn('frontend')
  const agent = agents[0] as TestAgent
  const wants = () => readState(bus.home, 'frontend')?.wants
  const call = { tool_name: 'Bash', tool_input: { command: 'npm\ninstall' }, session_id: 'one' }
  await agent.hook(...BEGIN)
  await agent.hook('permission-request', call)
  expect(wants()).toBe('wants to run: npm install')
  await agent.hook('permission-request', {
    ...call,
    tool_name: 'Edit',
    tool_input: { file_path: 'a' },
  })
  expect(wants()).toBe('wants to edit: a')
  await agent.hook('post-tool-use', { ...call, tool_response: {} })
  expect(wants()).toBeUndefined()
  await agent.hook('notification', { notification_type: 'permission_prompt', session_id: 'one' })
  expect([readState(bus.home, 'frontend')?.activity, wants()]).toEqual(['asking', undefined])
})

test('a subagent asks the session, not the person', async () => {
  expect(await questionAfter([BEGIN, ['stop', { ...ASKS, agent_id: 'a1' }]])).toBeUndefined()
})
