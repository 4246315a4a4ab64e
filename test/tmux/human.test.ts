import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { showInClients } from '../../src/doorbell/human/clients.ts'
import type { HumanPorts } from '../../src/doorbell/human/ways.ts'
import { announce, canTell } from '../../src/doorbell/human.ts'
import { isOwnTerminal, ringTerminal, terminalOf } from '../../src/system/terminals.ts'
import { systemTmux, type Tmux } from '../../src/system/tmux.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'
import { someMessage } from '../../src/testing/message.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import type { TmuxServer } from '../e2e/harness/tmux.ts'
import { refOf, serverForTest, tmuxWorld } from './world.ts'

const ASKS = '@backend asks you: agent-chat inbox human'
const MESSAGE = someMessage({ from: 'backend', to: 'human', kind: 'question' })
const REAL = systemTmux(() => '')

/** A machine that is busy with other tests gets the time that it needs. */
const PATIENT: Tmux = { ...REAL, run: (args, socket) => REAL.run(args, socket) }

/** The terminal of a person: a pane of a server that stands for the screen before them. */
type Seat = { pane: Pane; rung: () => Promise<boolean>; tty: string }

/** A session in tmux at which a person sits, or not; what they see is a pane of another server. */
async function seats(count = 1) {
  const world = await tmuxWorld()
  const screen = await serverForTest()
  await world.server.newSession({ argv: ['cat'] })
  writeFileSync(
    world.bus.home.sessions,
    JSON.stringify({ backend: { pane: '%0', tmux_socket: world.server.socket } }),
  )
  const at: Seat[] = []
  for (let seat = 0; seat < count; seat += 1) at.push(await sitDown(world.server, screen))
  const ports = (env: NodeJS.ProcessEnv = {}): HumanPorts => ({
    bus: world.bus,
    env,
    tmux: PATIENT,
  })
  return {
    world,
    screen,
    seats: at,
    first: at[0] as Seat,
    ports,
    told: () => eventsOf(world.bus.home, 'told'),
  }
}

async function sitDown(server: TmuxServer, screen: TmuxServer, how = 'attach'): Promise<Seat> {
  const clients = async () =>
    (await server.tmux('list-clients', '-F', '#{client_tty}')).split('\n').filter(Boolean)
  const before = (await clients()).length
  const seat = await seatOf(screen, `TMUX= exec tmux -S '${server.socket}' ${how}`)
  await until('the client to be attached', async () => (await clients()).length > before)
  return seat
}

/** What runs in a pane of its own, whose bell can be heard. */
async function seatOf(screen: TmuxServer, cmd: string): Promise<Seat> {
  const pane = await screen.newSession({ cmd })
  const ask = async (format: string) =>
    (await screen.tmux('display-message', '-p', '-t', pane.id, format)).trim()
  return {
    pane,
    tty: await ask('#{pane_tty}'),
    rung: async () => (await ask('#{window_bell_flag}')) === '1',
  }
}

/** Stops a server until the test is over. */
async function hang(server: TmuxServer): Promise<void> {
  const pid = Number(await server.tmux('display-message', '-p', '#{pid}'))
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  process.kill(pid, 'SIGSTOP')
}

describe('a person who sits at a tmux server of a session', () => {
  test('sees who asks, hears a bell, and the history has it', async () => {
    const { seats: at, ports, told } = await seats(2)
    expect(await canTell(ports())).toBe(true)
    await announce(MESSAGE, ports())
    expect(told()).toEqual([
      { at: expect.any(String), event: 'told', id: MESSAGE.id, by: ['tmux', 'bell'] },
    ])
    for (const seat of at) {
      await seat.pane.waitFor((text) => text.trimEnd().split('\n').at(-1)?.trimEnd() === ASKS)
      await until('the bell', seat.rung)
    }
  })

  test('sees and does not hear, where only tmux may tell', async () => {
    const { first, ports, told } = await seats()
    await announce(MESSAGE, ports({ AGENT_CHAT_NOTIFY: 'tmux' }))
    await first.pane.waitFor(new RegExp(ASKS))
    expect(await first.rung()).toBe(false)
    expect(told()).toMatchObject([{ by: ['tmux'] }])
  })

  test('hears and does not see, where only the bell may tell', async () => {
    const { world, first, ports, told } = await seats()
    await announce(MESSAGE, ports({ AGENT_CHAT_NOTIFY: 'bell' }))
    await until('the bell', first.rung)
    expect(told()).toMatchObject([{ by: ['bell'] }])
    expect(await world.server.tmux('show-messages')).not.toContain('asks you')
  })

  test('is told by the program itself, of what an agent sends', async () => {
    const { world, first, told } = await seats()
    const run = await world.run(['send', '@human', 'ready #(touch pwned)', '--as', 'backend'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    await first.pane.waitFor(/@backend writes to you: agent-chat inbox human/)
    await until('the history to have it', () => told().length > 0)
    expect(told()).toMatchObject([{ by: ['tmux', 'bell'] }])
  })
})

test('nobody is told where nobody sits, nor a program that is attached in control mode', async () => {
  const { world, screen, ports, told } = await seats(0)
  expect(await canTell(ports())).toBe(false)
  const program = await sitDown(world.server, screen, '-C attach')
  expect(await canTell(ports())).toBe(false)
  await announce(MESSAGE, ports())
  expect(told()).toEqual([])
  expect(await program.rung()).toBe(false)
})

test('a person at the server of this process is told, where no session is registered', async () => {
  const { world, first, ports } = await seats()
  writeFileSync(world.bus.home.sessions, '{}')
  expect(await canTell(ports())).toBe(false)
  await announce(MESSAGE, ports({ TMUX: `${world.server.socket},1,0` }))
  await first.pane.waitFor(new RegExp(ASKS))
})

test('tmux shows a line to the letter, and runs nothing of it', async () => {
  const { world, first } = await seats()
  const pwned = join(world.directory, 'pwned')
  const line = `50%H (#3) #{pane_id} #[fg=red]x #S #(touch ${pwned})`
  expect(
    await showInClients(PATIENT, [{ socket: world.server.socket, tty: first.tty }], line),
  ).toBe(true)
  await first.pane.waitFor((text) => text.includes(line))
  expect(existsSync(pwned)).toBe(false)
})

describe('an agent in a terminal of its own', () => {
  test('has its terminal rung, once it lives and for as long', async () => {
    const { world, screen, ports, told } = await seats(0)
    const seat = await seatOf(screen, 'exec cat')
    const agent = refOf(world, await seat.pane.pid())
    await until('the agent', () => world.bus.processes.find(agent.pid)?.command === 'cat')
    expect(terminalOf(agent.pid)).toBe(seat.tty)
    const register = (of: typeof agent, pane: string | null) =>
      writeFileSync(
        world.bus.home.sessions,
        JSON.stringify({
          backend: { pane, tmux_socket: null, agent: of },
          frontend: { pane, agent: of },
        }),
      )
    register({ ...agent, started: 'another life' }, null)
    expect(await canTell(ports())).toBe(false)
    register(agent, '%0')
    expect(await canTell(ports())).toBe(false)
    register(agent, null)
    expect(await canTell(ports({ AGENT_CHAT_NOTIFY: 'tmux' }))).toBe(false)
    expect(await canTell(ports())).toBe(true)
    await announce(MESSAGE, ports())
    await until('the bell', seat.rung)
    expect(told()).toMatchObject([{ by: ['bell'] }])
  })

  test('gets one byte and no other', async () => {
    const screen = await serverForTest()
    const seat = await seatOf(screen, 'exec cat')
    const raw = join(screen.socket, '..', 'raw')
    await screen.tmux('pipe-pane', '-t', seat.pane.id, `exec cat > '${raw}'`)
    await until('the pipe', () => existsSync(raw))
    expect(ringTerminal(seat.tty)).toBe(true)
    await seat.pane.submit('end')
    await until('what came after', () => readFileSync(raw, 'utf8').includes('end'))
    expect(readFileSync(raw, 'utf8').replace(/end.*$/s, '')).toBe('\u0007')
  })

  test(
    'is left alone where the terminal is another user’s',
    leftOut(process.getuid?.() !== 0 && 'it takes root'),
    async () => {
      const seat = await seatOf(await serverForTest(), 'exec cat')
      expect(isOwnTerminal(seat.tty)).toBe(true)
      chownSync(seat.tty, 65534, 0)
      expect([isOwnTerminal(seat.tty), ringTerminal(seat.tty)]).toEqual([false, false])
    },
  )
})

describe('a tmux server that hangs', () => {
  test('answers as one that is gone, and keeps no sender', async () => {
    const { world, told } = await seats(0)
    await hang(world.server)
    expect(await REAL.run(['list-clients'], world.server.socket, 100)).toMatchObject({
      code: 1,
      stdout: '',
    })
    expect(await world.run(['send', '@human', 'ready', '--as', 'backend'])).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(told()).toEqual([])
  })

  test('keeps nobody else from being told', async () => {
    const { world, first, ports, told } = await seats()
    const other = await serverForTest()
    await other.newSession({ argv: ['cat'] })
    await hang(other)
    writeFileSync(
      world.bus.home.sessions,
      JSON.stringify(
        Object.fromEntries(
          [other, world.server].map(({ socket }, at) => [
            `s${at}`,
            { pane: '%0', tmux_socket: socket },
          ]),
        ),
      ),
    )
    const run: Tmux['run'] = (args, socket, limitMs) =>
      REAL.run(args, socket, socket === other.socket ? limitMs : undefined)
    await announce(MESSAGE, { ...ports(), tmux: { ...REAL, run } })
    await first.pane.waitFor(new RegExp(ASKS))
    expect(told()).toMatchObject([{ by: ['tmux', 'bell'] }])
  })
})
