import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST, HOOK } from '../../src/testing/cli.ts'
import { tempDirectory, tempHome } from '../../src/testing/home.ts'

/** What the built program says in a directory that has been removed. */
function inRemoved(file: string, ...args: string[]) {
  const home = tempHome('backend', 'frontend')
  const base = tempDirectory()
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [
      '-c',
      'mkdir gone && cd gone && rmdir ../gone && exec "$@"',
      'sh',
      process.execPath,
      join(DIST, file),
      ...args,
    ],
    {
      cwd: base,
      env: { PATH: process.env.PATH, HOME: base, AGENT_CHAT_HOME: home.root },
      encoding: 'utf8',
      input: '{}',
    },
  )
  return { status, stdout, stderr, base }
}

test.each([
  [['who'], 0],
  [['send', '@frontend', 'hello', '--as', 'backend'], 0],
  [['inbox', 'frontend'], 0],
  [['history'], 0],
  [['tasks'], 0],
  [['status', 'backend'], 0],
  [['doctor', '--json'], undefined],
  [['--version'], 0],
  [['help', 'send'], 0],
])('%j needs no directory, so it works in one that has been removed', (args, code) => {
  const { status, stdout, stderr } = inRemoved('main.js', ...args)
  expect(stderr).not.toMatch(/uv_cwd|at .*:\d+:\d+/)
  expect(stdout + stderr).not.toBe('')
  if (code !== undefined) expect(status).toBe(code)
})

test('a hook there says nothing and ends well', () => {
  expect(inRemoved(HOOK, 'session-start')).toMatchObject({ status: 0, stdout: '', stderr: '' })
})

test('an agent is not started there, and one line says why', () => {
  const { status, stderr, base } = inRemoved('main.js', 'start', 'docs', '--cmd', 'cat')
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `agent-chat: the directory ${base}/gone is gone\n  hint: go to another one, then: agent-chat start docs\n`,
  })
})
