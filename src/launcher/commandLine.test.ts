import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isOneProgram, programOf } from './commandLine.ts'

const ROWS: [command: string, program: string | undefined][] = [
  ['codex', 'codex'],
  ['  codex --fast ', 'codex'],
  ['g++-14 x', 'g++-14'],
  ['/opt/agent --fast', '/opt/agent'],
  ['./agent', './agent'],
  ['tools/agent', 'tools/agent'],
  ['"/opt/my tools/agent" "a b"', '/opt/my tools/agent'],
  ["'/opt/$my tools/agent'", '/opt/$my tools/agent'],
  ['~/bin/agent', '/home/me/bin/agent'],
  ['~root/agent', undefined],
  ['"~/agent"', '~/agent'],
  ['$HOME/bin/agent', undefined],
  ['"$HOME/bin/agent"', undefined],
  ['"a"b', undefined],
  ['exec cat', undefined],
  ['command cat', undefined],
  ['eval cat', undefined],
  ['. ./start', undefined],
  ['(cat)', undefined],
  ['{ cat; }', undefined],
  ['if true; then cat; fi', undefined],
  ['while true; do cat; done', undefined],
  ['! cat', undefined],
  ['FAST=1 cat', undefined],
  ['cd / && cat', undefined],
  ['', undefined],
]

test.each(ROWS)('the program of %j is %j', (command, program) => {
  expect(programOf(command, '/home/me')).toBe(program)
})

test('without a home, a ~ tells nothing', () => {
  expect(programOf('~/agent', undefined)).toBeUndefined()
})

test('what sh has built in and no program has to be there for is taken for no program', () => {
  const builtins =
    'alias cd command eval exec exit export getopts hash read set trap type ulimit umask wait'
  for (const word of builtins.split(' ')) {
    const env = { PATH: '/nonexistent' }
    expect(
      execFileSync('/bin/sh', ['-c', `command -v ${word}`], { env, encoding: 'utf8' }),
    ).toContain(word)
    expect(isOneProgram(word)).toBe(false)
  }
})
