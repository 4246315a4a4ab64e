import { mkdirSync, writeFileSync } from 'node:fs'
import type { Bus } from '../../../src/bus/bus.ts'
import { record } from '../../../src/bus/history.ts'
import { nextEscalation } from '../../../src/bus/index/escalations.ts'
import { putMark } from '../../../src/bus/mail/marks.ts'
import { sendMessage } from '../../../src/bus/mail/send.ts'
import { attachmentFields } from '../../../src/message/attachment.ts'
import { escalationBody, escalationFields } from '../../../src/message/escalation.ts'
import { isoTime } from '../../../src/message/time.ts'
import { register } from '../../../src/testing/home.ts'

const MINUTE = 60_000

/** An afternoon of four sessions and two workers, as files. Gives some of its messages by name. */
export function playScene(bus: Bus) {
  const say = (from: string, to: string, kind: string, body: string, more = {}) =>
    sendMessage(bus, { from, to, kind, body, ...more }).message
  const backend = say(
    'human',
    'backend',
    'task',
    'Move GET /tasks to the new schema, with tests.',
    {
      subject: 'Move GET /tasks to the new schema',
    },
  )
  answer(bus, 'backend', 'accepted', backend, 'I begin with the migration.')
  const contract = say(
    'backend',
    'frontend',
    'handover',
    'GET /tasks returns {items, next}. The old field `tasks` goes away on Friday.\n\n    {"items": [{"id": 1, "title": "…"}], "next": null}\n\nTell me if you still read it anywhere.',
    {
      subject: 'The contract of GET /tasks',
      chain: backend.chain,
    },
  )
  const still = say(
    'frontend',
    'backend',
    'question',
    'The board still reads `tasks`. Can it stay for a week?',
    {
      inReplyTo: contract,
    },
  )
  say(
    'backend',
    'frontend',
    'reply',
    'Yes: both fields until Friday week. I log who reads the old one.',
    {
      inReplyTo: still,
    },
  )
  const page = say('human', 'frontend', 'task', 'The board should show who has a task.', {
    subject: 'Show the owner on the board',
  })
  answer(bus, 'frontend', 'accepted', page, 'On it.')
  answer(bus, 'frontend', 'done', page, 'Done: an avatar on each card, with a test.')
  say('human', 'docs', 'task', 'Write up the two fields for integrators.', {
    subject: 'Document both fields',
  })
  const review = say(
    'reviewer',
    'backend',
    'question',
    'Why is the index on (owner, state) and not the other way round?',
  )
  say('backend', 'reviewer', 'reply', 'Every query has the owner; few have the state.', {
    inReplyTo: review,
  })
  const file = `${bus.home.root}/report.txt`
  writeFileSync(file, 'p95 38 ms\n')
  say('backend', 'human', 'note', 'The load test is through: p95 38 ms, before it was 61 ms.', {
    subject: 'Load test',
    extra: attachmentFields([{ path: file, bytes: 10, sha256: '0'.repeat(64) }]),
  })
  const held = say('docs', 'reviewer', 'note', 'And one more round on the wording?')
  putMark(bus.home, 'reviewer', held.id, {
    ring: 'held',
    why: 'the 13th message on one chain',
    chain: held.chain,
    at: isoTime(bus.clock.now()),
  })
  record(bus, 'held', {
    id: held.id,
    from: 'docs',
    to: 'reviewer',
    chain: held.chain,
    why: 'the 13th message on one chain',
  })
  const decision = ask(
    bus,
    'backend',
    'Drop the column `tasks.legacy_owner` in this release?',
    ['Drop it now', 'Keep it until the next release', 'Ask again in a week'],
    {
      context: 'Nothing has read it for 14 days; one report of finance might.',
      recommend: 'keep it until the next release: it costs 3 MB.',
    },
  )
  const approval = ask(
    bus,
    'coder',
    'May I use Bash: npm publish --dry-run',
    ['Yes, this one call', 'Yes, and all that it asks for in the rest of this turn', 'No'],
    {
      context:
        'a message from @backend (“Release notes”) began this turn. In /srv/shop:\n\n    Bash:\n    npm publish --dry-run',
    },
    { permission: 'digest' },
  )
  say(
    'frontend',
    'human',
    'question',
    'Which of the two greens is the brand’s: #1b6652 or #2f8f6b?',
  )
  workers(bus)
  tokens(bus)
  return { backend, contract, decision, approval, held }
}

function answer(bus: Bus, from: string, state: string, task: { id: string }, body: string) {
  sendMessage(bus, {
    from,
    to: 'human',
    kind: state === 'done' ? 'result' : 'reply',
    body,
    inReplyTo: task as never,
    extra: { task_state: state },
  })
}

function ask(
  bus: Bus,
  from: string,
  question: string,
  options: string[],
  more: { context?: string; recommend?: string },
  extra: Record<string, string> = {},
) {
  const { number } = nextEscalation(bus.home)
  return sendMessage(bus, {
    from,
    to: 'human',
    kind: 'question',
    subject: `decision ${number}: ${question}`,
    body: escalationBody({ question, options, ...more }),
    extra: { ...escalationFields(number, options), ...extra },
  }).message
}

/** One that is in a turn, as this very process, and one that has failed. */
function workers({ home, clock, processes }: Bus) {
  mkdirSync(home.workers, { recursive: true })
  const at = (minutes: number) => isoTime(clock.now() - minutes * MINUTE)
  const state = {
    started: at(42),
    beat: at(0),
    requests: 7,
    restarts: [],
    definition: { path: '', hash: '' },
  }
  const write = (name: string, more: object) =>
    writeFileSync(home.worker(name), JSON.stringify({ name, ...state, ...more }))
  write('coder', {
    activity: 'waiting',
    since: at(2),
    process: processes.self(),
    reason: 'waits for your decision 2',
  })
  write('researcher', {
    activity: 'failed',
    since: at(9),
    process: { pid: 0, started: '' },
    reason: 'Claude Code ended 3 times within 5 minutes (exit code 1)',
  })
  const cost = {
    // Just after midnight, what was minutes ago was yesterday.
    at: at(0),
    message: 'm',
    chain: null,
    conversation: 'c',
    input: 48_200,
    output: 3100,
    usd: 0.42,
  }
  writeFileSync(home.workerCosts('coder'), `${JSON.stringify(cost)}\n`)
}

/**
 * A busy day of five sessions: 250 messages, 20 of them decisions and questions that wait for you,
 * and 30 that you have not read, in 15 threads.
 */
export function playBusyDay(bus: Bus) {
  register(bus.home, ...BUSY)
  const say = (from: string, to: string, kind: string, body: string, more = {}) =>
    sendMessage(bus, { from, to, kind, body, ...more }).message
  const at = (index: number) => BUSY[index % BUSY.length] ?? ''
  for (let one = 0; one < 200; one += 1)
    say(at(one), at(one + 1), 'note', `Round ${one}: the schema of table ${one} is as agreed.`)
  const threads = Array.from({ length: 15 }, (_, one) =>
    say(at(one), 'human', one % 3 === 0 ? 'result' : 'note', `Report ${one} of the nightly run`),
  )
  for (const [one, first] of threads.entries())
    say(at(one), 'human', 'note', `More of report ${one}`, { inReplyTo: first })
  for (let one = 0; one < 20; one += 1) {
    const question = `May I drop column ${one} of the table that finance reads every Friday?`
    if (one < 12) ask(bus, at(one), question, ['Drop it', 'Keep it', 'Ask again'], {})
    else say(at(one), 'human', 'question', question)
  }
  work(bus)
}

const BUSY = ['backend', 'docs', 'frontend', 'infra', 'reviewer']

/** What hooks and Claude Code's record tell of two sessions, as if this process were both. */
function work({ home, clock, processes }: Bus) {
  const at = isoTime(clock.now() - 2 * MINUTE)
  const record = `${home.root}/record.jsonl`
  const content = [{ type: 'tool_use', name: 'Edit', input: { file_path: '/srv/src/tasks.ts' } }]
  writeFileSync(
    record,
    `${JSON.stringify({ type: 'assistant', timestamp: at, message: { content } })}\n`,
  )
  mkdirSync(home.states, { recursive: true })
  const known = { since: at, session_id: null, agent: processes.self(), gate: 'enforce' }
  const write = (name: string, more: object) =>
    writeFileSync(home.state(name), JSON.stringify({ ...known, ...more }))
  write('backend', { activity: 'busy', transcripts: [record] })
  write('docs', { activity: 'idle' })
}

/** What Claude Code's own record says of a session. */
function tokens({ home, clock }: Bus) {
  const path = `${home.root}/transcript.jsonl`
  const now = isoTime(clock.now())
  const usage = { input_tokens: 1200, cache_creation_input_tokens: 61_000, output_tokens: 4100 }
  writeFileSync(
    path,
    `${JSON.stringify({ type: 'assistant', timestamp: now, message: { id: 'm', usage } })}\n`,
  )
  mkdirSync(home.states, { recursive: true })
  const state = { activity: 'idle', since: now, session_id: null, agent: null }
  writeFileSync(home.state('backend'), JSON.stringify({ ...state, transcripts: [path] }))
}
