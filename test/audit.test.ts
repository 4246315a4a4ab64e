import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../src/testing/cli.ts'
import { tempDirectory } from '../src/testing/home.ts'

const SILENT = { message: '405 Method Not Allowed' }
const CLEAN = { metadata: { vulnerabilities: { total: 0 } } }
const FAULTY = {
  metadata: { vulnerabilities: { total: 1 } },
  vulnerabilities: { lib: { name: 'lib', severity: 'high', range: '<2' } },
}

/** The audit's exit code and first line, where `npm audit` answers so. */
function audit(answer: object, status: number, ...flags: string[]) {
  const directory = tempDirectory()
  const npm = join(directory, 'npm')
  writeFileSync(npm, `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\nexit ${status}\n`)
  chmodSync(npm, 0o755)
  const env = { PATH: `${directory}:${process.env.PATH}` }
  const run = spawnSync(process.execPath, [join(ROOT, 'scripts/audit.mjs'), ...flags], {
    env,
    encoding: 'utf8',
  })
  return [run.status, `${run.stdout}${run.stderr}`.split('\n')[0]]
}

test('no answer is told of, and with --strict it is a failure', () => {
  const told = 'not known: the registry gave no answer (405 Method Not Allowed)'
  expect(audit(SILENT, 1)).toEqual([0, told])
  expect(audit(SILENT, 1, '--strict')).toEqual([1, told])
})

test('an answer counts, strict or not', () => {
  for (const flags of [[], ['--strict']]) {
    expect(audit(CLEAN, 0, ...flags)).toEqual([
      0,
      'no fault of moderate weight or more is known (0 in all)',
    ])
    expect(audit(FAULTY, 1, ...flags)).toEqual([1, 'high: lib <2'])
  }
})
