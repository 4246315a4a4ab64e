import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { filledHandover, handoverGaps, handoverTemplate } from './handover.ts'

const FULL = `## Handover from backend

**What changed:**
- paging

**Files affected:**
- src/list.ts

**What you need to do:**
- call it with ?page=2

**Schema/Contract details (if applicable):**
- page: number

**Breaking changes:**
- none
`

describe('the template', () => {
  test('is the format that the skill teaches', () => {
    const skill = readFileSync(`${import.meta.dirname}/../../skills/agent-chat/SKILL.md`, 'utf8')
    expect(skill).toContain(`\`\`\`\n${handoverTemplate('[your-session-name]')}\`\`\`\n`)
  })

  test.each([
    ['as it was', (text: string) => text],
    ['empty', () => ''],
    ['with blank lines added', (text: string) => `\n\n${text}\n\n`],
    ['with every hint removed', (text: string) => text.replaceAll(/^- .*$/gm, '')],
    ['with bare bullets', (text: string) => text.replaceAll(/^- .*$/gm, '- ')],
    ['with nothing but its title', (text: string) => text.split('\n')[0] ?? ''],
  ])('%s says nothing', (_, change) => {
    expect(filledHandover(change(handoverTemplate('backend')), 'backend')).toBeUndefined()
  })

  test('filled in a part alone keeps that part, and loses the others', () => {
    const text = handoverTemplate('backend').replace(
      '- Clear action items for the recipient',
      '- call it\n\n  twice',
    )
    expect(filledHandover(text, 'backend')).toBe(
      '## Handover from backend\n\n**What you need to do:**\n- call it\n\n  twice',
    )
  })

  test('filled in whole is kept to the byte, but for blank ends', () => {
    expect(filledHandover(FULL, 'backend')).toBe(FULL.trim())
  })

  test('that was replaced by words of one’s own is those words', () => {
    expect(filledHandover('All is done.\n', 'backend')).toBe('All is done.')
  })
})

describe('what a handover lacks', () => {
  test('is nothing in a whole one, and the details of a contract may be left out', () => {
    expect(handoverGaps(FULL)).toEqual({ missing: [], empty: [] })
    const without = FULL.replace(/\*\*Schema[^*]*\*\*\n- page: number\n\n/, '')
    expect(without).not.toContain('Schema')
    expect(handoverGaps(without)).toEqual({ missing: [], empty: [] })
  })

  test('is every part of plain words', () => {
    expect(handoverGaps('done')).toEqual({
      missing: ['What changed', 'Files affected', 'What you need to do', 'Breaking changes'],
      empty: [],
    })
  })

  test.each([
    '**Breaking changes:**',
    '### Breaking changes',
    '**Breaking changes**:',
    'breaking changes:',
    '__BREAKING CHANGES__',
  ])('sees %s as a heading, here with nothing below', (heading) => {
    expect(handoverGaps(FULL.replace('**Breaking changes:**\n- none', `${heading}\n- `))).toEqual({
      missing: [],
      empty: ['Breaking changes'],
    })
  })

  test('counts what stands on the line of a heading', () => {
    expect(
      handoverGaps(FULL.replace('**Breaking changes:**\n- none', '**Breaking changes:** none')),
    ).toEqual({
      missing: [],
      empty: [],
    })
  })

  test('takes a sentence and a line of code for no heading', () => {
    const text = 'What changed is a lot.\n```\n**Files affected:**\n```\n'
    expect(handoverGaps(text).missing).toContain('What changed')
    expect(handoverGaps(text).missing).toContain('Files affected')
  })
})
