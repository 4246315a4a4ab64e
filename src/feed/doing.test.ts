import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { systemProcesses } from '../system/processes.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { doingOf } from './doing.ts'

const AT = '2026-11-21T03:05:00.000Z'
const ROW = { name: 'backend', cwd: '/src/api' }

/** A home in which backend is this process, in such a state; its record has this call. */
function world(state: object, call?: { name: string; input: object; at?: string }) {
  const bus = tempBus(['backend'])
  const { pid, started } = systemProcesses().self()
  const path = join(tempDirectory(), 'record.jsonl')
  const content = [{ type: 'tool_use', name: call?.name, input: call?.input }]
  const entry = { type: 'assistant', timestamp: call?.at ?? AT, message: { content } }
  if (call) writeFileSync(path, `${JSON.stringify(entry)}\n`)
  mkdirSync(bus.home.states, { recursive: true })
  const since = '2026-11-21T03:00:00.000Z'
  const known = { since, session_id: null, agent: { pid, started }, native: true, vim: false }
  writeFileSync(
    bus.home.state('backend'),
    JSON.stringify({ ...known, gate: 'enforce', transcripts: [path], ...state }),
  )
  return bus
}

const edit = (file_path: string) => ({ name: 'Edit', input: { file_path } })

test.each<
  [what: string, state: object, call: Parameters<typeof world>[1], text: string | undefined]
>([
  ['a file below its directory', { activity: 'busy' }, edit('/src/api/a/b.ts'), 'edits: a/b.ts'],
  ['a file elsewhere', { activity: 'busy' }, edit('/etc/hosts'), 'edits: /etc/hosts'],
  [
    'a command of two lines',
    { activity: 'busy' },
    { name: 'Bash', input: { command: 'npm\u001b[2J\ntest' } },
    'runs: npm^[[2J test',
  ],
  ['a dialog', { activity: 'asking', wants: 'wants to run: ls' }, edit('/x'), 'wants to run: ls'],
  ['a dialog of which nothing tells', { activity: 'asking' }, edit('/x'), 'edits: /x'],
  ['idle', { activity: 'idle' }, edit('/src/api/a.ts'), undefined],
  [
    'a turn without a call',
    { activity: 'busy', begun: '2026-11-21T03:06:00.000Z' },
    edit('/x'),
    undefined,
  ],
  ['no record', { activity: 'busy' }, undefined, undefined],
  ['no record known', { activity: 'busy', transcripts: undefined }, undefined, undefined],
  [
    'another process told',
    { activity: 'busy', agent: { pid: 1, started: 'x' } },
    edit('/x'),
    undefined,
  ],
])('%s', (_, state, call, text) => {
  expect(doingOf(ROW, world(state, call))?.text).toBe(text)
})

test('since when: the call, or the dialog', () => {
  expect(doingOf(ROW, world({ activity: 'busy' }, edit('/x')))?.since).toBe(AT)
  const asking = world({ activity: 'asking', wants: 'wants to run: ls' })
  expect(doingOf(ROW, asking)?.since).toBe('2026-11-21T03:00:00.000Z')
})

test('a worker: the message that it answers, while it runs', () => {
  const bus = tempBus(['backend'])
  const body = 'Page the list\nand more'
  const { id } = sendMessage(bus, { from: 'human', to: 'coder', kind: 'task', body }).message
  mkdirSync(bus.home.workers, { recursive: true })
  const { pid, started } = systemProcesses().self()
  const state = {
    name: 'coder',
    activity: 'busy',
    since: AT,
    process: { pid, started },
    message: id,
  }
  const rest = { started: AT, beat: AT, definition: { path: '/x', hash: 'x' }, restarts: [] }
  writeFileSync(bus.home.worker('coder'), JSON.stringify({ ...state, ...rest }))
  const worker = { activity: 'busy', since: AT, started: AT, reason: null, runs: true }
  const row = { name: 'coder', cwd: '/src', worker }
  expect(doingOf(row, bus)).toEqual({ text: 'answers: Page the list', since: AT })
  expect(doingOf({ ...row, worker: { ...worker, runs: false } }, bus)).toBeUndefined()
})
