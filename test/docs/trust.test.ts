import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS } from '../../src/agents/agents.ts'
import { PROOFS } from '../../src/trust/turn/origins.ts'

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
const part = (text: string, title: string) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0]

describe('who spoke, as security.md says it', () => {
  const rows = (part(page('security.md'), 'Who spoke') ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2).split(' | '))

  test.each(PROOFS)('$agent from $from on', ({ agent, from, record, but }) => {
    const title = AGENTS.find(({ name }) => name === agent)?.title ?? agent
    const short = title.replace(/ (CLI|Code)$/, '')
    const row = rows.find(
      ([who = '', proof = '']) =>
        (who.includes(title) || who.includes(short)) && proof.startsWith('none') === !record,
    )
    expect(row).toBeDefined()
    if (record) expect(row?.[0]).toContain(`${from} and newer`)
    if (but) expect(row?.[1]).toContain(but.split(',')[0])
  })

  test('every agent has a row', () => {
    expect([...new Set(PROOFS.map(({ agent }) => agent))].sort()).toEqual(
      AGENTS.map(({ name }) => name).sort(),
    )
  })
})

test('whose turn a schedule or a background end begins is said in one place', () => {
  const rows = part(page('guardrails.md'), 'Whose turn it is') ?? ''
  for (const cause of ['a schedule |', 'the end of a background command', 'goes on by itself'])
    expect(rows).toContain(cause)
  expect(part(page('security.md'), 'Who spoke')).toContain('[Guardrails](guardrails.md)')
})
