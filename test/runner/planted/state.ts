import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../src/testing/until.ts'

/** Whether this file runs for the first time in this run. */
export function isFirst(file: string): boolean {
  const path = join(process.env.PLANTED_STATE ?? '', file)
  if (existsSync(path)) return false
  writeFileSync(path, '')
  return true
}

/** Waits in vain where this file runs for the first time. */
export async function waitOnce(file: string): Promise<void> {
  const first = isFirst(file)
  await until('what does not come', () => !first, 10)
}
