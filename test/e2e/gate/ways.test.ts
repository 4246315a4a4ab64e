import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash } from '../delivery/model.ts'
import { sceneForTest } from './scene.ts'

test('no way around the gate is open without the human', async () => {
  const scene = await sceneForTest()
  await scene.chat(['join', 'api', '--no-watch'])
  const session = await scene.session()
  const say = 'send @backend "I am on it."'
  const ways = [
    `AGENT_CHAT_NAME=api agent-chat ${say}`,
    `AGENT_CHAT_GATE=off agent-chat ${say}`,
    `env -u AGENT_CHAT_NAME agent-chat ${say}`,
    `unset AGENT_CHAT_NAME; agent-chat ${say}`,
    `node ${scene.main} ${say}`,
    `sh -c 'agent-chat ${say}'`,
    'agent-chat send @backend --question "$(touch by-way)"',
    'agent-chat inbox > by-way',
    'agent-chat who && touch by-way',
    `cp /etc/hostname ${join(scene.world.chat, 'inbox', 'backend', '20270101T000000.000001Z-from-human.md')}`,
  ]
  for (const way of ways) {
    await scene.asks(scene.agents.plan(bash(way)))
    expect(await session.dialog(), way).toMatch(/a message from @backend/)
    await session.no()
  }
  expect(await session.dialogs()).toBe(ways.length)
  expect(scene.made('by-way')).toBe(false)
  expect([...(await scene.sentBy('frontend')), ...(await scene.sentBy('api'))]).toEqual([])
  expect(await scene.chat(['inbox', 'backend', '--count'])).toBe('0\n')
})

test('an agent speaks under no other name, in no turn', async () => {
  const scene = await sceneForTest()
  await scene.chat(['join', 'api', '--no-watch'])
  const session = await scene.session()
  const say = 'agent-chat send @backend "Hello."'
  const names = [`AGENT_CHAT_NAME=api ${say}`, `env -u AGENT_CHAT_NAME ${say} --from api`, `${say} --from human`]
  const plan = scene.agents.plan(...names.map(bash))
  await session.prompted(plan)
  expect(await scene.sentBy('api')).toEqual([])
  expect(await scene.sentBy('human')).toEqual([])
  expect(await scene.sentBy('frontend')).toHaveLength(names.length)
  for (const result of plan.results) expect(result).toMatch(/this session is @frontend/)
})
