import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../src/testing/until.ts'
import { openShell } from '../../tmux/shell.ts'
import { carriers, stateOf } from '../../worker/stage.ts'
import type { Rule } from '../harness/api.ts'
import { newText } from '../harness/request.ts'
import { realStage } from './stage.ts'

/** Looks before it answers, and writes what it was told to write. */
const works =
  (cwd: () => string): Rule =>
  (request) => {
    const said = newText(request)
    if (said.includes('parseDate(text)')) return { text: 'In dates.ts, line 1.' }
    if (said.includes('Where do we parse dates'))
      return { tool: 'Read', input: { file_path: join(cwd(), 'dates.ts') } }
    if (said.includes('File created')) return { text: 'NOTES.md has the list.' }
    if (said.includes('List every TODO'))
      return {
        tool: 'Write',
        input: { file_path: join(cwd(), 'NOTES.md'), content: '1. dates.ts\n' },
      }
    if (said.includes('digest of yesterday')) return { text: 'Nothing was committed yesterday.' }
    return { text: `unexpected: ${said}` }
  }

test('from a fresh home to the end: init, up, ask, task, schedule, down', async () => {
  const stage = await realStage(works(() => stage.cwd))
  const { world, cwd } = stage
  writeFileSync(join(cwd, 'dates.ts'), 'export const parseDate = parseDate(text)\n')
  const shell = await openShell(world.tmux, { home: world.chat, cwd, width: 120, env: stage.env })
  let count = 0
  const run = async (line: string) => {
    count += 1
    await shell.key('C-l')
    await shell.submit(`${line}; echo "<$?-${count}>"`)
    const screen = await shell.waitFor(new RegExp(`^<\\d+-${count}>`, 'm'), 30_000)
    expect(screen, line).toContain(`<0-${count}>`)
    return screen
  }
  expect(await run('agent-chat agents init')).toContain('code-focused')
  const up = await run('agent-chat up researcher code-focused')
  expect(up).toContain('✓ @researcher started')
  expect(up).toContain('✓ @code-focused started')
  expect(await run('agent-chat ask @researcher "Where do we parse dates?"')).toContain(
    'In dates.ts, line 1.',
  )
  await run('agent-chat task @code-focused "List every TODO in NOTES.md"')
  await until('the task', () => stateOf(stage, 'code-focused')?.requests === 1, 20_000)
  expect(readFileSync(join(cwd, 'NOTES.md'), 'utf8')).toBe('1. dates.ts\n')
  expect(await run('agent-chat inbox human')).toContain('NOTES.md has the list.')
  await run('agent-chat schedule @researcher "0 7 * * 1-5" "digest of yesterday"')
  await run('agent-chat schedule run researcher.1')
  await until('the run', () => stateOf(stage, 'researcher')?.requests === 2, 20_000)
  const shown = await until('the outcome', async () => {
    const screen = await run('agent-chat schedule show researcher.1')
    return screen.includes('completed') && screen
  })
  expect(shown).toContain('Nothing was committed yesterday.')
  expect(await run('agent-chat stats')).toContain('researcher')
  await run('agent-chat down')
  for (const name of ['researcher', 'code-focused']) {
    expect(stateOf(stage, name)?.activity).toBe('stopped')
    expect(carriers(stage, name)).toEqual([])
  }
  expect(await world.tmux.tmux('list-sessions')).not.toContain('ac-')
})
