import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ProcessRef, systemProcesses } from '../../src/system/processes.ts'
import type { Recording } from './recording.ts'
import { replayed } from './replay.ts'

/** Written by `npm run evidence:trust -- --record`, on the real Claude Code. */
const RECORDINGS: Recording[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
)

/** Gives what a real client has told to the built hooks: one test for each recording and each turn before. */
export function testRecordings(chosen: (recording: Recording) => boolean): void {
  // The hooks are processes: as many at once as there are cores.
  vi.setConfig({ maxConcurrency: Math.max(2, availableParallelism()) })
  const client = spawn('sleep', ['1000'], { stdio: 'ignore' })
  let agent: ProcessRef
  beforeAll(() => {
    const info = systemProcesses().find(client.pid ?? 0)
    if (!info) throw new Error('sleep did not start')
    agent = { pid: info.pid, started: info.started }
  })
  afterAll(() => {
    client.kill('SIGKILL')
  })
  const cells = RECORDINGS.filter(chosen).flatMap((recording) =>
    (recording.screen ? [true, false] : [false]).flatMap((panel) =>
      (['open', 'closed', 'none'] as const).map((before) => ({
        ...{ recording, panel, before, origin: recording.origin, size: recording.size },
        turn: recording.inside ?? '',
      })),
    ),
  )
  describe('what a real client has told, through the built hooks', () => {
    test.concurrent.each(cells)(
      '$origin $turn · $size B · panel $panel · before: $before',
      async ({ recording, panel, before }) => {
        const { whose } = recording
        const isOpen = whose === 'you' || (whose === 'client' && before === 'open')
        expect(await replayed(recording, { agent, panel, before })).toBe(isOpen ? 'pass' : 'ask')
      },
    )
  })
}
