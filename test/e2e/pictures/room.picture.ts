import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { hears } from '../harness/request.ts'
import { stageFor } from '../room/stage.ts'
import { svgOf } from './svg.ts'

const PICTURES = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures')
const COLUMNS = 116
const ROWS = 22

test('draws the room inside Claude Code: the band, and the pane beside the transcript', async () => {
  const { pane, chat, world } = await stageFor({
    size: [COLUMNS, ROWS],
    inHome: 'web',
    rule: (request) =>
      hears(request, 'add the list') ? { text: 'Done: the page shows the list.' } : { text: 'ok' },
  })
  await pane.waitFor(/for shortcuts/)
  await pane.submit('add the list of tasks')
  await pane.waitFor(/Done: the page/)
  // Nobody rings in a picture: what is unread stays so.
  await chat(['pause'])
  await chat(['send', '@frontend', '-s', 'API contract', 'GET /tasks is ready'], 'backend')
  await chat(
    ['escalate', 'Drop the column now?', '--option', 'drop it', '--option', 'keep it'],
    'backend',
  )
  await pane.waitFor(/\[ drop it \]/)
  await pane.type('and page the list')
  await pane.waitFor((text) => !text.includes('asks you:'))
  await draw(
    'room-band',
    await pane.screen({ escapes: true }),
    'The band above the prompt: one unread message, and a decision with its options as buttons',
  )
  await pane.key('C-u')
  await pane.submit('/room')
  await pane.waitFor(/write, as you/)
  await draw(
    'room-pane',
    await pane.screen({ escapes: true }),
    'The pane beside the transcript: sessions, a decision, a conversation and a field to write',
  )
  expect(world.api.main().length).toBeGreaterThan(0)
})

async function draw(name: string, screen: string, alt: string): Promise<void> {
  const lines = screen.replace(/\n$/, '').split('\n')
  const svg = svgOf([{ title: '@frontend · ~/web', lines }], COLUMNS, alt)
  expect(svg).not.toMatch(/\/tmp\/|\/root\/|\/home\/|\/Users\//)
  await mkdir(dirname(PICTURES), { recursive: true })
  await writeFile(join(PICTURES, `${name}.svg`), svg)
}
