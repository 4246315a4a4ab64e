import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the benchmark measures this tree: a command and a hook', () => {
  const argv = [join(import.meta.dirname, 'run.mjs'), '--group', 'startup', '--rounds', '1']
  const only = ['--archive', '20', '--only', 'inbox', '--only', 'hook stop']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...argv, ...only], {
    encoding: 'utf8',
  })
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^\| inbox \|/m)
  expect(stdout).toMatch(/^\| hook stop \|/m)
})
