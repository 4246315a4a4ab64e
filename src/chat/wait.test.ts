import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { shortId } from '../message/shortId.ts'
import { agentsOn, type TestAgent } from '../testing/agent.ts'
import { outcome, runCli, startCli } from '../testing/cli.ts'
import { eventsOf, tempBus } from '../testing/home.ts'
import { runAsOwner } from '../testing/human.ts'
import { until } from '../testing/until.ts'

/** `backend` sends and waits for a stage; the id of its message, and how its command ends. */
async function startSend(bus: Bus, stage: string, ...args: string[]) {
  const env = { AGENT_CHAT_NAME: 'backend' }
  const argv = ['send', '@frontend', 'why?', '--question', '--wait', stage, ...args]
  // A busy machine gets the time that it needs, within that of a test.
  const child = startCli(argv, { home: bus.home.root, env, limitMs: 50_000 })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = outcome(child)
  const id = await until('the message to be sent', () => eventsOf(bus.home, 'sent')[0]?.id)
  return { id: String(id), ended }
}

const ring = (bus: Bus, agent: TestAgent) =>
  agent.hook('bell', { file_path: bus.home.ring(agent.name), event: 'change' })

const STAGES: [
  stage: string,
  reached: string,
  happens: (bus: Bus, agent: TestAgent, id: string) => Promise<unknown>,
][] = [
  // Both are told one after the other.
  ['rung', 'rung|presented', ring],
  ['presented', 'presented', ring],
  ['read', 'read', (_, agent) => agent.chat('inbox')],
  ['answered', 'answered', (_, agent, id) => agent.chat('reply', id, 'because')],
]

test.each(STAGES)(
  'send --wait %s ends when the message is %s, with 0',
  async (stage, reached, happens) => {
    const { bus, agents } = await agentsOn('frontend', 'backend')
    const [frontend] = agents as [TestAgent, TestAgent]
    const { id, ended } = await startSend(bus, stage)
    await happens(bus, frontend, id)
    const { code, stdout, stderr } = await ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      new RegExp(`^sent ${shortId(id)} to @frontend\n(${reached}) ${shortId(id)}\n$`),
    )
  },
)

test('--wait answered is not content with a message that was read, nor with another’s answer', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend', 'docs')
  const [frontend, , docs] = agents as [TestAgent, TestAgent, TestAgent]
  const { id, ended } = await startSend(bus, 'answered', '--timeout', '3', '--json')
  await frontend.chat('inbox')
  await docs.chat('send', '@backend', 'I know!', '--reply-to', id)
  const { code, stdout, stderr } = await ended
  expect(code).toBe(5)
  expect(JSON.parse(stdout)).toMatchObject({ id })
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringMatching(
      new RegExp(`^${shortId(id)} was not answered within 3 s; it is (sent|read)$`),
    ),
    hint: expect.stringContaining(`agent-chat show ${shortId(id)}`),
  })
})

describe('an answer that is held back', () => {
  /** `frontend` answers a message of `backend`'s, over a cap. */
  const answerHeld = (bus: Bus, id: string) =>
    sendMessage(bus, {
      ...{ from: 'frontend', to: 'backend', kind: 'reply', body: 'because', chain: id, hops: 4 },
      ...{
        inReplyTo: { id, thread: id },
        silent: { ring: 'held', why: '4 messages on this chain' },
      },
    })

  test('ends --wait answered once the human lets it go on', async () => {
    const bus = tempBus(['frontend', 'backend'])
    const { id, ended } = await startSend(bus, 'answered')
    answerHeld(bus, id)
    await runAsOwner(['release', id], { home: bus.home.root })
    expect(await ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`answered ${shortId(id)}\n`),
    })
  })

  test('ends it not before, and is told of when the time is up', async () => {
    const bus = tempBus(['frontend', 'backend'])
    const { id, ended } = await startSend(bus, 'answered', '--timeout', '4')
    answerHeld(bus, id)
    const { code, stderr } = await ended
    expect(code).toBe(5)
    expect(stderr).toMatch(
      new RegExp(
        `is sent\\n {2}hint: the guardrails hold an answer.*: agent-chat release ${shortId(id)}\\n$`,
      ),
    )
  })
})

test('--wait answered is answered by a reply of the human, and show tells by which message', async () => {
  const bus = tempBus(['backend'])
  const env = { AGENT_CHAT_NAME: 'backend' }
  const child = startCli(['send', '@human', 'now?', '--wait', 'answered', '--json'], {
    home: bus.home.root,
    env,
  })
  const ended = outcome(child)
  const id = String(await until('the message to be sent', () => eventsOf(bus.home, 'sent')[0]?.id))
  await runCli(['reply', id, 'yes', '--as', 'human'], { home: bus.home.root })
  const run = await ended
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ id, stage: 'answered' })
  const answer = eventsOf(bus.home, 'sent')[1]?.id
  const shown = await runCli(['show', id], { home: bus.home.root })
  expect(shown.stdout).toMatch(
    new RegExp(
      `\n {2}answered  20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d by ${shortId(String(answer))}\n`,
    ),
  )
  const data = JSON.parse((await runCli(['show', id, '--json'], { home: bus.home.root })).stdout)
  expect(data.stages.at(-1)).toMatchObject({ stage: 'answered', by: answer })
})

test('a time beyond what a timer holds is long, and not over at once', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend] = agents as [TestAgent, TestAgent]
  const { id, ended } = await startSend(bus, 'read', '--timeout', '9999999')
  await frontend.chat('inbox')
  expect(await ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`read ${shortId(id)}\n`),
    stderr: '',
  })
})

test('a stage that is none is bad usage, and nothing is sent', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const run = await runCli(['send', '@frontend', 'x', '--wait', 'done', '--as', 'backend'], {
    home: bus.home.root,
  })
  expect(run).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/rung, presented, read, answered/),
  })
  expect(eventsOf(bus.home)).toEqual([])
})
