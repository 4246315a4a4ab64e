import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { CODEX } from '../../src/agents/codex.ts'
import { OPENCODE } from '../../src/agents/opencode.ts'
import { DAYS, type Day, EDIT } from './days.ts'
import { bash, type Call, worldOf } from './world.ts'

/** What a day puts to the human, who says yes to each. */
async function asksOf({ allowed, turns }: Day, agent?: Agent): Promise<string[]> {
  const { begin, may, edit, root } = worldOf(allowed, agent)
  mkdirSync(join(root, 'tests'))
  const callOf = (line: string): Call =>
    line.startsWith(EDIT)
      ? edit(line.slice(EDIT.length))
      : line.startsWith('mcp__')
        ? [line, {}]
        : bash(line)
  const asked: string[] = []
  for (const lines of turns) {
    begin()
    for (const line of lines) if ((await may(callOf(line))) === 'ask') asked.push(line)
  }
  return asked
}

describe('dialogs of days in which messages began every turn', () => {
  test.each(DAYS)('$day: $dialogs', async (day) => {
    expect(day.allowed.length).toBeLessThanOrEqual(8)
    const asked = await asksOf(day)
    expect(asked, asked.join('; ')).toHaveLength(day.dialogs)
  })

  test.each([CODEX, OPENCODE])('as many decisions in $title', async (agent) => {
    for (const day of DAYS) {
      const asked = await asksOf(day, agent)
      expect([day.day, asked, asked.length]).toEqual([day.day, asked, day.dialogs])
    }
  })

  test('in eight days there are at most 12', () => {
    const sum = DAYS.slice(0, 8).reduce((all, { dialogs }) => all + dialogs, 0)
    expect(sum).toBeLessThanOrEqual(12)
  })
})
