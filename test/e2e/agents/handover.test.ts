import { test } from 'vitest'
import { worldForTest } from '../harness/test-world.ts'
import { handOver } from './handover.ts'

test('Claude Code hands over to Codex, whose change waits for its human, and which reports back', () =>
  handOver(worldForTest))
