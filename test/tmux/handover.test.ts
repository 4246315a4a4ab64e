import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { DIST } from '../../src/testing/cli.ts'
import { filesIn, register } from '../../src/testing/home.ts'
import { tmuxWorld } from './world.ts'

/**
 * Runs `send --handover` at a real terminal, with a shell script of the test's own as the editor,
 * and gives what the screen shows then.
 */
async function edited(
  script: string,
  options: { args?: string; visual?: string; editor?: string } = {},
) {
  const world = await tmuxWorld()
  register(world.bus.home, 'backend', 'frontend')
  const editor = join(world.directory, 'my editor')
  writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const env = [
    `AGENT_CHAT_HOME=${world.bus.home.root}`,
    'AGENT_CHAT_NAME=backend',
    `TMPDIR=${world.directory}`,
    `VISUAL=${quoted(options.visual ?? '')}`,
    `EDITOR=${quoted(options.editor ?? `${quoted(editor)} --wait`)}`,
  ].join(' ')
  const pane = await world.server.newSession({ argv: ['sh'] })
  await pane.submit(
    `${env} ${RUNTIME} ${DIST}/main.js send @frontend --handover ${options.args ?? ''}; echo "code=$?."`,
  )
  const screen = await pane.waitFor(/code=\d+\./)
  return { world, screen: screen.replaceAll(/\n/g, ' '), home: world.bus.home }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function sentBodies(messages: string): string[] {
  return filesIn(messages).map((file) =>
    readFileSync(join(messages, file), 'utf8').split('---\n').slice(2).join('---\n'),
  )
}

describe('send --handover at a terminal', () => {
  test('opens the editor, with its arguments, on the format; what was filled in is sent', async () => {
    const script =
      'echo "args=$# $1" > "$2.seen"; sed -i "s/Brief description of changes/paging/" "$2"; cp "$2" "$(dirname "$0")/copy"'
    const { screen, home, world } = await edited(script)
    expect(screen).toContain('code=0.')
    expect(screen).toContain('sent ')
    expect(screen).toContain('has no "Files affected"')
    expect(readFileSync(join(world.directory, 'copy'), 'utf8')).toContain(
      '## Handover from backend\n\n**What changed:**\n- paging\n',
    )
    expect(sentBodies(home.messages)).toEqual([
      '## Handover from backend\n\n**What changed:**\n- paging\n',
    ])
  })

  test('VISUAL stands before EDITOR', async () => {
    const { screen } = await edited('exit 3', { visual: 'sed -i s/Brief.*/visual/' })
    expect(screen).toContain('code=0.')
  })

  test('sends nothing of a format that was left as it was', async () => {
    const { screen, home } = await edited('true')
    expect(screen).toContain('code=2.')
    expect(screen).toContain('was not filled in')
    expect(filesIn(home.messages)).toEqual([])
  })

  test('sends nothing where the editor fails, and keeps what was written', async () => {
    const { screen, home } = await edited('echo "half a sentence" >> "$2"; exit 1')
    expect(screen).toContain('code=2.')
    expect(filesIn(home.messages)).toEqual([])
    const path = /saved in (\S+HANDOVER\.md)/.exec(screen.replaceAll(/\s+/g, ' '))?.[1] ?? ''
    expect(readFileSync(path, 'utf8')).toContain('half a sentence')
  })

  test('keeps what was written where it cannot be sent', async () => {
    const { screen, home } = await edited(`yes 0123456789 | head -c 300000 >> "$2"`)
    expect(screen).toContain('code=2.')
    expect(filesIn(home.messages)).toEqual([])
    const path = /saved in (\S+HANDOVER\.md)/.exec(screen.replaceAll(/\s+/g, ' '))?.[1] ?? ''
    expect(existsSync(path)).toBe(true)
    expect(dirname(path)).toMatch(/agent-chat-/)
  })

  test('an editor that is not there fails', async () => {
    const { screen } = await edited('', { editor: '/nowhere/editor --wait' })
    expect(screen).toContain('code=2.')
    expect(screen).toContain('exit code 127')
  })

  test('opens no editor where the recipient is nobody, or the body is given', async () => {
    const { screen } = await edited('touch "$(dirname "$0")/opened"', { args: '"a body"' })
    expect(screen).toContain('code=0.')
    const { world } = await edited('touch "$(dirname "$0")/opened"', { args: '--attach /nowhere' })
    expect(existsSync(join(world.directory, 'opened'))).toBe(false)
  })
})
