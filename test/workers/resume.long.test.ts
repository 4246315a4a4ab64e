import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { until } from '../../src/testing/until.ts'
import { type Workers, workersWorld } from './world.ts'

/** Kills these workers, their clients and the supervisor, which would start them again. */
async function pullThePlug({ bus, supervisor, state }: Workers, ...names: string[]): Promise<void> {
  const refs = [
    supervisor(),
    ...names.flatMap((name) => [state(name)?.process, state(name)?.client]),
  ]
  for (const ref of refs) if (ref) bus.processes.signal(ref, 'SIGKILL')
  await until('all to end', () => refs.every((ref) => !ref || !bus.processes.isAlive(ref)))
}

const resting = async ({ run }: Workers) =>
  JSON.parse((await run('resume', '--dry-run', '--json')).stdout).workers.map(
    ({ name }: { name: string }) => name,
  )

test('a worker comes back through resume, and answers what it was asked, once', async () => {
  const world = await workersWorld({ real: true })
  world.define('coder', 'auto_start: true\npersistent: true')
  expect(await world.run('up')).toMatchObject({ code: 0 })
  // Whoever asks may have given up by the time that a slow machine answers.
  const ask = (text: string) => void world.run('ask', '@coder', text, '--as', 'human')
  ask('SAY one')
  const { conversation } = await until('its first answer', () => {
    const now = world.state('coder')
    return now?.activity === 'idle' && now.requests === 1 && now
  })
  expect(conversation).toMatch(/^[0-9a-f-]{36}$/)
  ask('TOOL')
  const question = await until('the turn', () => {
    const now = world.state('coder')
    return now?.activity === 'busy' && now.client && now.message
  })
  expect(await resting(world)).toEqual([])
  await pullThePlug(world, 'coder')

  expect(await resting(world)).toEqual(['coder'])
  expect(await world.run('resume', '--yes')).toMatchObject({ code: 0 })
  const thread = async () => {
    const { stdout } = await world.run('thread', question, '--json')
    return JSON.parse(stdout).messages.map(({ from }: { from: string }) => from)
  }
  await until('its answer', async () => (await thread()).includes('coder'))
  expect(await thread()).toEqual(['human', 'coder'])
  expect((await world.runs('coder')).conversation).toBe(conversation)
  expect(await resting(world)).toEqual([])
  await world.run('down')
  // It was ended by choice.
  expect(await resting(world)).toEqual([])
})

test('two resume at once start each worker once', async () => {
  const world = await workersWorld()
  const names = ['coder', 'planner']
  for (const name of names) world.define(name, 'auto_start: true\npersistent: true')
  await world.run('up')
  for (const name of names) await world.runs(name)
  await pullThePlug(world, ...names)
  expect(await resting(world)).toEqual(names)
  const both = await Promise.all([world.run('resume', '--yes'), world.run('resume', '--yes')])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  for (const name of names) {
    await world.runs(name)
    expect(world.starts(name)).toBe(2)
  }
  await world.run('down')
})

test('a worker that cannot come back keeps no other from it', async () => {
  const world = await workersWorld()
  const names = ['coder', 'gone']
  for (const name of names) world.define(name, 'auto_start: true\npersistent: true')
  await world.run('up')
  for (const name of names) await world.runs(name)
  await pullThePlug(world, ...names)
  rmSync(world.bus.home.agentFile('gone'))
  const { code, stdout } = await world.run('resume', '--yes')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✗ @gone failed: no agent named @gone is defined/m)
  expect((await world.runs('coder')).process).toBeDefined()
  await world.run('down')
})
