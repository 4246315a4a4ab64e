import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { CODEX } from '../../src/agents/codex.ts'
import { OPENCODE } from '../../src/agents/opencode.ts'
import { DAYS, type Day, EDIT } from './days.ts'
import { bash, type Call, worldOf } from './world.ts'

/** The last two were written when nobody had run them. */
const EIGHT = DAYS.slice(0, 8)

/** What a day puts to the human, who says yes to each. */
async function asksOf({ allowed, turns }: Day, agent?: Agent, opens = false): Promise<string[]> {
  const { begin, may, edit, root } = worldOf(allowed, agent, opens)
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

  const others = [CODEX, OPENCODE].flatMap((agent) =>
    EIGHT.map((day): [string, string, Day, Agent] => [day.day, agent.title, day, agent]),
  )
  test.each(others)('%s: as many decisions in %s', async (_, __, day, agent) => {
    const asked = await asksOf(day, agent)
    expect(asked, asked.join('; ')).toHaveLength(day.dialogs)
  })

  const opened = [CODEX, OPENCODE].flatMap((agent) =>
    DAYS.filter((day) => day.opened).map((day): [string, string, Day, Agent] => [
      ...([day.day, agent.title] as [string, string]),
      ...([day, agent] as [Day, Agent]),
    ]),
  )
  test.each(opened)(
    '%s, opened at the first edit of a turn: fewer in %s',
    async (_, __, day, agent) => {
      const asked = await asksOf(day, agent, true)
      expect(asked, asked.join('; ')).toHaveLength(day.opened ?? 0)
    },
  )

  test('in eight days there are 16, and at most 12 where a turn is opened at its first edit', () => {
    const sum = (of: (day: Day) => number) => EIGHT.reduce((all, day) => all + of(day), 0)
    expect(sum(({ dialogs }) => dialogs)).toBe(16)
    expect(sum(({ dialogs, opened }) => opened ?? dialogs)).toBeLessThanOrEqual(12)
  })
})
