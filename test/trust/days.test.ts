import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allowWorld, bash, type Call } from './allowWorld.ts'
import { DAYS, type Day, EDIT } from './days.ts'

/** What a day puts to the human, who says yes to each. */
async function asksOf({ allowed, turns }: Day): Promise<string[]> {
  const { begin, may, edit, root } = allowWorld(...allowed)
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

  test('in eight days there are at most 12', () => {
    const sum = DAYS.slice(0, 8).reduce((all, { dialogs }) => all + dialogs, 0)
    expect(sum).toBeLessThanOrEqual(12)
  })
})
