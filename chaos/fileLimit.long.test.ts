import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outcome, ROOT } from '../src/testing/cli.ts'

test('with few file descriptors every command says so, and what helps', {
  timeout: 400_000,
}, async () => {
  const args = [join(ROOT, 'chaos/run.mjs'), '--only', 'file limit', '--seed', '7']
  const { code, stdout, stderr } = await outcome(spawn(process.execPath, args))
  expect(code, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).toContain('1 of 1 cases run, 0 broken')
})
