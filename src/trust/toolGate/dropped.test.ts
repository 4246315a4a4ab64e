import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { dropsQuestion } from './dropped.ts'

/**
 * Measured with Claude Code 2.1.329 in bypassPermissions: what ran in spite of a hook's question.
 */
const RAN = [
  'sleep 0.1 &',
  'echo x > .git/hooks/pre',
  'touch .git/x',
  'touch linkdir/y',
  'diff <(echo a) <(echo b)',
]
/** What was put to the human all the same. */
const ASKED = [
  'touch a',
  'rm -rf sub',
  'echo x > e',
  'git commit -m x',
  'touch a && touch b',
  "rm -rf 'sub'",
]
const DOTS = [
  'cd .git',
  "touch '.env'",
  'cat x >.npmrc',
  'rm src/.hidden',
  'x=.git',
  'touch a & wait',
  'touch $X',
  'touch ~/x',
]

function place(): string {
  const cwd = tempDirectory()
  mkdirSync(join(cwd, 'real'))
  symlinkSync('real', join(cwd, 'linkdir'))
  return cwd
}

const drops = (
  name: string,
  input: Record<string, unknown>,
  cwd: string,
  mode = 'bypassPermissions',
) => dropsQuestion({ name, input }, { mode, cwd })

test.each([...RAN, ...DOTS])('%s needs a no', (command) => {
  expect(drops('Bash', { command }, place())).toBe(true)
  expect(drops('Bash', { command }, place(), 'acceptEdits')).toBe(false)
})

test.each(ASKED)('%s can be asked about', (command) => {
  expect(drops('Bash', { command }, place())).toBe(false)
})

test.each([
  ['src/a.ts', false],
  ['new/deep', false],
  ['.git/hooks/w', true],
  ['.claude/settings.json', true],
  ['.mcp.json', true],
  ['linkdir', true],
  ['linkdir/x', true],
])('to write %s needs a no: %s', (file, no) => {
  const cwd = place()
  expect(drops('Write', { file_path: join(cwd, file) }, cwd)).toBe(no)
  expect(drops('Edit', {}, cwd)).toBe(true)
})

test('a tool that the host has no eyes for of its own is asked about', () => {
  expect(drops('CronCreate', { prompt: 'x' }, '/')).toBe(false)
})
