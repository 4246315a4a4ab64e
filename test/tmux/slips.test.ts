import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { register, tempDirectory } from '../../src/testing/home.ts'
import { openShell } from './shell.ts'
import { refOf, tmuxWorld } from './world.ts'

const RUNNING = '@frontend is running; start a new session @fronted?'
const COMMAND = 'send is a command; start a new session @sned?'

test.each([
  ['fronted', RUNNING, 'y', 0],
  ['@fronted', RUNNING, 'yes', 0],
  ['fronted --no-tmux', RUNNING, 'n', 2],
  ['fronted', RUNNING, '', 2],
  ['sned', COMMAND, 'y', 0],
  ['sned', COMMAND, 'no', 2],
])('at a terminal %s asks %s, and %j ends with %i', async (typed, question, answer, code) => {
  const world = await tmuxWorld()
  const { bus } = world
  register(bus.home, 'frontend')
  const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  sessions.frontend.agent = refOf(world, process.pid)
  writeFileSync(bus.home.sessions, JSON.stringify(sessions))
  const directory = tempDirectory()
  const begun = join(directory, 'begun')
  const env = { AGENT_CHAT_CMD: `touch '${begun}'` }
  const pane = await openShell(world.server, { home: bus.home.root, env, width: 120 })
  await pane.submit(`agent-chat ${typed}; echo "ended with $? <$(ls ${directory})>"`)
  await pane.waitFor((screen) => screen.includes(`${question} [y/N]`))
  await pane.submit(answer)
  const said = await pane.waitFor(
    new RegExp(`^ended with ${code} <${code === 0 ? 'begun' : ''}>$`, 'm'),
  )
  expect(said).toMatch(code === 0 ? /y(es)?$/m : /hint: .* agent-chat start (fronted|sned)$/m)
})
