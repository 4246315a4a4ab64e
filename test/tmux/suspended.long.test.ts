import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { becomePlan, paneArgv } from '../../src/launcher/paneShell.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import { joinPane, PROMPT, serverForTest, standIn, textOf, tmuxWorld } from './world.ts'

const AGENT = join(import.meta.dirname, 'suspends.mjs')
const WAYS = [
  'SIGTSTP to itself',
  'SIGTSTP to its group',
  'SIGSTOP to itself',
  'SIGSTOP to its group',
]

describe.each(['sh', 'bash'])('in a pane that %s waits in', (shell) => {
  test.each(WAYS)('an agent that Ctrl-Z stops by %s comes back', async (how) => {
    const { pane, end } = await waited(shell, how)
    for (const typed of ['one', 'two']) {
      await pane.key('C-z')
      await pane.waitFor(typed === 'one' ? /back 1/ : /back 2/)
      await pane.type(typed)
      await pane.waitFor(new RegExp(`> ${typed}`))
    }
    await pane.key('q')
    expect(await end()).toBe('148')
  })

  test.each([
    ['before', false],
    ['after', true],
  ])('the end is told of a terminal that goes %s it was stopped', async (_, stops) => {
    const { server, pane, end } = await waited(shell, 'SIGTSTP to its group')
    if (stops) {
      await pane.key('C-z')
      await pane.waitFor(/back 1/)
    }
    await server.tmux('kill-pane', '-t', pane.id)
    expect(await end()).toBe('129')
  })
})

test('a session that start made comes back, gets what is typed, and is never idle when stopped', async () => {
  const world = await tmuxWorld()
  const env = { AGENT_CHAT_PROMPT: PROMPT, ...world.server.env }
  const command = `"${process.execPath}" "${AGENT}" "SIGTSTP to itself"`
  const home = world.bus.home.root
  await world.server.newSession({ name: 'other' })
  const started = await runCli(['start', 'alice', '--detach', '--cmd', command], { home, env })
  expect(started).toMatchObject({ code: 0 })
  const session = findSession(readSessions(world.bus.home), 'alice')
  const pane = world.server.pane(session?.pane ?? '')
  await pane.key('C-z')
  await pane.waitFor(/back 1/)
  await pane.type('hello')
  await pane.waitFor(/> hello/)
  await pane.key('q')
  await until('the end', () => eventsOf(world.bus.home, 'ended').length === 1)
  expect(eventsOf(world.bus.home, 'ended')[0]).toMatchObject({ name: 'alice', code: 148 })
})

test('who says of an agent that a person stopped in their own shell that it is suspended', async () => {
  const world = await tmuxWorld()
  const { pane } = await standIn(world, { inShell: true })
  await joinPane(world, 'frontend', pane)
  const pid = findSession(readSessions(world.bus.home), 'frontend')?.agent?.pid ?? 0
  const state = async () => {
    const { stdout } = await world.run(['who', '--json'])
    return JSON.parse(stdout).sessions[0].state
  }
  process.kill(pid, 'SIGTSTP')
  await pane.waitFor(/Stopped/)
  expect(await state()).toBe('suspended')
  expect((await world.run(['who'])).stdout).toMatch(/frontend.*suspended/)
  await pane.submit('fg')
  await until('the agent to go on', () => !/\) T /.test(textOf(`/proc/${pid}/stat`)))
  expect(await state()).not.toBe('suspended')
})

/** An agent as the launcher's pane begins it, with this shell; `end`: the exit code that is told. */
async function waited(
  shell: string,
  how: string,
): Promise<{
  server: Awaited<ReturnType<typeof serverForTest>>
  pane: Pane
  end: () => Promise<string>
}> {
  const server = await serverForTest()
  const directory = tempDirectory()
  const [told, handover, program] = ['told', 'handover', 'program.cjs'].map((file) =>
    join(directory, file),
  ) as [string, string, string]
  const plan = becomePlan([process.execPath, AGENT, how], {}, {})
  writeFileSync(
    program,
    `const code = process.argv[process.argv.indexOf('--ended') + 1]
if (process.argv.includes('--become')) process.stdout.write(${JSON.stringify(plan)})
else require('node:fs').writeFileSync(${JSON.stringify(told)}, code)`,
  )
  const scripts = paneArgv({ node: '', script: '', home: '' }, '', '').slice(-2)
  const [wait = '', become = ''] = scripts
  const args = ['agent-chat', process.execPath, program, 'backend', handover, become]
  // What a pane begins with ends with its terminal; what waits below it does not.
  const stand = 'trap : INT QUIT; "$@"; exit $?'
  await server.newSession({ name: 'other' })
  const argv = ['sh', '-c', stand, 'stand', shell, '-c', wait, ...args]
  const pane = await server.newSession({ argv })
  await pane.waitFor(/^>/m)
  return { server, pane, end: () => until('the end to be told', () => textOf(told) || undefined) }
}
