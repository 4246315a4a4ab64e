import 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionRow } from '../session/sessionRows.ts'
import type { Tmux } from '../system/tmux.ts'
import { fixedClock } from '../testing/clock.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import type { Need } from './need.ts'
import { createTeller } from './tell.ts'

const AT = '2026-11-28T15:00:00.000Z'
const SOCKET = '/tmp/tmux-0/default'

/** A person who looks at the pane `before` of a tmux server, where there is one. */
function person({ before, env = {} }: { before?: string; env?: Record<string, string> } = {}) {
  const clock = fixedClock(AT)
  const bus = tempBus([], clock)
  const session = { name: 'x', pane: '%9', tmux_socket: SOCKET, joined_at: AT }
  writeFileSync(bus.home.sessions, JSON.stringify({ x: session }))
  const said: string[] = []
  const run: Tmux['run'] = async (args) => {
    if (args[0] === 'display-message') said.push(args.at(-1) ?? '')
    const format = String(args.at(-1))
    const shown = format.includes('pane_id') ? before : '/dev/pts/1'
    const isList = args[0] === 'list-clients' && before !== undefined
    return { code: 0, stdout: isList ? `0 ${shown}\n` : '', stderr: '' }
  }
  const tmux = { run, runHere: async () => 0 }
  const tell = createTeller({ bus, env, tmux })
  const at = (seconds: number) => clock.set(Date.parse(AT) + seconds * 1000)
  return { bus, tell, at, said }
}

const need = (type: 'permission' | 'asks' | 'failed' | 'held', name = 'backend'): Need =>
  ({ type, key: `${type} ${name}`, name, at: AT, why: 'so', answer: '' }) as Need
const rows = (pane: string, name = 'backend') =>
  [{ name, pane, tmux_socket: SOCKET }] as SessionRow[]

test('what is new is told once, 10 s after the first of it, in one line of tmux', async () => {
  const { tell, at, said } = person({ before: '%1' })
  const [one, two] = [need('permission'), need('asks', 'frontend')]
  expect(await tell([one], [], rows('%2'))).toBe(true)
  at(6)
  expect(await tell([one, two], [one.key], rows('%2'))).toBe(true)
  at(9)
  expect(await tell([one, two], [one.key, two.key], rows('%2'))).toBe(true)
  expect(said).toEqual([])
  at(10)
  expect(await tell([one, two], [one.key, two.key], rows('%2'))).toBe(false)
  expect(said).toEqual(['2 need you · @backend asks permission'])
  at(60)
  expect(await tell([one, two], [one.key, two.key], rows('%2'))).toBe(false)
  expect(said).toHaveLength(1)
})

test.each<[string, Need[], Need[], string]>([
  ['what was on the list before', [need('permission')], [need('permission')], '%2'],
  ['held messages', [need('held')], [], '%2'],
  ['the pane that is in front of you', [need('permission')], [], '%1'],
])('nothing is told of %s', async (_, needs, before, pane) => {
  const { tell, at, said } = person({ before: '%1' })
  const known = before.map(({ key }) => key)
  await tell(needs, known, rows(pane))
  at(10)
  await tell(needs, [...known, ...needs.map(({ key }) => key)], rows(pane))
  expect(said).toEqual([])
})

test('what you have answered within the 10 s is not told', async () => {
  const { tell, at, said } = person({ before: '%1' })
  await tell([need('permission')], [], rows('%2'))
  at(5)
  expect(await tell([], ['permission backend'], rows('%2'))).toBe(false)
  at(10)
  await tell([], [], rows('%2'))
  expect(said).toEqual([])
})

test.each<[string, string | undefined, Record<string, string>, lines: string[], notes: string[]]>([
  ['tmux, where somebody looks at it', '%1', {}, ['1 needs you · @backend failed'], []],
  ['the desktop, where nobody does', undefined, {}, [], ['1 needs you · @backend failed']],
  [
    'the desktop, where tmux is switched off',
    '%1',
    { AGENT_CHAT_NOTIFY: 'desktop' },
    [],
    ['1 needs you · @backend failed'],
  ],
  ['nothing, where all is off', '%1', { AGENT_CHAT_NOTIFY: 'off' }, [], []],
])('is told by %s, and not by both', async (_, before, more, lines, notes) => {
  const bin = tempDirectory()
  const log = join(bin, 'log')
  for (const program of ['notify-send', 'osascript']) {
    writeFileSync(join(bin, program), `#!/bin/sh\nfor last; do :; done\necho "$last" >> '${log}'\n`)
    chmodSync(join(bin, program), 0o755)
  }
  writeFileSync(log, '')
  const env = { PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ':0', ...more }
  const { tell, at, said } = person({ env, ...(before === undefined ? {} : { before }) })
  await tell([need('failed')], [], rows('%2'))
  at(10)
  await tell([need('failed')], ['failed backend'], rows('%2'))
  expect(said).toEqual(lines)
  const noted = () => readFileSync(log, 'utf8').split('\n').filter(Boolean)
  if (notes.length > 0) await until('the notification', () => noted().length > 0)
  expect(noted()).toEqual(notes)
})

test('nothing is told while notifications are paused', async () => {
  const { bus, tell, at, said } = person({ before: '%1' })
  mkdirSync(bus.home.root, { recursive: true })
  writeFileSync(bus.home.paused, '')
  await tell([need('failed')], [], rows('%2'))
  at(10)
  await tell([need('failed')], ['failed backend'], rows('%2'))
  expect(said).toEqual([])
})
