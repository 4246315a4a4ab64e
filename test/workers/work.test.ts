import { expect, test } from 'vitest'
import { until } from '../../src/testing/until.ts'
import { type Workers, workersWorld } from './world.ts'

const LONG = 90_000

const ask = ({ run }: Workers, text: string) =>
  run('ask', '@coder', text, '--as', 'human', '--timeout', '40', '--json')

function answerOf({ stdout, stderr }: { stdout: string; stderr: string }): string {
  if (stdout === '') throw new Error(stderr)
  return String(JSON.parse(stdout).answer?.body).trim()
}

test('a real worker is asked through kills of it and of its supervisor', {
  timeout: LONG,
}, async () => {
  const world = await workersWorld({ real: true, inTmux: true })
  const { bus } = world
  world.define('coder', 'auto_start: true\npersistent: true')
  expect((await world.run('up')).stdout).toMatch(/✓ @coder started/)
  expect(answerOf(await ask(world, 'SAY one'))).toContain('one')
  const first = await world.runs('coder')
  const slow = ask(world, 'TOOL')
  const busy = await until('the turn', () => {
    const now = world.state('coder')
    return now?.activity === 'busy' && now.client && now
  })
  bus.processes.signal(first.process, 'SIGKILL')
  const second = await world.other('coder', first)
  await until(
    'the former client to end',
    () => !(busy.client && bus.processes.isAlive(busy.client)),
  )
  const supervisor = world.supervisor()
  if (supervisor) bus.processes.signal(supervisor, 'SIGKILL')
  bus.processes.signal(second.process, 'SIGKILL')
  expect((await world.run('up')).stdout).toMatch(/✓ @coder started/)
  const asked = JSON.parse((await slow).stdout)
  expect(asked.outcome).toBe('answered')
  const thread = JSON.parse((await world.run('thread', asked.question.id, '--json')).stdout)
  const answers = thread.messages.filter(({ from }: { from: string }) => from === 'coder')
  expect(answers).toHaveLength(1)
  await world.run('down')
  expect(world.state('coder')?.activity).toBe('stopped')
})

test('a real worker that rests is asked, and rests again', { timeout: LONG }, async () => {
  const world = await workersWorld({ real: true })
  world.define('coder', 'persistent: false\nmax_idle_seconds: 1')
  await world.run('up')
  for (const word of ['one', 'two']) {
    expect(answerOf(await ask(world, `SAY ${word}`))).toContain(word)
    await world.is('coder', 'stopped')
  }
  await world.run('down')
  expect((await ask(world, 'SAY three')).stderr).toContain('start it with: agent-chat up coder')
})

test('the console asks a worker and says that it has completed', { timeout: LONG }, async () => {
  const env = { AGENT_CHAT_DEFAULT_AGENT: 'coder' }
  const world = await workersWorld({ real: true, env })
  world.define('coder', 'auto_start: true\npersistent: true')
  // A pipe is nobody's keys: it may only start again what the person started before.
  expect((await world.run('up', 'coder')).code).toBe(0)
  expect((await world.run('down', 'coder')).code).toBe(0)
  const room = world.open('console', '--plain')
  let shown = ''
  room.stdout?.on('data', (chunk) => {
    shown += chunk
  })
  const shows = (text: string) => until(`${text} in:\n${shown}`, () => shown.includes(text))
  room.stdin?.write('/start coder\n')
  await shows('✓ @coder started')
  room.stdin?.write('/agents\n')
  await shows('coder')
  // Without a name it goes to the worker that the variable names.
  room.stdin?.write('SAY good morning\n')
  await shows('→ sent to @coder (ask)')
  await shows('✓ @coder completed: ')
  const first = world.state('coder')?.process.pid
  room.stdin?.write('/restart coder\n')
  await until('another process', () => {
    const { activity, process } = world.state('coder') ?? {}
    return activity === 'idle' && process?.pid !== first
  })
  room.stdin?.write('@coder SAY hello\n')
  await until('the second ask', () => shown.split('→ sent to @coder (ask)').length === 3)
  await until('its answer', () => shown.split('✓ @coder completed: ').length === 3)
  room.stdin?.write('@coder /task SAY more\n')
  await shows('→ sent to @coder (task)')
  room.stdin?.write('/health\n')
  await shows('✓  @coder')
  expect((await world.run('who')).stdout).toMatch(/^@coder .* worker$/m)
  expect((await world.run('status', 'coder')).stdout).toContain('worker, ')
  room.stdin?.write('/stop coder\n')
  await shows('stopped @coder')
  room.stdin?.end()
  const { stdout } = await world.run('status', 'coder')
  expect(stdout).toContain('worker, stopped for')
  await world.run('down')
})
