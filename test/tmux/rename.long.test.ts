import { expect, test } from 'vitest'
import { until } from '../../src/testing/until.ts'
import { joinPane, send, standIn, tmuxWorld, watching } from './world.ts'

const ONE = 'New message from @backend. Check inbox.'

test.each(['rename:recorded', 'rename:registered', 'rename:moved'])(
  'a rename of a live session that was killed at %s: doctor gives it its doorbell back',
  async (step) => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    await world.run(['rename', 'frontend', 'site'], { env: { AGENT_CHAT_FAULT: step } })
    // The killed command's lock is passed over after some seconds.
    const run = await world.run(['doctor', '--no-ring'])
    expect(run.stdout).toMatch(/^fixed {3}leftovers +@site was renamed/m)
    await watching(world, 'site')
    send(world, 'backend', 'site')
    await until('the ring', () => agent.pieces().length === 2)
    expect(agent.pieces()).toEqual([ONE, '\r'])
  },
)
