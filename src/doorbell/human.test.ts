import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsOf, tempBus, tempDirectory } from '../testing/home.ts'
import { someMessage } from '../testing/message.ts'
import { until } from '../testing/until.ts'
import type { HumanPorts } from './human/ways.ts'
import { announce, canTell } from './human.ts'

const MESSAGE = someMessage({ to: 'human', kind: 'question' })

/** A machine with a desktop and no terminal; its notifications go into a file. */
function desktop(env: NodeJS.ProcessEnv = {}) {
  const bus = tempBus(['backend'])
  const path = tempDirectory()
  const given = join(path, 'given')
  for (const program of ['notify-send', 'osascript']) {
    const file = join(path, program)
    writeFileSync(
      file,
      `#!/bin/sh\nprintf '%s\\n' "$@" > "${given}.tmp"\n/bin/mv "${given}.tmp" "${given}"\n`,
    )
    chmodSync(file, 0o755)
  }
  const tmux: HumanPorts['tmux'] = {
    run: async () => ({ code: 1, stdout: '', stderr: 'no server running' }),
    runHere: async () => 1,
  }
  const ports: HumanPorts = { bus, env: { PATH: path, DISPLAY: ':0', ...env }, tmux }
  return { bus, ports, given, told: () => eventsOf(bus.home, 'told') }
}

describe('where there is a desktop', () => {
  test('it shows who asks, and the history has it', async () => {
    const { ports, given, told } = desktop()
    expect(await canTell(ports)).toBe(true)
    await announce(MESSAGE, ports)
    expect(told()).toEqual([
      { at: expect.any(String), event: 'told', id: MESSAGE.id, by: ['desktop'] },
    ])
    await until('the notification', () => existsSync(given))
    expect(readFileSync(given, 'utf8').trimEnd().split('\n').at(-1)).toBe(
      '@backend asks you: agent-chat inbox human',
    )
  })

  test.each([{ AGENT_CHAT_NOTIFY: 'off' }, { AGENT_CHAT_NOTIFY: 'tmux,bell' }, { PATH: '' }])(
    'nobody is told with %j',
    async (env) => {
      const { ports, told } = desktop(env)
      expect(await canTell(ports)).toBe(false)
      await announce(MESSAGE, ports)
      expect(told()).toEqual([])
    },
  )

  test('nobody is told while all doorbells are paused', async () => {
    const { bus, ports, told } = desktop()
    writeFileSync(bus.home.paused, '')
    expect(await canTell(ports)).toBe(false)
    await announce(MESSAGE, ports)
    expect(told()).toEqual([])
    rmSync(bus.home.paused)
    await announce(MESSAGE, ports)
    expect(told()).toHaveLength(1)
  })

  test('a registry that cannot be read hinders nobody', async () => {
    const { bus, ports, told } = desktop()
    writeFileSync(bus.home.sessions, '{')
    expect(await canTell(ports)).toBe(true)
    await announce(MESSAGE, ports)
    expect(told()).toMatchObject([{ by: ['desktop'] }])
  })

  test('a fault of one means hinders no other', async () => {
    const { ports, told } = desktop({ TMUX: '/tmp/one,1,0' })
    const run: HumanPorts['tmux']['run'] = async ([command]) => {
      if (command === 'list-clients') return { code: 0, stdout: '0 /dev/pts/99999\n', stderr: '' }
      throw new Error('out of memory')
    }
    await announce(MESSAGE, { ...ports, tmux: { ...ports.tmux, run } })
    expect(told()).toMatchObject([{ by: ['desktop'] }])
  })
})

test('a history that cannot be written is no fault of the message', async () => {
  const { bus, ports, given } = desktop()
  mkdirSync(bus.home.history)
  await announce(MESSAGE, ports)
  await until('the notification', () => existsSync(given))
})
