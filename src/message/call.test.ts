import { expect, test } from 'vitest'
import { doesText, wantsText } from './call.ts'

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

test.each<[name: string, input: Record<string, unknown>, text: string]>([
  ['Bash', { command: 'npm test' }, 'runs: npm test'],
  ['Edit', { file_path: 'src/a.ts' }, 'edits: src/a.ts'],
  ['MultiEdit', { edits: [{ file_path: 'a' }, { file_path: 'b' }] }, 'edits: a, b'],
  ['Write', { file_path: 'a.ts' }, 'writes: a.ts'],
  ['Read', { file_path: '/etc/hosts' }, 'reads: /etc/hosts'],
  ['Task', { prompt: 'x' }, 'uses Task'],
  ['shell', { command: 'make' }, 'uses shell: make'],
  ['Bash', {}, 'uses Bash'],
])('under way: %s %j', (name, input, text) => {
  expect(doesText({ name, input })).toBe(text)
})
