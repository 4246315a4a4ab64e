import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { isOwnTerminal, ringTerminal, terminalOf, terminalOfNumber } from './terminals.ts'

test.each([
  [0, undefined],
  [34816, '/dev/pts/0'],
  [34819, '/dev/pts/3'],
  [34816 + 255, '/dev/pts/255'],
  // The minor's upper bits stand above the major's.
  [34816 + 0x100000, '/dev/pts/256'],
  [35072 + 1, '/dev/pts/257'],
  [1026, '/dev/tty2'],
  [1024 + 64, '/dev/ttyS0'],
  // /dev/null has no business here.
  [259, undefined],
])('the terminal with the number %i is %s', (number, path) => {
  expect(terminalOfNumber(number)).toBe(path)
})

test('a process that is not there has no terminal', () => {
  expect(terminalOf(4_194_304)).toBeUndefined()
})

test('what is no terminal is not rung', () => {
  const directory = tempDirectory()
  const file = join(directory, 'file')
  const link = join(directory, 'link')
  const pipe = join(directory, 'pipe')
  writeFileSync(file, '')
  symlinkSync('/dev/tty', link)
  execFileSync('mkfifo', [pipe])
  const paths = [
    file,
    link,
    pipe,
    '/dev/null',
    '/dev/zero',
    '/dev/tty',
    '/dev/pts/99999',
    '/dev/pts/../null',
    '',
  ]
  expect(paths.filter((path) => isOwnTerminal(path) || ringTerminal(path))).toEqual([])
  expect(readFileSync(file, 'utf8')).toBe('')
})
