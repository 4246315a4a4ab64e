import fc from 'fast-check'
import { anyString } from './arbitraries.ts'

/**
 * Places that a payload may point at: where hooks look, where they must not write, and where
 * nothing can be.
 */
export type Places = { outside: string; ring: string; joins: string }

const TOOLS = [
  'Bash',
  'Write',
  'Edit',
  'Read',
  'Monitor',
  'CronCreate',
  'ScheduleWakeup',
  'SendMessage',
  'Agent',
  'Skill',
  'AskUserQuestion',
  'mcp__x__get_a',
]
const COMMANDS = [
  'rm -rf x',
  'ls',
  'agent-chat inbox',
  'agent-chat send @a "x"; rm x',
  'git log',
  "cat 'a' > b",
  'ls && (rm x)',
  '',
]
const RING = 'New message from @backend. Check inbox.'
const PROMPTS = [
  'hello',
  RING,
  `<task-notification> from command "FileChanged": ${RING}`,
  '<task-notification>',
]

/** Fields that hooks read, with what the host gives them. */
function knownFields({ outside, ring, joins }: Places): Record<string, fc.Arbitrary<unknown>> {
  const input = fc.record(
    { command: fc.oneof(fc.constantFrom(...COMMANDS), anyString), prompt: anyString },
    { requiredKeys: [] },
  )
  const place = fc.constantFrom(
    `${outside}/transcript.jsonl`,
    outside,
    `${outside}/nothing`,
    ring,
    joins,
    '/',
    '',
    '\0',
    '..',
  )
  return {
    agent_id: fc.constantFrom('a1', 'a2'),
    permission_mode: fc.constantFrom('default', 'bypassPermissions'),
    cwd: place,
    file_path: place,
    notification_type: fc.constantFrom(
      'permission_prompt',
      'idle_prompt',
      'constructor',
      '__proto__',
    ),
    prompt: fc.constantFrom(...PROMPTS),
    prompt_id: fc.constantFrom('turn-1', 'turn-2'),
    reason: fc.constantFrom('clear', 'resume', 'other'),
    session_crons: fc.array(fc.record({ prompt: anyString })),
    session_id: fc.constantFrom('one', 'two'),
    source: fc.constantFrom('startup', 'compact', 'clear', 'user', 'system'),
    tool_input: input,
    tool_name: fc.constantFrom(...TOOLS),
    tool_use_id: fc.constantFrom('call-1', 'call-2'),
    transcript_path: place,
  }
}

/**
 * The text of a payload of any shape: what the host says, the same with values of other kinds, any
 * JSON, and what is none.
 */
export function anyPayload(places: Places): fc.Arbitrary<string> {
  const known = knownFields(places)
  const wrong = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    anyString,
    fc.constantFrom({ __proto__: null }, [], 0, '', null),
  )
  const bent = Object.fromEntries(
    Object.entries(known).map(([key, value]) => [
      key,
      fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: wrong }),
    ]),
  )
  const object = fc
    .oneof(fc.record(known, { requiredKeys: [] }), fc.record(bent, { requiredKeys: [] }))
    .map((value) => JSON.stringify(value))
  const polluting = object.map((text) =>
    text.replace(
      '{',
      '{"__proto__":{"polluted":1,"agent_id":"a1"},"constructor":{"prototype":{"polluted":1}},',
    ),
  )
  const cut = fc.tuple(object, fc.nat(200)).map(([text, length]) => text.slice(0, length))
  return fc.oneof(
    { weight: 12, arbitrary: object },
    { weight: 2, arbitrary: polluting.map((text) => text.replace(',}', '}')) },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyString },
    { weight: 1, arbitrary: fc.constantFrom(...MONSTERS) },
  )
}

const MONSTERS = [
  '',
  '\0',
  '\ufeff{}',
  '[]',
  'null',
  '"\\ud800"',
  '{"prompt":"\\ud800","tool_name":"\\udfff","prompt_id":"\\u0000"}',
  '['.repeat(100_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `{"tool_input":${'['.repeat(5000)}${']'.repeat(5000)},"tool_name":"Write"}`,
  `{"prompt":"${'x'.repeat(1_000_000)}"}`,
  `{"tool_name":"Bash","tool_input":{"command":"${'('.repeat(100_000)}"}}`,
  `{"tool_name":"Bash","tool_input":{"command":"ls ${'a '.repeat(50_000)}> x"}}`,
  `{"tool_name":"mcp__${'_get'.repeat(20_000)}","transcript_path":"/${'x'.repeat(5000)}"}`,
]
