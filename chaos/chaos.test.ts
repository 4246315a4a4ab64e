import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../src/testing/cli.ts'

/** Runs the command as a user does, and gives the numbers of the rows by their names. */
function chaos(...args: string[]) {
  const script = join(ROOT, 'chaos/run.mjs')
  const run = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', timeout: 110_000 })
  const lines = run.stdout.split('\n').filter((line) => line.startsWith('| '))
  const rows = lines.slice(2).map((line) => line.slice(2, -2).split(' | '))
  return { ...run, rows: Object.fromEntries(rows.map(([name, ...cells]) => [name, cells])) }
}

test('a reader that is killed at each step, and a sender at random times: nothing is lost, and the table says so', () => {
  const args = [
    '--only',
    'step: inbox',
    '--only',
    'random times: send',
    '--rounds',
    '4',
    '--seed',
    '7',
  ]
  const { status, stdout, rows } = chaos(...args)
  expect(stdout).toMatch(/\nseed 7: npm run chaos -- --seed 7 --rounds 4\n$/)
  expect(Object.keys(rows)).toEqual([
    'kill at each step: inbox',
    'kill at random times: send',
    '**all**',
  ])
  const [told, runs, messages, lost, torn, duplicated, , stuck] = rows['**all**'] ?? []
  expect(told).toBe('2 of 2 cases run, 0 broken')
  // Two steps, each with doctor first and with everyday use first; and four kills.
  expect(runs).toBe('8')
  expect(Number(messages)).toBeGreaterThan(8)
  expect([lost, torn, duplicated, stuck]).toEqual(['0', '0', '0', '0'])
  expect(status).toBe(0)
})

test('a step, a state or a case that nobody has thought of is an error, not a row of nothing', () => {
  const list = chaos('--list').stdout.trim().split('\n')
  expect(new Set(list).size).toBe(list.length)
  expect(list).toContain('kill at each step: ring')
  const none = chaos('--only', 'no such case')
  expect([none.status, none.stderr]).toEqual([
    1,
    expect.stringContaining('no case has that in its name'),
  ])
})
