import { appendFileSync } from 'node:fs'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { keepRecordings } from '../../origins/record.ts'
import type { Recording } from '../../origins/recording.ts'
import { type Found, foundIn, isYours, writePage } from './page.ts'
import type { Row } from './row.ts'
import { ROWS } from './rows.ts'
import { type Cell, stageFor } from './stage.ts'

const { AGENT_CHAT_E2E_CASE: only = '', AGENT_CHAT_E2E_FOUND: path } = process.env
const IS_RECORDED = process.env.AGENT_CHAT_E2E_RECORD !== undefined

const recordings: Recording[] = []

function cellsOf({ sizes = [0], after = ['open', 'closed'], noScreen }: Row): Cell[] {
  const panels = noScreen ? [false] : [true, false]
  return sizes.flatMap((size) =>
    after.flatMap((before) => panels.map((panel) => ({ size, before, panel }))),
  )
}

/** What is recorded with one turn before, is replayed with each. */
function isKept(row: Row, cell: Cell): boolean {
  const [first] = cellsOf(row)
  return cell.panel === first?.panel && (row.inside === true || cell.before === first.before)
}

const rows = ROWS.filter(({ name }) => new RegExp(only).test(name))
const cells = rows.flatMap((row) =>
  cellsOf(row)
    .filter((cell) => !IS_RECORDED || isKept(row, cell))
    .map((cell) => ({ row, cell, name: row.name, ...cell })),
)

describe('whose turn it is', () => {
  test.each(cells)(
    '$name · $size B · panel $panel · before: $before',
    async ({ row, cell: { size, panel, before } }) => {
      const cell = { row: row.name, whose: row.whose, size, panel, before }
      let outcome: Found['outcome'] = 'not played'
      onTestFinished(() => {
        if (path) appendFileSync(path, `${JSON.stringify({ ...cell, outcome } satisfies Found)}\n`)
      })
      const stage = await stageFor({ size, panel, before })
      outcome = await row.play(stage)
      if (IS_RECORDED) {
        const inside = row.inside && before !== 'none' ? { inside: before } : {}
        const facts = { origin: row.name, whose: row.whose, size, screen: !row.noScreen, ...inside }
        recordings.push(stage.recorder.take(facts))
        keepRecordings(recordings)
      }
      expect(outcome).toBe(isYours(cell) ? 'open' : 'closed')
    },
  )
})

// Several of these run side by side: the last writes what all have found.
afterAll(async () => {
  const part = process.env.AGENT_CHAT_E2E_WRITE
  if (path && (part === 'alone' || part === 'busy')) await writePage(foundIn(path), part)
})
