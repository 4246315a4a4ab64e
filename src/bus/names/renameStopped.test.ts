import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCli } from '../../testing/cli.ts'
import { fixedClock } from '../../testing/clock.ts'
import { eventsOf, filesIn, tempBus, tempHome } from '../../testing/home.ts'
import { stoppedAt } from '../../testing/stopped.ts'
import type { Home } from '../home.ts'
import { sendMessage } from '../mail/send.ts'
import { readRenames } from './names.ts'
import { readSessions } from './registry.ts'

const chat = (home: Home, ...args: string[]) => runCli(args, { home: home.root })
const say = (home: Home, to: string, body: string) =>
  chat(home, 'send', `@${to}`, body, '--as', 'frontend')

async function bodiesOf(home: Home, name: string): Promise<string[]> {
  const { stdout } = await chat(home, 'inbox', name, '--json')
  return JSON.parse(stdout).messages.map(({ body }: { body: string }) => body)
}

test('a rename that is stopped before it is written down changes nothing where another has joined meanwhile', async () => {
  const home = tempHome('backend', 'frontend')
  await say(home, 'backend', 'private')
  const rename = await stoppedAt(home, 'rename:written', 'rename', 'backend', 'payments')
  expect((await chat(home, 'join', 'payments', '--no-watch')).code).toBe(0)
  const { code, stderr } = await rename.goOn()
  expect([code, stderr]).toEqual([1, expect.stringContaining('nothing was changed')])
  expect(readRenames(home)).toEqual([])
  expect(await bodiesOf(home, 'payments')).toEqual([])
  expect(await bodiesOf(home, 'backend')).toEqual(['private'])
  expect(filesIn(home.root).filter((file) => file.endsWith('.tmp'))).toEqual([])
})

test('a join that is stopped as it takes an old name keeps the renames that came meanwhile', async () => {
  const home = tempHome('backend', 'frontend')
  await chat(home, 'rename', 'backend', 'payments')
  const join = await stoppedAt(home, 'rename:written', 'join', 'backend', '--no-watch')
  expect((await chat(home, 'rename', 'frontend', 'site')).code).toBe(0)
  expect((await join.goOn()).code).toBe(1)
  expect(readRenames(home).map(({ from, until }) => [from, until])).toEqual([
    ['backend', null],
    ['frontend', null],
  ])
})

test.each([
  ['inbox', ['inbox', 'payments']],
  ['doctor', ['doctor', '--no-ring']],
])(
  'a rename between two who are both registered is dropped by %s: nothing is moved',
  async (_, args) => {
    const home = tempHome('backend', 'payments', 'frontend')
    await say(home, 'backend', 'private')
    const at = '2026-11-21T06:40:00.000Z'
    writeFileSync(
      home.names,
      JSON.stringify([{ from: 'backend', to: 'payments', at, until: null, done: false }]),
    )
    writeFileSync(home.state('backend'), '{}')
    expect((await chat(home, ...args)).code).toBe(0)
    expect(readRenames(home)).toEqual([])
    expect(filesIn(home.states)).toContain('backend.json')
    expect(Object.keys(readSessions(home)).sort()).toEqual(['backend', 'frontend', 'payments'])
    expect(await bodiesOf(home, 'payments')).toEqual([])
    expect(await bodiesOf(home, 'backend')).toEqual(['private'])
  },
)

test.each(['rename:registered', 'rename:marks', 'rename:inbox', 'rename:moved'])(
  'a rename that is stopped at %s, and that another has ended meanwhile, leaves the newcomer under the old name alone',
  async (step) => {
    const home = tempHome('backend', 'frontend')
    await say(home, 'backend', 'for the first')
    const rename = await stoppedAt(home, step, 'rename', 'backend', 'payments')
    expect((await chat(home, 'doctor', '--no-ring')).code).toBe(0)
    expect((await chat(home, 'join', 'backend', '--no-watch')).code).toBe(0)
    await say(home, 'backend', 'for the newcomer')
    writeFileSync(home.state('backend'), '{}')
    expect((await rename.goOn()).code).toBe(0)
    expect(filesIn(home.states)).toContain('backend.json')
    expect(await bodiesOf(home, 'backend')).toEqual(['for the newcomer'])
    expect(await bodiesOf(home, 'payments')).toEqual(['for the first'])
    expect(eventsOf(home, 'renamed')).toHaveLength(1)
  },
)

test.each(['send:published', 'send:indexed', 'send:linked'])(
  'a message whose sender is stopped at %s goes to who had the name, not to a newcomer under it',
  async (step) => {
    const home = tempHome('backend', 'frontend')
    const send = await stoppedAt(
      home,
      step,
      'send',
      '@backend',
      'for the first',
      '--as',
      'frontend',
      '--quiet',
    )
    await chat(home, 'rename', 'backend', 'payments')
    expect((await chat(home, 'join', 'backend', '--no-watch')).code).toBe(0)
    const { code, stdout } = await send.goOn()
    expect([code, stdout]).toEqual([0, expect.stringContaining(' to @payments')])
    expect(filesIn(home.heldBy('payments'))).toHaveLength(1)
    expect(await bodiesOf(home, 'backend')).toEqual([])
    expect(await bodiesOf(home, 'payments')).toEqual(['for the first'])
  },
)

test('a clock that was set back gives a newcomer’s messages to nobody else', () => {
  const clock = fixedClock('2026-11-21T06:00:00.000Z')
  const { home, ...bus } = tempBus(['backend', 'payments'], clock)
  const rename = { from: 'backend', to: 'payments', at: '2026-11-21T07:00:00.000Z', done: true }
  writeFileSync(home.names, JSON.stringify([{ ...rename, until: '2026-11-21T07:01:00.000Z' }]))
  sendMessage(
    { home, ...bus },
    { from: 'frontend', to: 'backend', kind: 'note', body: 'for the newcomer' },
  )
  expect(filesIn(home.inbox('backend'))).toHaveLength(1)
})
