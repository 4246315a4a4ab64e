import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../src/testing/until.ts'
import { carriers, stateOf } from '../../worker/stage.ts'
import { jobStage } from './job.ts'

test('from a fresh home to the end: init, up, ask, task, schedule, down', async () => {
  const stage = await jobStage(120)
  const { world, cwd, shell } = stage
  let count = 0
  const run = async (line: string) => {
    count += 1
    await shell.key('C-l')
    await shell.submit(`${line}; echo "<$?-${count}>"`)
    const screen = await shell.waitFor(new RegExp(`^<\\d+-${count}>`, 'm'))
    expect(screen, line).toContain(`<0-${count}>`)
    return screen
  }
  expect(await run('agent-chat agents init')).toContain('code-focused')
  const up = await run('agent-chat up researcher code-focused')
  expect(up).toContain('✓ @researcher started')
  expect(up).toContain('✓ @code-focused started')
  const asked = await run('agent-chat ask @researcher "Where do we parse dates?"')
  expect(asked).toContain('In dates.ts, line 1: parseDate().')
  await run('agent-chat task @code-focused "Write every TODO into TODO.md"')
  await until('the task', () => stateOf(stage, 'code-focused')?.requests === 1)
  expect(readFileSync(join(cwd, 'TODO.md'), 'utf8')).toBe('1. dates.ts\n')
  expect(await run('agent-chat inbox human')).toContain('TODO.md has the list: one entry.')
  await run('agent-chat schedule @researcher "0 7 * * 1-5" "digest of yesterday"')
  await run('agent-chat schedule run researcher.1')
  await until('the run', () => stateOf(stage, 'researcher')?.requests === 2)
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
