import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { rotateOutput } from './launch.ts'

test('what a worker prints begins anew above 1 MB, and what was before is kept once', () => {
  const path = join(tempDirectory(), 'coder.out')
  rotateOutput(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  writeFileSync(path, 'short')
  rotateOutput(path)
  expect(readFileSync(path, 'utf8')).toBe('short')
  writeFileSync(path, 'x'.repeat(1024 * 1024 + 1))
  rotateOutput(path)
  expect(statSync(path).size).toBe(0)
  expect(statSync(`${path}.1`).size).toBe(1024 * 1024 + 1)
})
