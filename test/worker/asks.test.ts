// child_process: this file starts the program (see vitest.config.ts).
import { expect, test } from 'vitest'
import { until } from '../../src/testing/until.ts'
import { answerTo, define, sendTo, standInStage, startWork } from './stage.ts'

test('a worker says that it waits for a decision, and nothing of calls that are allowed at once', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  define(stage, 'asker', 'trust: ask')
  const coder = await startWork(stage, 'coder')
  const asker = await startWork(stage, 'asker')
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'MAY'])
  await sendTo(stage, ['ask', '--no-wait', '@asker', 'MAY'])
  expect((await answerTo(stage, id)).body).toBe('allow')
  await until('the wait', () => asker.stdout().includes('waits for your decision 1'))
  expect(coder.stdout()).not.toContain('waits for')
})
