import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
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
    { tool: 'Bash', input: { command: 'agent-chat history --follow', run_in_background: true } },
    {
      tool: 'ScheduleWakeup',
      input: { delaySeconds: 60, reason: 'to see', prompt: 'look into the inbox again' },
    },
  ]
  for (const way of ways) {
    await scene.asks(scene.agents.plan(typeof way === 'string' ? bash(way) : way))
    expect(await session.dialog(), JSON.stringify(way)).toMatch(/a message from @backend/)
    await session.no()
  }
  expect(await session.dialogs()).toBe(ways.length)
  expect(scene.made('by-way')).toBe(false)
  expect([...(await scene.sentBy('frontend')), ...(await scene.sentBy('api'))]).toEqual([])
  expect(await scene.chat(['inbox', 'backend', '--count'])).toBe('0\n')
})

test('git runs without the human in the repository of the session alone', async () => {
  const scene = await sceneForTest()
  const session = await scene.session()
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', scene.path('fixtures/plain'), ...args], { env: scene.world.env })
  await mkdir(scene.path('fixtures/plain'), { recursive: true })
  git('init', '-q', '--bare', '.')
  git('config', 'core.bare', 'false')
  git('config', 'core.worktree', '..')
  git('config', 'core.fsmonitor', `touch ${scene.path('by-git')}; false`)

  const fine = scene.agents.plan(
    bash('git init -q; cd fixtures'),
    bash('git status'),
    bash('cd .. && ls'),
  )
  await session.prompted(fine)
  await scene.obeyed(
    scene.agents.plan(bash('cd fixtures && ls'), bash('git status'), bash('ls plain')),
  )
  expect(await session.dialogs()).toBe(0)

  const ways = [
    [bash('cd plain'), bash('git status')],
    [[bash('cd plain'), bash('git status')]],
    [bash('cd plain && agent-chat send @backend --question --with-diffstat "Is it so?"')],
  ]
  for (const way of ways) {
    await scene.asks(scene.agents.plan(...way))
    expect(await session.dialog()).toMatch(/a message from @backend/)
    await session.no()
  }
  expect(await session.dialogs()).toBe(ways.length)

  // A turn of the human's may have ended there.
  await session.prompted(scene.agents.plan(bash('cd plain')))
  await scene.asks(scene.agents.plan(bash('ls'), bash('git status')))
  await session.dialog()
  await session.no()
  expect(scene.made('by-git')).toBe(false)
})

test('an agent speaks under no other name, in no turn', async () => {
  const scene = await sceneForTest()
  await scene.chat(['join', 'api', '--no-watch'])
  const session = await scene.session()
  const say = 'agent-chat send @backend "Hello."'
  const names = [
    `AGENT_CHAT_NAME=api ${say}`,
    `env -u AGENT_CHAT_NAME ${say} --as api`,
    `${say} --as human`,
  ]
  const plan = scene.agents.plan(...names.map(bash))
  await session.prompted(plan)
  expect(await scene.sentBy('api')).toEqual([])
  expect(await scene.sentBy('human')).toEqual([])
  expect(await scene.sentBy('frontend')).toHaveLength(names.length)
  for (const result of plan.results) expect(result).toMatch(/this session is @frontend/)
})
