import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../src/testing/until.ts'
import { stateOf } from '../../worker/stage.ts'
import { jobStage } from '../worker/job.ts'
import { svgOf } from './svg.ts'

const PICTURE = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures', 'workers.svg')
const COLUMNS = 90

test('draws the main job of workers: they are written, started, asked, given a task, and ended', async () => {
  const stage = await jobStage(COLUMNS)
  const { world, shell } = stage
  const run = async (line: string) => {
    await shell.submit(line)
    // The prompt is back below what was typed.
    await shell.waitFor((screen) => /\n\$\s*$/.test(screen.split(line).at(-1) ?? ''))
  }
  await run('agent-chat agents init')
  await run('agent-chat up researcher code-focused')
  await run('agent-chat ask @researcher "Where do we parse dates?"')
  await run('agent-chat task @code-focused "Write every TODO into TODO.md"')
  await until('the task', () => stateOf(stage, 'code-focused')?.requests === 1)
  await run('agent-chat tasks')
  await run('agent-chat schedule @researcher "0 7 * * 1-5" "digest of yesterday"')
  await run('agent-chat down')

  const screen = await shell.screen({ escapes: true })
  const lines = screen.replaceAll(world.chat, '~/agent-chat').trimEnd().split('\n').slice(0, -1)
  const label =
    'Workers: four agents are written, two of them started, one is asked and the other given a task, a schedule is set, and all are ended'
  const svg = svgOf([{ title: 'workers', lines }], COLUMNS, label)
  expect(svg).toContain('parseDate()')
  expect(svg).toContain('started (pid')
  expect(svg).toContain('done')
  expect(svg).not.toMatch(/\/tmp\/|\/root\/|\/home\/|\/Users\//)
  await mkdir(dirname(PICTURE), { recursive: true })
  await writeFile(PICTURE, svg)
})
