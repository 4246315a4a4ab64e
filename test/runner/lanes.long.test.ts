// child_process: this file starts Vitest (see vitest.config.mts).
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { LANES, NEEDED, STATIC } from '../../scripts/tests/lanes.mjs'
import { leftOut, NEEDS } from '../../scripts/tests/needs.mjs'
import { ROOT } from '../../src/testing/cli.ts'

/** What `npm run bench:console` runs. */
const MEASURES = 'test/tmux/console-load.test.ts'

/** The test files that these lanes run, as Vitest finds them. */
function filesOf(lanes: { args: string[]; files?: string[] }[], leftOut = ''): string[] {
  return lanes.flatMap(({ args, files = [] }) => {
    const list = args.map((arg) => (arg === 'run' ? 'list' : arg))
    const { stdout } = spawnSync(RUNTIME, [...list, ...files, '--filesOnly'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, TEST_LEFT_OUT: leftOut },
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

test('what cannot be had is left out, and told with its reason and how many cases that are', async () => {
  const process = LANES.rest.concat(LANES.usual).filter(({ name }) => name === 'process')
  const missing = new Map([
    ['sshd', 'no package'],
    ['the conformance suite', 'no network'],
  ])
  expect(await leftOut(process, missing)).toEqual([
    'sshd: no package; 5 cases',
    'the conformance suite: no network; 1 cases',
  ])
  const ran = filesOf(process, [...missing.keys()].join(', '))
  expect(ran).not.toContain('test/links/ssh.test.ts')
  expect(ran).not.toContain('test/mcp/conformance.long.test.ts')
  expect(ran).toContain('test/links/stdio.test.ts')
})

test('every need is of some file, and a run gets what its files need', () => {
  const files = filesOf(LANES.all)
  for (const { name, isFor } of NEEDS) expect([name, files.some(isFor)]).toEqual([name, true])
  const usual = NEEDS.filter(({ isFor }) => filesOf(LANES.usual).some(isFor))
  expect(NEEDED.usual.toSorted()).toEqual(usual.map(({ name }) => name).sort())
})
