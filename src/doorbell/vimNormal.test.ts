import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { readWaiting } from '../session/waiting.ts'
import { eventsOf, tempBus } from '../testing/home.ts'
import { tmuxDoorbell } from './bells.ts'
import { createRinger } from './ringer.ts'

/**
 * A screen of the real Claude Code with this text in its box, as tmux answers when it is asked for
 * one.
 */
function screen(name: string, typed: string): string {
  const file = readFileSync(join(import.meta.dirname, 'screens', `${name}.txt`), 'utf8')
  const end = file.indexOf('\n')
  const { cursorX, cursorY, width, height, cursorVisible } = JSON.parse(file.slice(0, end))
  const at = [cursorX + typed.length, cursorY, width, height, cursorVisible ? 1 : 0].join(' ')
  return `${process.pid} open 0 ${at}\n${file.slice(end + 1).replace(/(❯\s)(?=\x1b\[7m)/, `$1${typed}`)}`
}

/**
 * A Claude Code in vim mode of which no settings file tells: in NORMAL, what is typed is swallowed.
 */
function vim() {
  const box = { mode: 'normal', text: '', keys: [] as string[], entered: [] as string[] }
  const press = (command: string) => {
    const [, typed] = /-l -- '(.*)'$/.exec(command) ?? []
    box.keys.push(typed ?? 'Enter')
    if (box.mode === 'normal') return
    if (typed === undefined) box.entered.push(box.text)
    box.text = typed === undefined ? '' : box.text + typed
  }
  const run = async (args: string[]) => {
    const shown = args[0] === 'display-message'
    if (!shown) press(args.at(-2) ?? '')
    return { code: 0, stdout: shown ? screen(`vim-${box.mode}`, box.text) : '', stderr: '' }
  }
  return { box, tmux: { run, runHere: async () => 0 } }
}

test('in NORMAL mode that nobody has told of, it gives up typing; back in INSERT it rings, for later messages too', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const { box, tmux } = vim()
  let now = bus.clock.now()
  const clock = { ...bus.clock, now: () => now }
  const self = { ...bus.processes.find(process.pid), group: 1, foreground: 1 }
  const processes = { ...bus.processes, find: (pid: number) => ({ ...self, pid }) as never }
  const known = findSession(readSessions(bus.home), 'frontend')
  if (!known) throw new Error('no session')
  const session = { ...known, pane: '%1', tmux_socket: '/s', agent: bus.processes.self() }
  const doorbell = tmuxDoorbell({ ...bus, clock }, { tmux, processes, pause: async () => {} }, '')
  const ring: typeof doorbell.ring = (_, ...rest) => doorbell.ring(session, ...rest)
  const ringer = createRinger(
    { session, nameNow: () => 'frontend', doorbell: { name: 'tmux', ring }, leaveToNative: false },
    { bus: { ...bus, clock }, log: () => {} },
  )
  const look = async (times: number) => {
    for (let done = 0; done < times; done += 1) {
      now += 5000
      await ringer.look()
    }
  }
  const send = () =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'ready' })

  send()
  await look(6)
  expect(box.keys).toEqual(['N', 'N', 'N'])
  expect(readWaiting(bus.home, 'frontend')?.why).toBe('typed 3 times without being heard')
  // A person comes back to INSERT, types, and empties the box again.
  Object.assign(box, { mode: 'insert', text: 'half a thought' })
  await look(2)
  expect(readWaiting(bus.home, 'frontend')?.why).toBe('the input box holds text')
  box.text = ''
  await look(1)
  expect(box.entered).toEqual(['New message from @backend. Check inbox.'])
  expect(readWaiting(bus.home, 'frontend')).toBeUndefined()
  send()
  await look(1)
  expect(box.entered).toHaveLength(2)
  expect(eventsOf(bus.home, 'rung')).toHaveLength(2)
})
