import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { record } from '../../src/bus/history.ts'
import { DIST } from '../../src/testing/cli.ts'
import { filesIn, register } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { questionsToHuman } from '../../src/trust/sendGate/questions.ts'
import { attach, type ConsoleSeat, roomProcess, sitDown, tell } from './consoleWorld.ts'
import { openShell } from './shell.ts'
import { serverForTest, tmuxWorld } from './world.ts'

describe('o', () => {
  const withTerminal = async (): Promise<ConsoleSeat> => {
    const seat = await sitDown({ names: [] })
    const agent = await seat.server.newSession({ cmd: 'echo this is its screen; exec cat' })
    expect((await seat.run(['join', 'backend', agent.id, '--no-watch'])).code).toBe(0)
    tell(seat.bus, 'backend', 'human', 'look here')
    await seat.pane.waitFor(/look here/)
    return seat
  }

  test('shows the screen of a session, read-only, where nobody sits at its tmux', async () => {
    const seat = await withTerminal()
    await seat.pane.key('Up')
    await seat.pane.waitFor(/▌/)
    await seat.pane.key('o')
    await seat.pane.waitFor(/── the terminal of @backend, read-only ─+\n *this is its screen/)
  })

  test('in the inbox leads from a row to its terminal and back', async () => {
    const seat = await withTerminal()
    await seat.pane.key('Escape')
    await seat.pane.waitFor(/▌• @backend/)
    await seat.pane.key('o')
    await seat.pane.waitFor(/── the terminal of @backend, read-only ─+\n *this is its screen/)
    await seat.pane.key('o')
    await seat.pane.waitFor((screen) => !screen.includes('read-only') && /▌• @backend/.test(screen))
    await attach(seat)
    await seat.pane.key('o')
    const here = async () => (await seat.server.tmux('list-clients', '-F', '#{pane_id}')).trim()
    await until('the other pane', async () => (await here()) !== seat.pane.id)
  })

  test('goes to its pane in the same tmux; so does /open', async () => {
    const seat = await withTerminal()
    await attach(seat)
    const here = async () => (await seat.server.tmux('list-clients', '-F', '#{pane_id}')).trim()
    expect(await here()).toBe(seat.pane.id)
    await seat.pane.submit('/open @backend')
    await until('the other pane', async () => (await here()) !== seat.pane.id)
    await seat.server.tmux('switch-client', '-l')
    expect(await here()).toBe(seat.pane.id)
    // It turns the client first, and then says the way back.
    await until('the way back', async () =>
      (await seat.server.tmux('show-messages')).includes(
        "back to the console: tmux's prefix, then L",
      ),
    )
  })

  test('says why it cannot', async () => {
    const seat = await sitDown()
    await seat.pane.submit('/open @nobody')
    await seat.pane.waitFor(/no session named @nobody/)
    await seat.pane.submit('/open @backend')
    await seat.pane.waitFor(/@backend has no tmux pane/)
  })
})

test('y copies the id', async () => {
  const seat = await sitDown()
  const { id } = tell(seat.bus, 'backend', 'frontend', 'one')
  await seat.pane.waitFor(/one/)
  await seat.pane.key('Up')
  await seat.pane.waitFor(/▌/)
  await seat.pane.key('y')
  await seat.pane.waitFor(new RegExp(`copied ${id}`))
  // The console has sent it to its terminal; tmux has no buffer until it has read that.
  const buffers = () => seat.server.tmux('list-buffers', '-F', '#{buffer_sample}')
  await until('the buffer', async () => (await buffers()).trim() === id)
})

test('the sessions are a table with their directories from 100 columns on, in a fixed order', async () => {
  const seat = await sitDown({ width: 120, height: 36, names: [] })
  for (const name of ['zoe', 'adam']) {
    const { id } = await seat.server.newSession({ argv: ['cat'] })
    expect((await seat.run(['join', name, id, '--no-watch'])).code).toBe(0)
  }
  tell(seat.bus, 'zoe', 'adam', 'Move the list to pages of fifty', 'task')
  const screen = await seat.pane.waitFor(/1 unread +\//)
  expect(screen).toMatch(/^\? @adam +unknown +1 unread +\/\S*\n\? @zoe +unknown/)
})

test('a refusal that is repeated is one line with a count; Enter says why', async () => {
  const seat = await sitDown()
  for (let count = 0; count < 5; count += 1)
    record(seat.bus, 'refused', {
      ...{ name: 'backend', to: 'human', rule: 'work gate', reason: 'no work was done' },
      mode: 'enforce',
    })
  const screen = await seat.pane.waitFor(/@backend → you · refused \(work gate\) ×5/)
  expect(screen.match(/refused/g)).toHaveLength(1)
  await seat.pane.key('Up')
  await seat.pane.waitFor(/▌/)
  await seat.pane.key('Enter')
  await seat.pane.waitFor(/no work was done/)
})

test.each(['quit', 'SIGTERM'])('by %s the mouse is given back', async (how) => {
  const seat = await sitDown()
  const reports = async () =>
    (
      await seat.server.tmux('display-message', '-p', '-t', seat.pane.id, '#{mouse_any_flag}')
    ).trim()
  await until('the mouse', async () => (await reports()) === '1')
  if (how === 'quit') await seat.pane.submit('/quit')
  else process.kill((await roomProcess(seat)).pid, 'SIGTERM')
  await seat.pane.waitFor(/left \d/)
  expect(await reports()).toBe('0')
})

describe('started by tmux, without a shell that somebody types into', () => {
  test('the keys of a console are yours: they answer a decision, and begin nobody else’s turn', async () => {
    const seat = await sitDown()
    const question = ['escalate', 'Deploy?', '--option', 'yes', '--option', 'no', '--as', 'backend']
    expect((await seat.run(question)).code).toBe(0)
    await seat.pane.submit('#1 2')
    const words = () => filesIn(seat.bus.home.words)
    await until('the answer', () => questionsToHuman(seat.bus).length === 0)
    await until('its note', () => words().length === 1)
    await seat.pane.submit('/unpause')
    await seat.pane.waitFor(/nothing was paused/)
  })

  test.each([
    ['y', 'ended 0'],
    ['n', 'ended 3'],
  ])('another command that opens asks: %s', async (key, ended) => {
    const world = await tmuxWorld()
    const program = `${RUNTIME} ${DIST}/main.js unpause`
    const pane = await world.server.newSession({
      cmd: `${program} </dev/null 2>/dev/null; echo ended $?; exec cat`,
      env: { AGENT_CHAT_HOME: world.bus.home.root },
    })
    await pane.waitFor(/do you want this\? \[y\/N\]/)
    await pane.submit(key)
    await pane.waitFor(new RegExp(ended))
  })
})

test('--popup opens the console over the pane until it is left; outside tmux it says what to type', async () => {
  const world = await tmuxWorld()
  register(world.bus.home, 'backend')
  const shell = await openShell(world.server, { home: world.bus.home.root })
  const screen = await serverForTest()
  const client = await screen.newSession({
    cmd: `TMUX= exec tmux -S '${world.server.socket}' attach`,
  })
  await client.waitFor(/^\$/m)
  await shell.submit('agent-chat console --popup; echo left $?')
  await client.waitFor(/┌─+┐\n.*│\? @backend.*\n[\s\S]*│i write · \? keys/)
  await client.key('C-d')
  await client.waitFor(/left 0/)
  const outside = await world.run(['console', '--popup'], { env: { TMUX: '' } })
  expect(outside).toMatchObject({
    code: 2,
    stderr:
      'agent-chat: a popup needs tmux; agent-chat console --popup runs in a tmux pane\n  hint: agent-chat console\n',
  })
})
