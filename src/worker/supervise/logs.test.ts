import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../system/files.ts'
import { tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'
import { followLines, growingLines } from './logs.ts'

test('a line that grows is printed as it grows, each part once', () => {
  let printed = ''
  const { part, line } = growingLines((text) => {
    printed += text
  })
  for (const text of ['w0', 'w0 w1', 'w0 w1']) part(text)
  expect(printed).toBe('w0 w1')
  line('w0 w1 w2')
  line('')
  part('next')
  expect(printed).toBe('w0 w1 w2\n\nnext')
})

test('what a worker prints is followed inside a line', async () => {
  const bus = tempBus(['coder'])
  const { home } = bus
  makeDirectory(home.workers)
  writeFileSync(home.worker('coder'), '{}')
  writeFileSync(home.workerOutput('coder'), 'before\n')
  let printed = ''
  let stop: (() => void) | undefined
  const { part, line } = growingLines((text) => {
    printed += text
  })
  const onStop = (asked: (signal: NodeJS.Signals) => void) => {
    stop = () => asked('SIGINT')
  }
  const ended = followLines('coder', { bus: () => bus, cwd: '/', onStop }, line, part)
  await until('it follows', () => stop !== undefined)
  for (const [more, all] of [
    ['w0 ', 'w0 '],
    ['w1 é', 'w0 w1 é'],
    ['\nnext', 'w0 w1 é\nnext'],
  ] as const) {
    appendFileSync(home.workerOutput('coder'), more)
    await until('the part to be printed', () => printed === all)
  }
  stop?.()
  await ended
})
