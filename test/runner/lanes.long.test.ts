// child_process: this file starts Vitest (see vitest.config.mts).
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { LANES, STATIC } from '../../scripts/tests/lanes.mjs'
import { ROOT } from '../../src/testing/cli.ts'

/** What `npm run bench:console` runs. */
const MEASURES = 'test/tmux/console-load.test.ts'

/** The test files that these lanes run, as Vitest finds them. */
function filesOf(lanes: { args: string[]; files?: string[] }[]): string[] {
  return lanes.flatMap(({ args, files = [] }) => {
    const list = args.map((arg) => (arg === 'run' ? 'list' : arg))
    const { stdout } = spawnSync(RUNTIME, [...list, ...files, '--filesOnly'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    return stdout.split('\n').flatMap((line) => line.replace(/^\[[^\]]+\] /, '') || [])
  })
}

test('every test file is in exactly one of npm test and npm run test:rest, and both are what CI runs', () => {
  const all = ['src', 'test', 'chaos', 'bench']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.test\.(ts|mjs)$/.test(file) && file !== MEASURES)
    .sort()
  const docs = filesOf(STATIC.filter(({ name }) => name === 'docs'))
  const both = [...filesOf(LANES.usual), ...filesOf(LANES.rest)]
  expect([...docs, ...both].sort()).toEqual(all)
  expect([...docs, ...filesOf(LANES.all)].sort()).toEqual(all)
})
