import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { asHuman } from '../../../scripts/asHuman.mjs'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { DIST } from '../../../src/testing/cli.ts'
import { eventually } from '../harness/poll.ts'
import { pullThePlug } from '../plug/world.ts'
import type { ClientName } from './clients.ts'
import { say } from './table/stage.ts'
import type { AgentWorld } from './world.ts'

/**
 * Two sessions of a client are killed with everything, and come back by their exact ids: a message
 * wakes the first in its own conversation, and not in the one that was last.
 */
export async function comesBack(world: AgentWorld, client: ClientName, n: number): Promise<void> {
  const names = [`ann-${n}`, `ben-${n}`]
  const stateOf = (name: string) =>
    JSON.parse(readFileSync(join(world.chatHome, 'state', `${name}.json`), 'utf8'))
  const ids: Record<string, string> = {}
  for (const name of names) {
    const pane = await world.start(name)
    await say({ name: client, world, bob: pane, n }, `the word of ${name} is w-${name}`)
    await world.model.waitFor('its turn', ({ prompt }) => prompt.includes(`w-${name}`))
    await eventually('its end', () => stateOf(name).activity === 'idle')
    ids[name] = stateOf(name).session_id
  }
  await pullThePlug({ tmux: world.tmux, chat: world.chatHome })
  const text = `are you back, ${n}?`
  await world.chat('send', `@${names[0]}`, text, '--as', 'human', '--queue')

  const from = world.model.asked.length
  const resumed = await asHuman([RUNTIME, join(DIST, 'main.js'), 'resume', '--yes', ...names], {
    ...{ env: world.env as Record<string, string>, cwd: world.cwd, limitMs: 120_000 },
  })
  expect(resumed, resumed.stdout).toMatchObject({ code: 0, stderr: '' })
  for (const [name, id] of Object.entries(ids))
    expect(resumed.stdout).toContain(`✓ @${name} is back with its conversation ${id}`)
  const read = await world.model.waitFor(
    'the message to be read',
    ({ results }) => results.join('').includes(text),
    from,
  )
  expect(read.text).toContain(`w-${names[0]}`)
  expect(read.text).not.toContain(`w-${names[1]}`)
  expect(stateOf(`ann-${n}`).session_id).toBe(ids[`ann-${n}`])
  for (const name of names) await world.chat('stop', name)
}
