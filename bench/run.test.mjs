import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leftOut } from '../src/testing/leftOut.ts'

/** What it prints after one round. @param {string[]} options */
function measured(...options) {
  const argv = [join(import.meta.dirname, 'run.mjs'), '--rounds', '1', ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

test('the benchmark measures this tree: a command and a hook', () => {
  const only = ['--archive', '20', '--only', 'inbox', '--only', 'hook stop']
  const stdout = measured('--group', 'startup', ...only)
  expect(stdout).toMatch(/^\| inbox \|/m)
  expect(stdout).toMatch(/^\| hook stop \|/m)
})

test(
  'and a hook in a session that never joined, which starts no Node',
  leftOut(process.platform !== 'linux' && 'it is for Linux'),
  () => {
    const stdout = measured('--group', 'stranger')
    for (const name of ['`sh -c :`', '`node -e 0`', 'hook pre-tool-use'])
      expect(stdout).toContain(`\n| ${name} | **`)
  },
)
