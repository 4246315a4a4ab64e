import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { shortId } from '../../message/shortId.ts'
import { noteWaiting } from '../../session/waiting.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { startAsk, type Waiting } from '../../testing/asks.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'
import { circleError, endError } from './askEnd.ts'

type Scene = { bus: Bus; backend: TestAgent; frontend: TestAgent }

/** `backend` asks, `frontend` is asked. */
async function scene(): Promise<Scene> {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const [backend, frontend] = agents as [TestAgent, TestAgent]
  return { bus, backend, frontend }
}

const ask = ({ bus }: Scene, ...args: string[]) =>
  startAsk(bus, 'backend', ['@frontend', 'why?', ...args])

/** Reads the question in a turn that a ring began, and ends that turn. */
async function endTurn({ frontend }: Scene): Promise<void> {
  await frontend.rung()
  await frontend.hook('stop')
}

const openDialog = ({ frontend }: Scene) => frontend.hook('permission-request')

describe('each end without an answer has its own words, exit code and outcome, and the question stands', () => {
  const ENDS: {
    outcome: string
    flags: string[]
    happens: (scene: Scene, asked: Waiting) => Promise<unknown>
    code: number
    error: string
    says: string
    hint: RegExp
  }[] = [
    {
      outcome: 'idle',
      flags: ['--until-idle'],
      happens: endTurn,
      code: 5,
      error: 'NO_ANSWER',
      says: '@frontend finished its turn without answering ID',
      hint: /^the question stays open, .*; to keep waiting: agent-chat ask --resume ID$/,
    },
    {
      outcome: 'asking',
      flags: ['--until-idle'],
      happens: openDialog,
      code: 5,
      error: 'NO_ANSWER',
      says: '@frontend has a dialog open and waits for its user, so ID has no answer',
      hint: /^answer the dialog in the terminal of @frontend, then: agent-chat ask --resume ID$/,
    },
    {
      outcome: 'gone',
      flags: [],
      happens: ({ frontend }) => frontend.chat('leave'),
      code: 4,
      error: 'SESSION_GONE',
      says: '@frontend has left, or its agent has ended, without answering ID',
      hint: /^@frontend finds the question in its inbox when it is back; to keep waiting: agent-chat ask --resume ID$/,
    },
    {
      outcome: 'gone',
      flags: [],
      happens: ({ frontend }) => frontend.end(),
      code: 4,
      error: 'SESSION_GONE',
      says: '@frontend has left, or its agent has ended, without answering ID',
      hint: /^@frontend finds the question in its inbox when it is back; /,
    },
    {
      outcome: 'timed out',
      flags: ['--timeout', '0.2'],
      happens: async () => {},
      code: 5,
      error: 'TIMED_OUT',
      says: 'no answer from @frontend to ID within 0.2 s; it is idle, and it has not seen the question yet',
      hint: /^the question stays open, and the answer comes as a message; to keep waiting: agent-chat ask --resume ID$/,
    },
    {
      outcome: 'interrupted',
      flags: [],
      happens: async (_, { child }) => child.kill('SIGINT'),
      code: 130,
      error: 'INTERRUPTED',
      says: 'stopped waiting for the answer of @frontend to ID',
      hint: /^the question stays open, and the answer comes as a message; to wait again: agent-chat ask --resume ID$/,
    },
    {
      outcome: 'interrupted',
      flags: [],
      happens: async (_, { child }) => child.kill('SIGTERM'),
      code: 130,
      error: 'INTERRUPTED',
      says: 'stopped waiting for the answer of @frontend to ID',
      hint: /agent-chat ask --resume ID$/,
    },
  ]
  test.each(ENDS)(
    '$outcome: $code',
    async ({ outcome, flags, happens, code, error, says, hint }) => {
      const here = await scene()
      const inWords = await ask(here, ...flags)
      const asData = await ask(here, '--json', ...flags)
      for (const asked of [inWords, asData]) await happens(here, asked)
      const run = await inWords.ended
      expect(run).toMatchObject({ code, stdout: '' })
      const [, message, below] =
        /agent-chat: (.*)\n {2}hint: (.*)\n$/.exec(
          run.stderr.replaceAll(shortId(inWords.id), 'ID'),
        ) ?? []
      expect(message).toBe(says)
      expect(below).toMatch(hint)

      const data = await asData.ended
      expect(data.code).toBe(code)
      const { question, ...rest } = JSON.parse(data.stdout)
      expect(rest).toEqual({ outcome, answer: null })
      expect(question).toMatchObject({ id: asData.id, body: 'why?' })
      expect(JSON.parse(data.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        error: { code: error },
      })

      const { bus, backend } = here
      expect(filesIn(bus.home.asks)).toEqual([])
      const read = eventsOf(bus.home, 'read').length > 0
      expect(
        filesIn(read ? bus.home.readDirectory('frontend') : bus.home.inbox('frontend')),
      ).toHaveLength(2)
      expect(await backend.chat('ask', '--resume', inWords.id, '--timeout', '0.01')).toMatchObject({
        code: outcome === 'gone' ? 4 : 5,
      })
    },
  )
})

test('a question that its doorbell cannot deliver: the reason, at once and at the end', async () => {
  const bus = tempBus(['backend', 'frontend'])
  noteWaiting(bus.home, 'frontend', {
    ...{ count: 1, since: '2026-11-21T03:39:12.000Z', why: 'a shell runs in the pane' },
  })
  const { ended } = await startAsk(bus, 'backend', ['@frontend', 'why?', '--timeout', '0.2'])
  const { stderr } = await ended
  const why = 'the question is not delivered yet: a shell runs in the pane'
  expect(stderr).toContain(`agent-chat: ${why}\n`)
  expect(stderr).toContain(`within 0.2 s; ${why}\n`)
})

describe('without --until-idle', () => {
  test('a turn that ended without an answer, and an open dialog, are told and waited through', async () => {
    const here = await scene()
    const { id, said, ended } = await ask(here)
    await endTurn(here)
    await until('the end of the turn to be told', () =>
      /finished its turn without answering\. Still waiting for a reply\./.test(said()),
    )
    await openDialog(here)
    await until('the dialog to be told', () =>
      /has a dialog open and waits for its user\. Still waiting for a reply\./.test(said()),
    )
    await here.frontend.chat('reply', id, 'because')
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('\nbecause\n') })
    expect(said().match(/Still waiting/g)).toHaveLength(2)
  })

  test('what it is doing is told when the time is up', async () => {
    const here = await scene()
    const { id, child } = await ask(here)
    child.kill('SIGKILL')
    await here.frontend.rung()
    const run = await here.backend.chat('ask', '--resume', id, '--timeout', '0.01')
    expect(run.stderr).toMatch(
      `agent-chat: no answer from @frontend to ${shortId(id)} within 0.01 s; it is busy\n`,
    )
  })
})

test('of a session without hooks nothing is known but whether it is there, so the time ends the ask', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const { ended } = await startAsk(bus, 'backend', [
    '@frontend',
    'why?',
    '--until-idle',
    '--timeout',
    '0.2',
  ])
  expect((await ended).stderr).toMatch(/within 0\.2 s; it has not seen the question yet\n/)
})

describe('a circle', () => {
  test.each([
    [['frontend', 'backend'], '@frontend waits for you'],
    [['frontend', 'docs', 'backend'], '@frontend waits for @docs, @docs waits for you'],
  ])('of %j is told by who waits for whom', (names, links) => {
    const asked = circleError({ names, waiting: 'some-id' }, false)
    expect(asked.message).toBe(`a circle, so nobody would ever answer: ${links}; nothing was asked`)
    expect(asked.hint).toContain(`agent-chat reply ${shortId('some-id')} "…"`)
    expect(circleError({ names, waiting: null }, true).message).toBe(
      `a circle, so nobody would ever answer: ${links}`,
    )
  })
})

test('an answer that is held back is told, with what lets it go on', () => {
  const other = { present: true, activity: 'busy' as const, since: 'then', met: 'then' }
  const end = { outcome: 'timed out' as const, other, heldChain: 'some-chain' }
  expect(endError({ id: 'some-id', to: 'frontend' }, end, 300).hint).toBe(
    `the guardrails hold an answer; your user can release it: agent-chat release ${shortId('some-chain')}; then: agent-chat ask --resume ${shortId('some-id')}`,
  )
})

test('the human is told of as somebody of whom nothing is known', () => {
  const other = { present: true, activity: 'unknown' as const, since: undefined, met: undefined }
  const question = { id: 'some-id', to: 'human' }
  expect(endError(question, { outcome: 'timed out', other }, 300).message).toBe(
    `no answer from @human to ${shortId('some-id')} within 300 s; it has not seen the question yet`,
  )
  expect(
    endError(question, { outcome: 'timed out', other: { ...other, met: 'then' } }, 300).message,
  ).toBe(`no answer from @human to ${shortId('some-id')} within 300 s`)
})
