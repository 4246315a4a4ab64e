import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changesOf, pairsIn, parsePatch, skeletonOf, withChanges } from './patches.mjs'

const RUN = join(import.meta.dirname, 'run.mjs')

/** @param {string[]} args */
const run = (...args) => spawnSync(process.execPath, [RUN, ...args], { encoding: 'utf8' })

test('every conflict of our own data set is told, and no other pair is disturbed', () => {
  const { stdout, status, stderr } = run('--client', 'none', '--json')
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    ...{ pairs: 9, conflicts: 4, told: 4, harmless: 5, undisturbed: 5, lost: 0, repeated: 0 },
    ms_per_edit: expect.any(Number),
  })
  expect(status).toBe(0)
})

test('of four sessions that claim at the same moment, one has it', () => {
  const { stdout, status, stderr } = run('--races', '20', '--json')
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ races: 20, one: 20, other: 0 })
  expect(status).toBe(0)
})

test.each([
  ['--races', 'x'],
  ['--pairs', 'x'],
  ['--client', 'other'],
  ['--dataset', '/nowhere'],
])('%s %s is told as an error', (...args) => {
  const { status, stderr } = run(...args)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^.+\n$/)
})

test('pairs are those of one task, with the verdict of the report where there is one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-chat-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const source = join(import.meta.dirname, 'own')
  spawnSync('cp', ['-r', join(source, 'dataset'), folder])
  const row = { repo: 'shop_task', task_id: 1, f1: 2, f2: 1, has_conflict: false }
  writeFileSync(
    join(folder, 'dataset', 'gold_conflict_report.json'),
    JSON.stringify({ all_results: [row] }),
  )
  expect(pairsIn(folder)).toHaveLength(9)
  expect(pairsIn(folder).find(({ id }) => id === 'shop_task/task1 1+2')?.conflict).toBe(false)
  expect(pairsIn(source).every(({ conflict }) => conflict === undefined)).toBe(true)
})

test('a patch is read as git writes it, also where it names a file twice', () => {
  const patch = [
    'diff --git a/x b/x',
    ...['--- a/x', '+++ b/x', '@@ -10,2 +10,3 @@ f', ' a', '+b', ' c'],
    'diff --git a/x b/x',
    ...['--- a/x', '+++ b/x', '@@ -2,3 +2,2 @@', ' d', '-e', ' f', ''],
  ].join('\n')
  const [file, ...more] = parsePatch(patch)
  expect(more).toEqual([])
  const lines = skeletonOf([file])
  expect(lines.slice(0, 5)).toEqual(['(line 1)', 'd', 'e', 'f', '(line 5)'])
  const changes = file ? changesOf(file) : []
  expect(changes).toEqual([
    { start: 2, end: 3, lines: [] },
    { start: 10, end: 10, lines: ['b'] },
  ])
  expect(withChanges(lines, changes).slice(7)).toEqual(['(line 9)', 'a', 'b', 'c'])
})
