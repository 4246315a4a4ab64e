import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn } from '../../../src/testing/home.ts'
import { until } from '../../../src/testing/until.ts'
import { silenceContract } from '../../worker/silence.ts'
import { answerTo, carriers, define, sendTo, startWork, stateOf } from '../../worker/stage.ts'
import { newText } from '../harness/request.ts'
import { model, realStage } from './stage.ts'

silenceContract(realStage)

test('401: the worker has failed at once, and the message waits', async () => {
  const stage = await realStage((request) =>
    newText(request).includes('REFUSE')
      ? { status: 401, error: 'authentication_error', message: 'invalid x-api-key' }
      : model(request),
  )
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  await sendTo(stage, ['ask', '--no-wait', '@coder', 'REFUSE'])
  expect((await worker.ended).code).toBe(1)
  expect(stateOf(stage, 'coder')?.reason).toContain('refuses the key')
  expect(filesIn(stage.home.inbox('coder')).filter((file) => file.endsWith('.md'))).toHaveLength(1)
  expect(carriers(stage, 'coder')).toEqual([])
})

test('529 until it is over: the answer comes all the same', async () => {
  let refused = 0
  const stage = await realStage((request) => {
    if (newText(request).includes('BUSY') && ++refused <= 4)
      return { status: 529, error: 'overloaded_error', message: 'Overloaded' }
    return { text: 'at last' }
  })
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'BUSY'])
  await until(
    'it says why it takes so long',
    () => /asked again|overloaded/.test(stateOf(stage, 'coder')?.reason ?? ''),
    30_000,
  )
  expect((await answerTo(stage, id, 60_000)).body).toBe('at last')
})

test('a connection that is reset: the client asks again, and the answer comes', async () => {
  let resets = 0
  const stage = await realStage((request) => {
    if (newText(request).includes('RESET') && ++resets <= 3)
      throw new Error('the connection is cut')
    return { text: 'after all' }
  })
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'RESET'])
  await until(
    'it says why it takes so long',
    () => /asked again/.test(stateOf(stage, 'coder')?.reason ?? ''),
    30_000,
  )
  expect((await answerTo(stage, id, 60_000)).body).toBe('after all')
})

test('what is not on the list of tools does not exist', async () => {
  const stage = await realStage((request) => {
    const said = newText(request)
    if (said.includes('MAKE'))
      return { tool: 'Write', input: { file_path: join(stage.cwd, 'made'), content: 'x' } }
    return { text: said.includes('No such tool') ? 'there is no such tool' : said }
  })
  define(stage, 'reader', '', ['read', 'bash'])
  await startWork(stage, 'reader')
  const id = await sendTo(stage, ['ask', '--no-wait', '@reader', 'MAKE it'])
  expect((await answerTo(stage, id)).body).toBe('there is no such tool')
  expect(filesIn(stage.cwd)).toEqual([])
})

test('a turn of more steps than the definition allows ends, and says so', async () => {
  const stage = await realStage((request) =>
    newText(request).includes('ON')
      ? { tool: 'Bash', input: { command: 'echo ON', description: 'again' } }
      : { text: 'ok' },
  )
  define(stage, 'coder', 'max_turns: 2')
  await startWork(stage, 'coder')
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'go ON'])
  expect((await answerTo(stage, id)).extra.failed).toContain(
    'more steps than its definition allows',
  )
})
