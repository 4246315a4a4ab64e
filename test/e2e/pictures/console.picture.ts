import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentsOn } from '../../../src/testing/agent.ts'
import { DIST } from '../../../src/testing/cli.ts'
import { tmuxServer } from '../harness/tmux.ts'
import { svgOf } from './svg.ts'

const PICTURE = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures', 'console.svg')
const COLUMNS = 96
const ROWS = 25

test('draws the console: a decision waits, a task is done, a handover has passed', async () => {
  const { bus, agents } = await agentsOn('backend', 'frontend', 'infra')
  const [backend, frontend, infra] = agents
  if (!backend || !frontend || !infra) throw new Error('an agent is missing')
  for (const agent of agents) await agent.human()
  const server = await tmuxServer()
  onTestFinished(() => server.kill())
  const pane = await server.newSession({
    argv: [process.execPath, join(DIST, 'main.js'), 'console'],
    env: { AGENT_CHAT_HOME: bus.home.root },
    width: COLUMNS,
    height: ROWS,
  })
  await pane.waitFor(/── nothing needs you/)
  await pane.key('i')
  await pane.waitFor(/── to: nobody yet/)

  await backend.chat(
    'send',
    '@frontend',
    '--subject',
    'GET /tasks is ready',
    'It answers { id, title, done }[], newest first.',
  )
  await pane.submit('@infra /task Give the staging database a copy of last night')
  await pane.waitFor(/you → @infra/)
  await infra.chat(
    'done',
    'staging database',
    'Done: staging has the copy of 03:00, without mail addresses.',
  )
  await pane.waitFor(/without mail addresses/)
  await frontend.chat('send', '@backend', '--question', 'Is amount a string on purpose?')
  await backend.chat('reply', '--', lastId(await pane.screen()), 'It is, because of the rounding.')
  await infra.hook('stop')
  await backend.chat(
    'escalate',
    'Drop the column now, or keep it for a release?',
    ...[
      '--option',
      'drop it',
      '--option',
      'keep it',
      '--recommend',
      'keep it: two clients still read it',
    ],
  )
  await pane.waitFor(/▶ 1 needs you/)
  await pane.key('Escape')
  await pane.waitFor(/▶ @backend #1/)
  await pane.waitFor(/@infra +(idle|finished)/)
  await pane.key('g')
  await pane.waitFor(/▌▶ @backend #1/)

  const lines = (await pane.screen({ escapes: true })).replace(/\n$/, '').split('\n')
  const svg = svgOf(
    [{ title: '$ agent-chat console', lines }],
    COLUMNS,
    'The console: who is here, a decision that waits for its answer, a result that is unread, and the last messages',
  )
  expect(svg).toContain('GET /tasks is ready')
  expect(svg).not.toMatch(/\/tmp\/|\/root\/|\/home\/|\/Users\//)
  await mkdir(dirname(PICTURE), { recursive: true })
  await writeFile(PICTURE, svg)
})

/** The short id of the last question that the screen shows. */
function lastId(screen: string): string {
  return [...screen.matchAll(/question {2}(\w{5})/g)].at(-1)?.[1] ?? ''
}
