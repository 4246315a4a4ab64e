import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { readUnread } from '../../bus/mail/inbox.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { DIST, runCli } from '../../testing/cli.ts'
import { tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'
import { openStream } from '../../worker/stream/stream.ts'

const WORKER = 'coder'

/** A command that goes on while a worker, played by the test, answers. */
function started(home: string, args: string[]) {
  const child = spawn(RUNTIME, [`${DIST}/main.js`, ...args], {
    env: { PATH: process.env.PATH, AGENT_CHAT_HOME: home, AGENT_CHAT_NAME: 'planner' },
  })
  onTestFinished(() => void child.kill())
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { out: () => out, code }
}

async function scene(...args: string[]) {
  const bus = tempBus([WORKER, 'planner'])
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ coder: { name: 'coder', agent: null }, planner: { name: 'planner' } }),
  )
  const stream = openStream(bus, WORKER, 'earlier')
  stream.write({ event: 'token', text: 'not mine' })
  writeFileSync(bus.home.worker(WORKER), '{}')
  const command = started(bus.home.root, args)
  const question = await until('the question', () => readUnread(bus, WORKER).messages[0])
  const mine = openStream(bus, WORKER, question.id)
  const answer = (body: string) =>
    sendMessage(bus, { from: WORKER, to: 'planner', kind: 'reply', body, inReplyTo: question })
  return { bus, command, question, mine, answer }
}

describe('ask --stream', () => {
  test('prints the words as they come, the tools, and the answer once', async () => {
    const { command, mine, answer } = await scene('ask', '@coder', 'why?', '--stream')
    mine.write({ event: 'start', attempt: 1 })
    mine.write({ event: 'token', text: 'Because \u001b[2J' })
    await until('the first word', () => command.out().includes('Because'))
    mine.write({ event: 'tool_start', tool: 'Read' })
    mine.write({ event: 'tool_complete', tool: 'Read', ok: true })
    mine.write({ event: 'token', text: 'of it' })
    const { message } = answer('Because of it')
    mine.write({ event: 'done', outcome: 'answered', answer: message.id })
    expect(await command.code).toBe(0)
    expect(command.out()).toMatch(
      /^Because \^\[\[2J\n· Read\nof it\n\nThis is the answer of @coder/,
    )
  })

  test('prints the answer of whoever is no worker as ever', async () => {
    const { command, answer } = await scene('ask', '@coder', 'why?', '--stream')
    answer('Because')
    expect(await command.code).toBe(0)
    expect(command.out()).toContain('Because\n── end ')
  })
})

test('ask --resume --stream --after goes on where a reader was cut', async () => {
  const { bus, command, question, mine, answer } = await scene('ask', '@coder', 'why?', '--no-wait')
  expect(await command.code).toBe(0)
  for (const text of ['a', 'b', 'c']) mine.write({ event: 'token', text })
  answer('abc')
  mine.write({ event: 'done', outcome: 'answered' })
  const run = await runCli(['ask', '--resume', question.id, '--stream', '--after', '1', '--json'], {
    home: bus.home.root,
    env: { AGENT_CHAT_NAME: 'planner' },
  })
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ event, n, outcome }) => [event ?? outcome, n])).toEqual([
    ['token', 2],
    ['done', 3],
    ['answered', undefined],
  ])
})

describe('send --stream', () => {
  test('prints what the worker says until it is done', async () => {
    const { command, question, mine } = await scene(
      ...['send', '@coder', 'go', '--stream', '--json', '--conversation', 'c-1'],
    )
    expect(question.extra.conversation).toBe('c-1')
    mine.write({ event: 'token', text: 'gone' })
    mine.write({ event: 'done', outcome: 'answered' })
    expect(await command.code).toBe(0)
    const [sent, ...events] = command
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(sent).toMatchObject({ id: question.id })
    expect(events.map(({ event }) => event)).toEqual(['token', 'done'])
  })

  test.each([
    [['send', '@planner', 'hello', '--stream'], 'is not a worker'],
    [['ask', '@coder', 'why?', '--stream', '--no-wait'], '--stream and --no-wait disagree'],
    [['ask', '@coder', 'why?', '--after', '3'], '--after needs --stream'],
  ])('%j is refused before anything is sent', async (args, why) => {
    const bus = tempBus([WORKER, 'planner'])
    const run = await runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: 'backend' } })
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(why)])
    expect(readUnread(bus, WORKER).messages).toEqual([])
  })
})
