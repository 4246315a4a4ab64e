import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { bash } from '../delivery/model.ts'
import type { Scene } from '../gate/scene.ts'
import { finished } from '../gate/session.ts'
import type { Row } from './rows.ts'

/** A Claude Code with the plugin and no name, whose home is not there yet. */
async function open(scene: Scene) {
  const { world, main, agents } = scene
  const home = join(world.dir, 'later')
  const env = { ...world.env, AGENT_CHAT_HOME: home, AGENT_CHAT_DOORBELL: 'native' }
  const plugin = dirname(dirname(main))
  const pane = await world.startClaude({
    args: ['--plugin-dir', plugin, '--allowedTools', 'Bash'],
    env: { AGENT_CHAT_HOME: home, AGENT_CHAT_DOORBELL: 'native' },
  })
  const chat = (...args: string[]) => promisify(execFile)(RUNTIME, [main, ...args], { env })
  /** Sends what nothing but a ring can bring, and waits until it was read and done. */
  const wakes = async () => {
    const plan = agents.plan()
    await chat('send', '@carol', `Please do ${plan.key}.`, '--as', 'human')
    await finished(plan)
  }
  const prompted = async (command: string) => {
    const plan = agents.plan(bash(command))
    await pane.submit(`Please do ${plan.key}`)
    await finished(plan)
  }
  return { home, pane, wakes, prompted, chat }
}

type Opened = Awaited<ReturnType<typeof open>>

const JOIN = 'agent-chat join carol'
const WOKEN = 'woken by two messages, one after the other'

const WAYS: [name: string, play: (it: Opened) => Promise<void>][] = [
  [
    'the client was open before the home was there, then `join`',
    async ({ prompted, wakes }) => {
      await prompted(JOIN)
      await wakes()
      await wakes()
    },
  ],
  [
    'the same, joined by `!agent-chat join`',
    async ({ pane, wakes }) => {
      await pane.type('!')
      await pane.type(JOIN)
      await pane.key('Enter')
      await pane.waitFor(/joined as @carol/)
      await wakes()
      await wakes()
    },
  ],
  [
    'the home was removed and made again under a session, which joins again',
    async ({ home, prompted, wakes }) => {
      await prompted(JOIN)
      await wakes()
      await rm(home, { recursive: true, maxRetries: 5 })
      await prompted(JOIN)
      await wakes()
      await wakes()
    },
  ],
]

export const HOME_ROWS: Row[] = WAYS.map(([name, play]) => ({
  name,
  should: WOKEN,
  play: async (scene) => play(await open(scene)),
}))
