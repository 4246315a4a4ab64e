import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { launchWatcher } from './rest.ts'

test('a process that has ended ends the rest, also where its parent has not waited for it', async () => {
  const root = tempDirectory()
  mkdirSync(join(root, 'pids'))
  writeFileSync(join(root, 'pids', '@watcher.rest'), '')
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => {
    parent.kill('SIGKILL')
  })
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)))
  // Stands for the program: it names the process once, and has nothing to look after then.
  const script = join(root, 'program')
  writeFileSync(
    script,
    `echo >> ${root}/calls; [ -e ${root}/named ] || echo /proc/${pid}; : > ${root}/named`,
  )
  const calls = () => existsSync(join(root, 'calls')) && readFileSync(join(root, 'calls'), 'utf8')
  launchWatcher({ node: '/bin/sh', script }, { PATH: process.env.PATH }, { root })
  await until('the rest', () => existsSync(join(root, 'named')))
  expect(calls()).toBe('\n')
  process.kill(pid, 'SIGKILL')

  await until('another look', () => calls() === '\n\n')
})
