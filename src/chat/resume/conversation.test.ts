import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentOf } from '../../agents/agents.ts'
import { noteEvent } from '../../session/stateFile.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { conversationIn, whyNotKept } from './conversation.ts'

const ID = '0197a6c3-7b1e-7e5c-9f43-5ac0c6f1c2d1'
const NOTHING = /nothing of its conversation is kept/
const UNANSWERED = /no answer yet/

test.each<[agent: string, file: string | null, text: string, why: RegExp | undefined]>([
  ['claude', `projects/-work/${ID}.jsonl`, '{"type":"user"}\n{"type":"assistant"}\n', undefined],
  ['claude', `projects/-work/${ID}.jsonl`, '{"type":"user"}\n', UNANSWERED],
  ['claude', `projects/-work/${ID}.jsonl`, '', UNANSWERED],
  ['claude', `projects/-work/${ID}/subagents/agent-1.jsonl`, '{"type":"assistant"}', NOTHING],
  ['claude', `projects/-work/${ID}.jsonl/x`, '{"type":"assistant"}', NOTHING],
  ['claude', null, '', NOTHING],
  ['codex', `sessions/2026/11/28/rollout-2026-11-28T10-00-00-${ID}.jsonl`, '{}', undefined],
  ['codex', 'sessions/2026/11/28/rollout-other.jsonl', '{}', NOTHING],
])('%s with %s', (name, file, text, why) => {
  const config = tempDirectory()
  if (file !== null) {
    mkdirSync(dirname(join(config, file)), { recursive: true })
    writeFileSync(join(config, file), text)
  }
  const agent = agentOf(name)
  if (!agent) throw new Error(name)
  const said = whyNotKept({ id: ID, agent, config })
  if (why) expect(said).toMatch(why)
  else expect(said).toBeUndefined()
})

const NEXT = '0197a6c3-7b1e-7e5c-9f43-5ac0c6f1c2d2'

test.each<
  [what: string, told: string | null, when: number, ours: boolean, found: string | undefined]
>([
  ['the one that hooks told of last', NEXT, 1, true, NEXT],
  ['also where `/clear` has begun it since', NEXT, 5000, true, NEXT],
  ['told by another process of this start', NEXT, 1, false, NEXT],
  ['not one of an earlier start', NEXT, -5000, false, ID],
  ['not a text that is none', '../../x', 1, true, ID],
  ['not an option', '--dangerously-skip-permissions', 1, true, ID],
  ['not one with a line of its own', `${NEXT}\n--yolo`, 1, true, ID],
  ['not one with a NUL', `${NEXT}\0`, 1, true, ID],
  ['not a word of a command line', 'last', 1, true, ID],
  ['not one without an end', 'a'.repeat(129), 1, true, ID],
  ['what its arguments chose, where no hook told', null, 1, true, ID],
])('the conversation of a session: %s', (_, told, when, ours, found) => {
  const bus = tempBus(['backend'])
  const now = bus.clock.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const agent = { pid: 4_000_000, started: '00000000-1' }
  const teller = ours ? agent : { pid: 4_000_001, started: '00000000-2' }
  noteEvent(bus, 'backend', { kind: 'started', at: at(when), session_id: told, agent: teller })
  const how = { program: 'claude', command: null, args: [], cwd: '/', config: null, server: null }
  const launch = { ...how, agent, started: at(0) }
  expect(conversationIn(bus, 'backend', launch, ID)).toBe(found)
})
