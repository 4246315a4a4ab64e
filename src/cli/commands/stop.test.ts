import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tryPidLock } from '../../system/pidlock.ts'
import { runCli } from '../../testing/cli.ts'
import { register, tempBus } from '../../testing/home.ts'

test('stop of a worker that runs names the command that ends it', async () => {
  const bus = tempBus()
  const { home, processes } = bus
  for (const path of [home.agents, home.workers]) mkdirSync(path, { recursive: true })
  writeFileSync(home.agentFile('coder'), '')
  register(home, 'coder')
  const release = tryPidLock(home.workerLock('coder'), processes)
  onTestFinished(() => void (typeof release === 'function' && release()))
  expect(await runCli(['stop', 'coder'], { home: home.root })).toMatchObject({
    code: 2,
    stderr: 'agent-chat: @coder is a worker\n  hint: end it with: agent-chat down coder\n',
  })
  expect(await runCli(['stop', '--all'], { home: home.root })).toMatchObject({
    code: 0,
    stderr: 'agent-chat: @coder goes on: it is a worker; end it with: agent-chat down coder\n',
  })
})
