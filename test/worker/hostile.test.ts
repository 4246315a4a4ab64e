// child_process: this file starts the program (see vitest.config.ts).
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refuseBelowWorker } from '../../src/session/workers.ts'
import { tryPidLock } from '../../src/system/pidlock.ts'
import { tempBus } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { answerTo, define, runIn, sendTo, standInStage, startWork } from './stage.ts'

test('the name of a worker that runs can be neither taken nor given up', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  for (const args of [
    ['leave', 'coder'],
    ['rename', 'coder', 'kodr'],
    ['join', 'coder', '--force'],
  ]) {
    const { code, stderr } = await runIn(stage, args)
    expect(code).toBe(8)
    expect(stderr).toContain(`@coder is a worker that runs (process ${worker.pid})`)
    expect(stderr).toContain('agent-chat down coder')
  }
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'SAY still here'])
  expect((await answerTo(stage, id)).body).toBe('still here')
  worker.child.kill('SIGTERM')
  await worker.ended
  const renamed = await runIn(stage, ['rename', 'coder', 'kodr'])
  expect(renamed.stderr).toContain(stage.home.agentFile('coder'))
})

test('what a worker has started takes no other name', () => {
  const bus = tempBus(['backend'])
  mkdirSync(bus.home.workers, { recursive: true })
  refuseBelowWorker(bus)
  writeFileSync(bus.home.worker('coder'), '{}')
  const release = tryPidLock(bus.home.workerLock('coder'), bus.processes)
  expect(() => refuseBelowWorker(bus)).toThrow('this session is already @coder')
  if (typeof release === 'function') release()
  refuseBelowWorker(bus)
})

test('what nobody sees in a message is seen in its prompt', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const body = 'SAY hello \u{e0041}\u202e'
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', body])
  expect((await answerTo(stage, id)).body).toBe('hello <U+E0041><U+202E>')
  expect(stage.prompts()[0]?.text).toContain('SAY hello <U+E0041><U+202E>\n')
})

test('a home that cannot be written in mid-turn: one error and a hint, no stack trace', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  await sendTo(stage, ['ask', '--no-wait', '@coder', 'LATER'])
  await until('the prompt', () => stage.prompts().length === 1)
  renameSync(stage.home.workers, `${stage.home.workers}.gone`)
  writeFileSync(stage.home.workers, '')
  const { code, stderr } = await worker.ended
  expect(code).not.toBe(0)
  expect(stderr).toMatch(/^agent-chat: the home .*\n {2}hint: .*\n$/)
})
