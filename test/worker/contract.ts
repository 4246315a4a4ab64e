import { expect, test } from 'vitest'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import {
  answersIn,
  answerTo,
  carriers,
  define,
  runIn,
  type Stage,
  sendTo,
  startWork,
  stateOf,
} from './stage.ts'

/** What is true of a worker on the stand-in and on the real client alike. */
export function workerContract(makeStage: () => Stage | Promise<Stage>): void {
  test('an ask is answered, and the next one goes on with the conversation in the same process', async () => {
    const stage = await makeStage()
    define(stage, 'coder')
    const worker = await startWork(stage, 'coder')
    const first = await runIn(stage, ['ask', '@coder', 'SAY hello', '--as', 'human', '--json'])
    expect(first.stderr).toMatch(/^agent-chat: sent in the name of @human, not proven: .*\n$/)
    const { answer, question } = JSON.parse(first.stdout)
    expect(answer).toMatchObject({ kind: 'reply', body: 'hello', summary: 'hello' })
    expect(Number(answer.tokens_in)).toBeGreaterThan(0)
    expect(Number(answer.cost_usd)).toBeGreaterThan(0)
    const client = stateOf(stage, 'coder')?.client?.pid
    for (let at = 1; at < 12; at += 1)
      await answerTo(stage, await sendTo(stage, ['ask', '--no-wait', '@coder', `SAY ${at}`]))
    const count = await answerTo(
      stage,
      await sendTo(stage, ['ask', '--no-wait', '@coder', 'COUNT']),
    )
    expect(count.body).toBe('12')
    await until('it is idle', () => stateOf(stage, 'coder')?.activity === 'idle')
    expect(stateOf(stage, 'coder')?.requests).toBe(13)
    expect(stateOf(stage, 'coder')?.client?.pid).toBe(client)
    expect(answersIn(stage, question.id)).toHaveLength(1)
    expect(filesIn(stage.home.inbox('coder')).filter((file) => file.endsWith('.md'))).toEqual([])
    expect(worker.stdout()).toContain('sent reply to @human')
    worker.child.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(stateOf(stage, 'coder')?.activity).toBe('stopped')
    expect(carriers(stage, 'coder')).toEqual([])
  })

  test('a task has a conversation of its own, and then an ask is back in the former one', async () => {
    const stage = await makeStage()
    define(stage, 'coder')
    await startWork(stage, 'coder')
    const send = async (...args: string[]) => answerTo(stage, await sendTo(stage, args))
    await send('ask', '--no-wait', '@coder', 'SAY one')
    const task = await sendTo(stage, ['task', '@coder', 'COUNT'])
    const result = await answerTo(stage, task)
    expect(result).toMatchObject({ kind: 'result', body: '0', extra: { task_state: 'done' } })
    await send('ask', '--no-wait', '@coder', 'SAY two')
    expect((await send('ask', '--no-wait', '@coder', 'COUNT')).body).toBe('2')
    const thread = JSON.parse((await runIn(stage, ['thread', task, '--json'])).stdout)
    expect(thread.messages.map(({ body }: { body: string }) => body)).toEqual([
      'COUNT',
      'Accepted: COUNT',
      'Working on it: COUNT',
      '0',
    ])
    const listed = JSON.parse((await runIn(stage, ['conversations', '@coder', '--json'])).stdout)
    expect(
      listed.conversations.map(({ kind, answers }: { kind: string; answers: number }) => [
        kind,
        answers,
      ]),
    ).toEqual([
      ['ask', 3],
      ['task', 1],
    ])
    expect(listed.current).toBe(listed.conversations[0].id)
    expect(result.extra.conversation).toBe(listed.conversations[1].id)
  })

  test.each(['worker', 'client', 'both'])(
    'kill -9 of the %s while it is idle: one answer each',
    async (what) => {
      const stage = await makeStage()
      define(stage, 'coder')
      let worker = await startWork(stage, 'coder')
      await answerTo(stage, await sendTo(stage, ['ask', '--no-wait', '@coder', 'SAY one']))
      worker = await killed(what, worker.pid, stage, worker)
      const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'COUNT'])
      expect((await answerTo(stage, id)).body).toBe('1')
      await oneOfEach(stage, id)
    },
  )

  test.each([
    ['SLOW', 'worker'],
    ['SLOW', 'client'],
    ['SLOW', 'both'],
    ['TOOL', 'worker'],
    ['TOOL', 'client'],
    ['TOOL', 'both'],
  ])('in a turn of %s, kill -9 of the %s: one answer, and one process', async (phase, what) => {
    const stage = await makeStage()
    define(stage, 'coder')
    const worker = await startWork(stage, 'coder')
    const id = await sendTo(stage, ['ask', '--no-wait', '@coder', phase])
    const sign = phase === 'SLOW' ? 'partial' : 'Bash'
    await until('the turn is under way', () => worker.stdout().includes(sign))
    if (phase === 'TOOL') await until('the tool runs', () => carriers(stage, 'coder').length > 1)
    await killed(what, worker.pid, stage, worker)
    expect((await answerTo(stage, id)).body).toBe('finished after the interruption')
    await oneOfEach(stage, id)
  })

  test('asked to end in a turn, it finishes that first', async () => {
    const stage = await makeStage()
    define(stage, 'coder')
    const worker = await startWork(stage, 'coder')
    const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'LATER'])
    await until('it is busy', () => stateOf(stage, 'coder')?.activity === 'busy')
    worker.child.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(answersIn(stage, id).map(({ body }) => body)).toEqual(['later'])
    expect(stateOf(stage, 'coder')).toMatchObject({ activity: 'stopped' })
    expect(carriers(stage, 'coder')).toEqual([])
  })

  test('asked twice, it ends at once, and the message waits', async () => {
    const stage = await makeStage()
    define(stage, 'coder')
    const worker = await startWork(stage, 'coder')
    const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'TOOL'])
    await until('the tool runs', () => carriers(stage, 'coder').length > 1)
    worker.child.kill('SIGTERM')
    await until('it drains', () => stateOf(stage, 'coder')?.activity === 'draining')
    worker.child.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(carriers(stage, 'coder')).toEqual([])
    expect(answersIn(stage, id)).toEqual([])
    expect(filesIn(stage.home.inbox('coder'))).toContain(`${id}.md`)
    await startWork(stage, 'coder')
    await answerTo(stage, id)
  })
}

/** Kills, and starts the worker again where it was killed. */
async function killed(
  what: string,
  pid: number,
  stage: Stage,
  worker: Awaited<ReturnType<typeof startWork>>,
): Promise<Awaited<ReturnType<typeof startWork>>> {
  const client = stateOf(stage, 'coder')?.client?.pid ?? 0
  expect(client).toBeGreaterThan(0)
  if (what !== 'client') process.kill(pid, 'SIGKILL')
  if (what !== 'worker') process.kill(client, 'SIGKILL')
  if (what === 'client') return worker
  await worker.ended
  return startWork(stage, 'coder')
}

/** One answer, and no more than one client with nothing that an earlier one has left. */
async function oneOfEach(stage: Stage, id: string): Promise<void> {
  await until('it is idle', () => stateOf(stage, 'coder')?.activity === 'idle')
  expect(answersIn(stage, id)).toHaveLength(1)
  // A hook of the client's carries its mark too, and ends by itself.
  const client = stateOf(stage, 'coder')?.client?.pid
  await until('the client alone to be there', () => {
    const all = carriers(stage, 'coder')
    return all.length === 1 && all[0] === client
  })
}
