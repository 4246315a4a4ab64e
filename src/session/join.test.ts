import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join as joined } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSessions } from '../bus/names/registry.ts'
import { tempBus } from '../testing/home.ts'
import { type JoinRequest, join } from './join.ts'
import { leave } from './leave.ts'

/** A tmux that answers when the test says so. */
function slowTmux() {
  let answer = (_: string) => {}
  let ask = () => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const stdout = new Promise<string>((resolve) => {
    answer = resolve
  })
  const run = async () => {
    ask()
    return { code: 0, stdout: await stdout, stderr: '' }
  }
  return { asked, answer, run }
}

/** A home in which @frontend is registered in pane %1, with no process that is known. */
function world() {
  const bus = tempBus()
  const frontend = { name: 'frontend', pane: '%1', tmux_socket: '/s' }
  writeFileSync(bus.home.sessions, JSON.stringify({ frontend }))
  const tmux = slowTmux()
  const ports = { bus, tmux, startWatcher: () => undefined, warn: () => {} }
  const joining = (name: string, pane?: string) => {
    const request: JoinRequest = {
      ...{ name, pane: pane === undefined ? undefined : { socket: '/s', pane }, agent: undefined },
      ...{ native: false, doorbell: 'tmux', cwd: '/', force: false, watch: false },
    }
    return join(request, ports)
  }
  return { bus, tmux, joining }
}

describe('while tmux does not answer whether a name is at work', () => {
  test('another session joins', async () => {
    const { bus, tmux, joining } = world()
    const first = joining('frontend', '%2')
    await tmux.asked
    await joining('docs')
    tmux.answer('%1\n%2\n')
    await expect(first).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    expect(Object.keys(readSessions(bus.home))).toEqual(['frontend', 'docs'])
  })

  test('the name may change hands: then it is asked again', async () => {
    const { bus, tmux, joining } = world()
    const first = joining('frontend', '%2')
    await tmux.asked
    const text = readFileSync(bus.home.sessions, 'utf8')
    writeFileSync(bus.home.sessions, text.replace('%1', '%3'))
    tmux.answer('%2\n%3\n')
    await expect(first).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: '@frontend is already running in tmux pane %3 ()',
    })
  })

  test('what others join as meanwhile is no reason to ask again', async () => {
    const { bus, tmux, joining } = world()
    const first = joining('frontend', '%2')
    await tmux.asked
    await joining('docs')
    tmux.answer('%2\n')
    expect((await first).replaced).toBe(true)
    expect(readSessions(bus.home).frontend?.pane).toBe('%2')
  })
})

test.each([
  ['reads prompts from goes when its session leaves', 'x.jsonl', false],
  ['server listens on goes with the server', 'x.sock', true],
])('the file that an agent %s', async (_, file, stays) => {
  const bus = tempBus()
  const server = joined(bus.home.servers, file)
  mkdirSync(bus.home.servers, { recursive: true })
  writeFileSync(server, '')
  const bob = { name: 'bob', pane: null, tmux_socket: null, agent: null, program: 'x', server }
  writeFileSync(bus.home.sessions, JSON.stringify({ bob }))
  expect(await leave('bob', { bus })).toBe(true)
  expect(existsSync(server)).toBe(stays)
})
