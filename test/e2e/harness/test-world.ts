import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { claudeWorld, type World, type WorldOptions } from './world.ts'

const FAILURES = join(import.meta.dirname, '..', 'failures')

/**
 * A `claudeWorld` for the running test: closed when the test ends, and kept under
 * `test/e2e/failures/` where it failed.
 */
export async function worldForTest(options: WorldOptions = {}): Promise<World> {
  const world = await claudeWorld(options)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      await world.save(join(FAILURES, task.name.replace(/[^\w-]+/g, '-')))
    await world.close()
  })
  return world
}
