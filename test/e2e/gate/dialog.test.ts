import { expect, test } from 'vitest'
import { bash } from '../delivery/model.ts'
import { sceneForTest } from './scene.ts'

test.each(['native', 'tmux'])(
  'a message that waited for the session to start is no human (%s)',
  async (doorbell) => {
    const scene = await sceneForTest()
    await scene.chat(['join', 'frontend', '--no-watch'])
    await scene.asks(scene.agents.plan(bash('touch at-start')))
    await scene.chat(['leave', 'frontend'])
    const session = await scene.session('frontend', { env: { AGENT_CHAT_DOORBELL: doorbell } })
    await session.dialog()
    await session.no()
    expect(scene.made('at-start')).toBe(false)
  },
)
