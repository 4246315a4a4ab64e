import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { bash } from '../delivery/model.ts'
import { sceneForTest } from './scene.ts'

test('in claude -p nobody can be asked: a change is refused, and the refusal says so', async () => {
  const scene = await sceneForTest()
  await scene.chat(['join', 'frontend', '--no-watch'])
  const client = await scene.world.startHeadless({
    name: 'frontend',
    args: ['--plugin-dir', dirname(dirname(scene.main)), '--allowedTools', 'Bash'],
  })
  const hello = scene.agents.plan(bash('touch of-the-human'))
  client.prompt(`Please do ${hello.key}`)
  await client.waitFor('the first turn', ({ type }) => type === 'result')
  expect(scene.made('of-the-human')).toBe(true)

  const wish = scene.agents.plan(bash('touch by-message'))
  await scene.asks(wish)
  const isRefusal = (message: object) => JSON.stringify(message).includes('permission_denied')
  const refusal = JSON.stringify(await client.waitFor('the refusal', isRefusal))
  expect(refusal).toMatch(/claude -p/)
  expect(refusal).not.toMatch(/Yes (lets|allows)/)
  expect(scene.made('by-message')).toBe(false)
  expect(await client.end()).toBe(0)
})
