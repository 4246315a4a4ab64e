import { expect, test } from 'vitest'
import { editsOf } from './edit.ts'

const after = (name: string, input: Record<string, unknown>, text: string | undefined) =>
  editsOf({ name, input }).map((edit) => [edit.path, edit.after(text)])
const edit = (old_string: string, new_string: string, more = {}) => ({
  ...{ file_path: 'f', old_string, new_string },
  ...more,
})
const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

test.each([
  ['Edit', edit('b', 'x'), 'a b c', 'a x c'],
  ['Edit', edit('b', '$&'), 'a b c', 'a $& c'],
  ['Edit', edit('b', 'x'), 'b b', undefined],
  ['Edit', edit('b', 'x', { replace_all: true }), 'b b', 'x x'],
  ['Edit', edit('z', 'x'), 'a b c', undefined],
  ['Edit', edit('', 'x'), undefined, 'x'],
  ['Edit', edit('', 'x'), 'full', undefined],
  ['Edit', edit('a\nb', 'x'), 'a\r\nb\r\n', 'x\n'],
  ['Edit', edit("it's", 'x'), 'so it’s “one”', 'so x “one”'],
  ['Edit', { filePath: 'f', oldString: 'b', newString: 'x' }, 'a b', 'a x'],
  ['Edit', { path: 'f', old_str: 'b', new_str: 'x' }, 'a b', 'a x'],
  ['Edit', { path: 'f', edits: [{ oldText: 'b', newText: 'x' }] }, 'a b', 'a x'],
  ['Write', { file_path: 'f', content: 'x' }, 'a', 'x'],
  ['Write', { path: 'f', file_text: 'x' }, undefined, 'x'],
  ['MultiEdit', { file_path: 'f', edits: [edit('a', 'b'), edit('b', 'c')] }, 'a', 'c'],
  ['MultiEdit', { file_path: 'f', edits: [edit('z', 'b'), edit('a', 'c')] }, 'a', undefined],
])('%s %j of %j', (name, input, text, made) => {
  expect(after(name, input, text)).toEqual([['f', made]])
})

test.each(['Read', 'Bash', 'Glob', ''])('%s edits nothing', (name) => {
  expect(after(name, { file_path: 'f', command: 'ls' }, 'a')).toEqual([])
})

test('a patch of Codex, by its tool and in a shell', () => {
  const text = patch(
    ...['*** Update File: a', '@@ class B', ' two', '-one', '+1'],
    ...['*** Add File: b', '+new', '*** Delete File: c'],
  )
  const before = 'two\none\nclass B\ntwo\none\n'
  const made = [
    ['a', 'two\none\nclass B\ntwo\n1\n'],
    ['b', 'new\n'],
    ['c', ''],
  ]
  expect(after('apply_patch', { command: text }, before)).toEqual(made)
  expect(after('Bash', { command: `apply_patch <<'EOF'\n${text}\nEOF` }, before)).toEqual(made)
  expect(after('apply_patch', { command: text }, 'other\n')[0]).toEqual(['a', undefined])
})
