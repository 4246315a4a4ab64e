import { expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { shortId } from '../../src/message/shortId.ts'
import { agentsOn, type TestAgent } from '../../src/testing/agent.ts'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import { openShell } from './shell.ts'
import { serverForTest } from './world.ts'

/** `frontend`, an agent with hooks, and a person before a shell of this width who has asked it. */
async function asked(width: number, ...flags: string[]) {
  const { bus, agents } = await agentsOn('frontend')
  const [frontend] = agents as [TestAgent]
  const pane = await openShell(await serverForTest(), { home: bus.home.root, width })
  await pane.submit(['clear; agent-chat ask @frontend why', ...flags, '; echo code=$?'].join(' '))
  await pane.waitFor(/waiting for @frontend/)
  return { bus, frontend, pane, id: await questionTo(bus) }
}

const questionTo = (bus: Bus) =>
  until('the question', () => filesIn(bus.home.inbox('frontend'))[0]?.replace(/\.md$/, ''))

/** The lines of the screen that tell of the wait, once one of them says this. */
async function told(pane: Pane, what: string): Promise<string[]> {
  const screen = await pane.waitFor((text) => text.includes(what))
  return screen
    .split('\n')
    .filter((line) => /waiting for|Ctrl-C|the question stays open/.test(line))
}

test('one line shows what the other side is doing, and nothing of it is left at the end', async () => {
  const { bus, frontend, pane, id } = await asked(130)
  const line = (what: string) => [
    `waiting for @frontend: ${what} · Ctrl-C stops waiting; the question stays open`,
  ]
  expect(await told(pane, 'idle, ')).toEqual(line('idle, has not seen the question yet'))
  await frontend.rung()
  expect(await told(pane, 'busy, has the')).toEqual(line('busy, has the question'))
  await frontend.hook('permission-request')
  expect(await told(pane, 'dialog')).toEqual(line('has a dialog open and waits for its user'))
  await frontend.hook('stop')
  expect(await told(pane, 'finished its')).toEqual(line('finished its turn without answering'))
  await frontend.chat('reply', id, 'because')
  const screen = await pane.waitFor(/code=0/)
  expect(screen).not.toContain('waiting for')
  expect(screen).toMatch(/^── \S{5} ──\nfrom @frontend · reply · just now\n/)
  expect(screen).toContain('\nbecause\n')
  expect(filesIn(bus.home.asks)).toEqual([])
})

test('in a narrow pane it is cut, never wrapped; Ctrl-C takes it away and leaves the question standing', async () => {
  const { bus, frontend, pane } = await asked(44)
  const cut = await told(pane, 'idle')
  expect(cut).toHaveLength(1)
  expect(cut[0]).toMatch(/^waiting for @frontend: idle, has not seen t/)
  await frontend.rung()
  expect(await told(pane, 'busy')).toHaveLength(1)
  await pane.key('C-c')
  const screen = await pane.waitFor(/code=130/)
  expect(screen).not.toContain('waiting for @frontend: ')
  expect(screen.replaceAll(/\s+/g, '')).toContain(
    'agent-chat:stoppedwaitingfortheanswerof@frontend',
  )
  expect(screen.replaceAll(/\s+/g, '')).toMatch(/hint:thequestionstaysopen,.*agent-chatask--resume/)
  // Lines are wrapped again afterwards.
  expect(screen.split('\n').filter((line) => line.length > 40).length).toBeGreaterThan(1)
  expect(filesIn(bus.home.asks)).toEqual([])
  expect(filesIn(bus.home.readDirectory('frontend'))).toHaveLength(1)
})

test('a terminal that cannot erase a line gets whole ones', async () => {
  const { bus, agents } = await agentsOn('frontend')
  const [frontend] = agents as [TestAgent]
  const pane = await openShell(await serverForTest(), {
    home: bus.home.root,
    env: { TERM: 'dumb' },
  })
  await pane.submit('agent-chat ask @frontend why')
  const id = await questionTo(bus)
  await pane.waitFor(/agent-chat: waiting for the answer of @frontend to/)
  await frontend.chat('reply', id, 'because')
  expect(await pane.waitFor(/\nbecause\n/)).toContain(
    `agent-chat: waiting for the answer of @frontend to ${shortId(id)}\n`,
  )
})
