import { expect, test } from 'vitest'
import { pathLine } from './link.ts'
import { atLeast, checkNode } from './programs.ts'

test.each([
  ['20.19.0', [20, 19], true],
  ['20.18.3', [20, 19], false],
  ['22.0.0', [20, 19], true],
  ['3.3a', [3, 0], true],
  ['3', [3, 0], true],
  ['2.9a', [3, 0], false],
  ['next-3.6', [3, 0], true],
  ['openbsd-7.5', [3, 0], true],
] as const)('%s is %j or newer: %s', (version, oldest, expected) => {
  expect(atLeast(version, oldest)).toBe(expected)
})

test('an old Node is told what to install', () => {
  expect(checkNode('18.20.0')).toMatchObject({
    status: 'failed',
    hint: expect.stringContaining('20.19'),
  })
})

test('each shell gets the line that it reads', () => {
  expect(pathLine('zsh')).toBe(`echo 'export PATH="$HOME/.local/bin:$PATH"' >> ~/.zshrc`)
  expect(pathLine('fish')).toBe('fish_add_path ~/.local/bin')
  expect(pathLine('')).toBe(`echo 'export PATH="$HOME/.local/bin:$PATH"' >> ~/.profile`)
})
