import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { outcome, ROOT } from '../../src/testing/cli.ts'
import { filesIn, tempDirectory } from '../../src/testing/home.ts'

const RUNNER = join('scripts', 'test.mjs')

/** Runs the lanes of `planted/lanes.mjs`: first these planted files, then a green one. */
async function plant(files: string, minutes = 2) {
  const directory = tempDirectory()
  const { code, stdout } = await outcome(
    spawn(RUNTIME, [RUNNER, '--lanes', 'test/runner/planted/lanes.mjs'], {
      cwd: ROOT,
      env: {
        ...{ PATH: process.env.PATH, HOME: directory, XDG_CACHE_HOME: directory },
        ...{ PLANTED: files, PLANTED_STATE: directory, PLANTED_MINUTES: String(minutes) },
      },
    }),
  )
  const lines = stdout.trimEnd().split('\n')
  const told = lines.filter((line) => /^(failed|flaky|left out|slow): /.test(line))
  const behind = lines.findLast((line) => line.startsWith('behind')) ?? ''
  return { code, stdout, counts: lines.at(-1), told, behind, cache: join(directory, 'agent-chat') }
}

const IN_VAIN = 'waited 10 ms in vain: what does not come'
const file = (name: string) => `test/runner/planted/${name}.planted.ts`
const once = (name: string) => `${file(name)} > waits in vain once: Error: ${IN_VAIN}`
const MOON = `left out: ${file('none')}: the moon is not full; 1 cases`

const TABLE: [what: string, files: string, code: number, counts: string, told: unknown[]][] = [
  ['green', 'green', 0, '2 passed, 0 failed', []],
  ['left out with its reason', 'green none', 0, '2 passed, 0 failed', [MOON]],
  [
    'always red',
    'red',
    1,
    '2 passed, 1 failed',
    [expect.stringMatching(/^failed: \S+red\.planted\.ts > is red: AssertionError: expected \[/)],
  ],
  [
    'red once by an assertion',
    'redOnce',
    1,
    '1 passed, 1 failed',
    [expect.stringMatching(/^failed: .* > is red once: AssertionError: expected true to be false/)],
  ],
  ['red once by waiting', 'waits1', 0, '2 passed, 0 failed', [`flaky: ${once('waits1')}`]],
  [
    'red once by a time-out',
    'timesOut',
    0,
    '2 passed, 0 failed',
    [`flaky: ${file('timesOut')} > has no time once: Error: Test timed out in 50ms.`],
  ],
  [
    'red once by waiting, and once by an assertion',
    'both',
    1,
    '1 passed, 2 failed',
    [expect.stringMatching(/^failed: .* > is red once: AssertionError/), `failed: ${once('both')}`],
  ],
  [
    'three that wait',
    'waits1 waits2 waits3',
    0,
    '4 passed, 0 failed',
    ['waits1', 'waits2', 'waits3'].map((name) => `flaky: ${once(name)}`),
  ],
  [
    'four that wait',
    'waits1 waits2 waits3 waits4',
    1,
    '1 passed, 4 failed',
    ['waits1', 'waits2', 'waits3', 'waits4'].map((name) => `failed: ${once(name)}`),
  ],
  ['a crash that waits', 'crash', 1, '1 passed, 1 failed', [`failed: ${once('crash')}`]],
  ['none executed', 'none', 1, '1 passed, 1 failed', ['failed: planted: executed no test', MOON]],
  [
    'a file that cannot be loaded',
    'broken',
    1,
    '1 passed, 1 failed',
    [`failed: ${file('broken')} > the whole file: Error: it cannot be loaded`],
  ],
  [
    'a group that cannot be put away',
    'after',
    1,
    '2 passed, 1 failed',
    [`failed: ${file('after')} > the whole file: Error: it cannot be put away`],
  ],
  [
    'an error that no test catches',
    'unhandled',
    1,
    '2 passed, 1 failed',
    ['failed: planted > outside of any test: Error: nobody catches this'],
  ],
]

test.concurrent.each(TABLE)('%s', async (_, files, code, counts, told) => {
  const run = await plant(files)
  expect({ ...run, told: run.told.sort() }, run.stdout).toMatchObject({ code, counts, told })
  expect(run.behind).toMatch(/^behind {15}passed/)
})

test.concurrent('a file that hangs is named, and its lane ended', async () => {
  // Its Vitest has to have begun it by then, beside others.
  const run = await plant('hangs', 0.5)
  const says = `failed: planted: ended after its limit of 0.5 minutes; at work: ${file('hangs')}`
  expect(run, run.stdout).toMatchObject({ code: 1, counts: '0 passed, 1 failed', told: [says] })
  expect(run.behind).toBe('behind               not begun')
})

test.concurrent('a runner that a signal ends is red', async () => {
  const run = await plant('killed')
  const says = `failed: planted: ended by SIGKILL; at work: ${file('killed')}`
  expect(run, run.stdout).toMatchObject({ code: 1, counts: '0 passed, 1 failed', told: [says] })
})

test.concurrent('more than ten failures end the run', async () => {
  const run = await plant('eleven')
  // Vitest has begun some more when it is told to end.
  expect(run.told.length).toBeGreaterThan(10)
  expect(run).toMatchObject({ code: 1, counts: `0 passed, ${run.told.length} failed` })
  expect(run.behind).toBe('behind               not begun')
})

test.concurrent('what failed is kept whole in the cache', async () => {
  const { cache, stdout } = await plant('red')
  const [name = ''] = filesIn(join(cache, 'test-runs'))
  const path = join(cache, 'test-runs', name)
  expect(stdout).toContain(`\nkept in ${path}\n2 passed, 1 failed\n`)
  expect(readFileSync(path, 'utf8')).toMatch(/^\+ {3}"b",$/m)
})

test('without tmux nothing is prepared', async () => {
  const directory = tempDirectory()
  const env = { PATH: directory, HOME: directory }
  const run = await outcome(spawn(RUNTIME, [RUNNER], { cwd: ROOT, env }))
  expect(run).toMatchObject({ code: 75, stdout: 'not prepared: git and tmux: not on PATH\n' })
})
