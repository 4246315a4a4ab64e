import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { DIST } from '../../src/testing/cli.ts'
import { filesIn, register, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { questionsToHuman } from '../../src/trust/sendGate/questions.ts'
import { askHuman } from '../../src/worker/permission/ask.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import { openShell } from './shell.ts'
import { serverForTest, tmuxWorld, type World } from './world.ts'

/** How often each way is tried; `AGENT_CHAT_TEST_TIMES=10` for more. */
const TIMES = Number(process.env.AGENT_CHAT_TEST_TIMES ?? 2)

const PROGRAM = `${RUNTIME} ${DIST}/main.js`

/** A person at a shell in tmux, seen through a client in a terminal of its own. */
async function atTmux(): Promise<World & { shell: Pane; client: Pane }> {
  const world = await tmuxWorld()
  register(world.bus.home, 'coder')
  const shell = await openShell(world.server, { home: world.bus.home.root })
  const screen = await serverForTest()
  const client = await screen.newSession({
    cmd: `TMUX= exec tmux -S '${world.server.socket}' attach`,
  })
  await client.waitFor(/^\$/m)
  return { ...world, shell, client }
}

type Seat = Awaited<ReturnType<typeof atTmux>>

const popup = ({ server, bus }: Seat, command: string) =>
  // It ends when the popup is closed.
  void server
    .tmux(
      'display-popup',
      '-E',
      '-w',
      '90%',
      '-h',
      '90%',
      '-e',
      `AGENT_CHAT_HOME=${bus.home.root}`,
      command,
    )
    .catch(() => {})

/** How a console is opened; each leads to keys that are typed at the client. */
const WAYS: Record<string, (seat: Seat) => Promise<void> | void> = {
  'display-popup': (seat) => popup(seat, `${PROGRAM} console`),
  'display-popup, by exec': (seat) => popup(seat, `exec ${PROGRAM} console`),
  'console --popup': ({ shell }) => shell.submit('agent-chat console --popup'),
  'a key that opens a popup': async ({ server, bus, client }) => {
    const open = ['display-popup', '-E', '-w', '90%', '-h', '90%']
    await server.tmux(
      'bind-key',
      '-n',
      'F5',
      ...open,
      `AGENT_CHAT_HOME=${bus.home.root} ${PROGRAM} console`,
    )
    await client.key('F5')
  },
  'a pane': async ({ server, bus }) => {
    const env = `AGENT_CHAT_HOME=${bus.home.root}`
    await server.tmux('split-window', '-e', env, `${PROGRAM} console`)
  },
  'a window': async ({ server, bus }) => {
    const env = `AGENT_CHAT_HOME=${bus.home.root}`
    await server.tmux('new-window', '-e', env, `exec ${PROGRAM} console`)
  },
}

test.each(Object.keys(WAYS))(
  `a console in tmux is yours: ${TIMES} answers to a worker’s decision of ${TIMES} count, by %s`,
  async (way) => {
    const seat = await atTmux()
    const { bus, client } = seat
    const counted: string[] = []
    for (let number = 1; number <= TIMES; number += 1) {
      const about = sendMessage(bus, { from: 'alice', to: 'coder', kind: 'task', body: 'do it' })
      const ask = () =>
        askHuman(
          {
            ...{ name: 'coder', message: about.message, cwd: '/', limitMs: 1, onWait: () => {} },
            call: { tool: 'Bash', input: { command: `touch ${number}` }, reason: '' },
            signal: new AbortController().signal,
          },
          {
            env: { AGENT_CHAT_NOTIFY: 'off' },
            bus: () => bus,
            notice: () => {},
            self: { node: process.execPath, script: '/none', root: '/' },
          },
        )
      await ask()
      await WAYS[way]?.(seat)
      await client.waitFor(new RegExp(`decision ${number}\\b|#${number}\\b`))
      await client.key('i')
      await client.waitFor(/›/)
      await client.submit(`#${number} 1`)
      await until('the answer', () => questionsToHuman(bus).length === 0)
      counted.push((await ask()).kind)
      await client.submit('/quit')
      await client.waitFor(/^\$/m)
      await until('the console to end', async () => !/›/.test(await client.screen()))
      // tmux opens no popup while it has not yet closed the last one.
      await seat.server.tmux('display-popup', '-C')
    }
    expect(counted).toEqual(Array(TIMES).fill('yes'))
    expect(filesIn(bus.home.words).length).toBe(TIMES)
  },
)

describe('any other verb that opens asks there', () => {
  test.each([
    ['unpause', 'y', 0],
    ['unpause', 'n', 3],
    ['unpause', '', 3],
    ['reply 1 1', 'y', 0],
    ['reply 1 1', 'n', 3],
    ['release x', 'n', 3],
    ['schedule @coder @daily x', 'n', 3],
    ['up', 'n', 3],
  ])('%s, and %s is typed: exit %i', async (verb, key, code) => {
    const seat = await atTmux()
    const env = { AGENT_CHAT_NAME: 'coder', AGENT_CHAT_NOTIFY: 'off' }
    expect((await seat.run(['escalate', 'Deploy?', '--option', 'yes'], { env })).code).toBe(0)
    const ended = join(tempDirectory(), 'ended')
    popup(seat, `${PROGRAM} ${verb}; echo $? >${ended}`)
    await seat.client.waitFor(/do you want this\? \[y\/N\]/)
    await seat.client.submit(key)
    await until('its end', () => existsSync(ended) && readFileSync(ended, 'utf8') !== '')
    expect(Number(readFileSync(ended, 'utf8'))).toBe(code)
    expect(questionsToHuman(seat.bus)).toHaveLength(verb.startsWith('reply') && code === 0 ? 0 : 1)
  })

  test('a key that runs it where nobody is asked is refused', async () => {
    const { server, bus, client } = await atTmux()
    const ended = join(tempDirectory(), 'ended')
    const line = `AGENT_CHAT_HOME=${bus.home.root} ${PROGRAM} unpause; echo $? >${ended}`
    await server.tmux('bind-key', '-n', 'F5', 'run-shell', line)
    await client.key('F5')
    await until('its end', () => existsSync(ended) && readFileSync(ended, 'utf8') !== '')
    expect(Number(readFileSync(ended, 'utf8'))).toBe(3)
  })
})
