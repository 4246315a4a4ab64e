import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { systemTmux } from '../../src/system/tmux.ts'
import { outcome, ROOT } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'

const RUNNER = join('scripts', 'test.mjs')

/** A folder of programs that are there, and do this. */
function standIns(text: string): Record<string, string> {
  const folder = tempDirectory()
  for (const name of ['bwrap', 'zsh', 'fish'])
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return { PATH: `${folder}:${process.env.PATH}` }
}

/** A folder whose path is as long as some systems make it. */
function longFolder(): string {
  const folder = join(tempDirectory(), 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The variables of a command in a pane of a tmux server that runs. */
async function insideTmux(): Promise<Record<string, string>> {
  const socket = join(tempDirectory(), 's')
  const server = systemTmux(() => '')
  onTestFinished(async () => void (await server.run(['kill-server'], socket)))
  await server.run(['-f', '/dev/null', 'new-session', '-d'], socket)
  return { TMUX: `${socket},1,0`, TMUX_PANE: '%0' }
}

const SHELLS = ['src/cli/completion', 'src/setup/completion']
const SOCKETS = ['src/system/tmux.test.ts', 'test/tmux/human.test.ts']

/** What a machine may have, or lack, and what of the tests looks at that. */
const TABLE: [what: string, env: () => object | Promise<object>, files: string[]][] = [
  ['bubblewrap, zsh and fish that do not run', () => standIns('exit 127'), SHELLS],
  ['the same, which do nothing', () => standIns('exit 0'), SHELLS],
  [
    'a zsh and a fish that are another shell',
    () => standIns('exec bash "$@"'),
    [...SHELLS, 'test/fuzz/cases.test.ts'],
  ],
  [
    'a long temporary folder and HOME',
    () => ({ TMPDIR: longFolder(), HOME: longFolder() }),
    SOCKETS,
  ],
  ['a running tmux server', insideTmux, SOCKETS],
]

test.each(TABLE)('the tests pass beside %s', async (_, env, files) => {
  const { code, stdout } = await outcome(
    spawn(RUNTIME, [RUNNER, '--lanes', 'test/runner/surroundings.lanes.mjs'], {
      cwd: ROOT,
      env: {
        ...{ PATH: process.env.PATH, HOME: tempDirectory(), XDG_CACHE_HOME: tempDirectory() },
        ...{ SURROUNDED: files.join(' '), ...(await env()) },
      },
    }),
  )
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed$/m)
  expect(stdout).not.toMatch(/^flaky: /m)
})
