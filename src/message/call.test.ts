import { expect, test } from 'vitest'
import { wantsText } from './call.ts'

test.each<[name: string, input: Record<string, unknown>, text: string]>([
  ['Bash', { command: 'npm install' }, 'wants to run: npm install'],
  ['PowerShell', { command: 'ls' }, 'wants to run: ls'],
  ['Write', { file_path: 'src/a.ts', content: 'x' }, 'wants to write: src/a.ts'],
  ['Edit', { file_path: 'src/a.ts' }, 'wants to edit: src/a.ts'],
  ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'wants to edit: a.ipynb'],
  ['MultiEdit', { edits: [{ file_path: 'a' }, { file_path: 'b' }] }, 'wants to edit: a, b'],
  ['Read', { file_path: '/etc/hosts' }, 'wants to read: /etc/hosts'],
  ['AskUserQuestion', { questions: [{ question: 'Which port?' }] }, 'asks you: Which port?'],
  ['mcp__db__query', { sql: 'select 1' }, 'wants to use mcp__db__query'],
  ['shell', { command: 'make' }, 'wants to use shell: make'],
  ['WebFetch', { url: 'https://example.com' }, 'wants to use WebFetch'],
  ['Bash', {}, 'wants to use Bash'],
  ['AskUserQuestion', { questions: 'x' }, 'wants to use AskUserQuestion'],
])('%s %j', (name, input, text) => {
  expect(wantsText({ name, input })).toBe(text)
})
