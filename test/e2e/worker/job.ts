import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openShell } from '../../tmux/shell.ts'
import type { Stage } from '../../worker/stage.ts'
import type { Rule } from '../harness/api.ts'
import type { Pane } from '../harness/pane.ts'
import { newText } from '../harness/request.ts'
import type { World } from '../harness/world.ts'
import { realStage } from './stage.ts'

/** A directory with a file, a model that works on it, and a person's shell in it. */
export async function jobStage(width: number): Promise<Stage & { world: World; shell: Pane }> {
  let cwd = ''
  const stage = await realStage((request) => works(cwd)(request))
  cwd = stage.cwd
  writeFileSync(join(cwd, 'dates.ts'), 'export const parseDate = (text) => new Date(text)\n')
  const { world, env } = stage
  return { ...stage, shell: await openShell(world.tmux, { home: world.chat, cwd, width, env }) }
}

/** Looks before it answers, and writes what it was told to write. */
const works =
  (cwd: string): Rule =>
  (request) => {
    const said = newText(request)
    if (said.includes('new Date(text)')) return { text: 'In dates.ts, line 1: parseDate().' }
    if (said.includes('Where do we parse dates'))
      return { tool: 'Read', input: { file_path: join(cwd, 'dates.ts') } }
    if (said.includes('File created')) return { text: 'TODO.md has the list: one entry.' }
    if (said.includes('Write every TODO'))
      return {
        tool: 'Write',
        input: { file_path: join(cwd, 'TODO.md'), content: '1. dates.ts\n' },
      }
    if (said.includes('digest of yesterday')) return { text: 'Nothing was committed yesterday.' }
    return { text: `unexpected: ${said}` }
  }
