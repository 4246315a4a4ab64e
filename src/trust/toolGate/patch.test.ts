import { expect, test } from 'vitest'
import { patchedPaths } from './patch.ts'

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
const pathsOf = (text: string, more = {}) =>
  patchedPaths({ name: 'apply_patch', input: { command: text, ...more } })

test.each<[patch: string, paths: string[]]>([
  [patch('*** Add File: src/a.ts', '+one', '+*** Delete File: x'), ['src/a.ts']],
  [patch('*** Update File: a', '@@ class A', ' one', '-two', '+three'), ['a']],
  [patch('*** Update File: a', '*** Move to: /etc/b', '@@', '-x'), ['a', '/etc/b']],
  [patch('*** Add File: a', '+x', '  *** Add File: ../b  ', '+y'), ['a', '../b']],
  [patch('*** Update File: a', '@@', '-x', '*** End of File'), ['a']],
  [patch('*** Add File: a').replaceAll('\n', '\r\n'), ['a']],
])('%j writes %j', (text, paths) => expect(pathsOf(text)).toEqual(paths))

test.each([
  patch('*** Delete File: a'),
  patch('*** Add File: a', '+x', '*** Delete File: b'),
  patch('*** Update File: a', '@@', ' *** Delete File: b'),
  patch('*** Environment ID: x', '*** Add File: a'),
  patch('*** Add File:a'),
  patch('*** add file: a'),
  patch('*** Add File: a\r/../../x'),
  patch('*** Add File: a\u2028b'),
  patch('*** Add File: link:x'),
  `<<'E'\n${patch('*** Add File: a')}\nE`,
  '*** Add File: a',
  '',
])('%j may do more', (text) => expect(pathsOf(text)).toBeUndefined())

test('a patch that is applied elsewhere, or by another tool, may do more', () => {
  const text = patch('*** Add File: a')
  expect(pathsOf(text, { workdir: '/' })).toBeUndefined()
  expect(patchedPaths({ name: 'patch', input: { patchText: text } })).toBeUndefined()
  expect(patchedPaths({ name: 'apply_patch', input: { patchText: text } })).toEqual(['a'])
  expect(patchedPaths({ name: 'apply_patch', input: { command: 7 } })).toBeUndefined()
})
