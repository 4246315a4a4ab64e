import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Home } from '../bus/home.ts'
import { tempHome } from '../testing/home.ts'
import { parseRings, readRings, writeRings } from './ringsFile.ts'

const at = '2026-11-21T03:39:12.123Z'
const later = '2026-11-21T03:40:00.000Z'
const rung = { by: 'tmux', at }
const ringing = { ...rung, ringing: { pid: 7, started: 'x' } }
const presented = { ...rung, presented: later }
const replaceIn = (home: Home) => (text: string) => writeFileSync(home.rings('frontend'), text)
const none = { groups: [], last: undefined, inbox: undefined }

describe('the file of the rings', () => {
  test('is read as it was written, with marks that are equal stored once', () => {
    const home = tempHome()
    const groups = [
      { mark: rung, ids: 'a b' },
      { mark: presented, ids: 'c' },
      { mark: ringing, ids: 'd' },
      { mark: { ...rung }, ids: 'e' },
      { mark: { ...presented, at: later }, ids: 'f' },
      { mark: rung, ids: '' },
    ]
    writeRings(replaceIn(home), { groups, last: presented })
    const merged = [{ mark: rung, ids: 'a b e' }, ...groups.slice(1, 3), groups[4]]
    expect(readRings(home, 'frontend')).toMatchObject({ groups: merged, last: presented })
    expect(JSON.parse(readFileSync(home.rings('frontend'), 'utf8'))).toEqual({
      '@last': presented,
      '@marks': [
        { ...rung, ids: 'a b e' },
        { ...presented, ids: 'c' },
        { ...ringing, ids: 'd' },
        { ...presented, at: later, ids: 'f' },
      ],
    })
  })

  test('is left alone where nothing would change', () => {
    const home = tempHome()
    writeRings(replaceIn(home), { groups: [{ mark: rung, ids: 'a' }], last: undefined })
    const text = readFileSync(home.rings('frontend'), 'utf8')
    writeFileSync(home.rings('frontend'), '')
    writeRings(replaceIn(home), { groups: [{ mark: rung, ids: 'a' }], last: undefined, text })
    expect(readFileSync(home.rings('frontend'), 'utf8')).toBe('')
  })

  test('of an earlier version, with a mark under each id, is read as groups', () => {
    expect(
      parseRings(
        JSON.stringify({ '@last': rung, a: rung, b: presented, c: rung, d: ringing, e: null }),
      ),
    ).toMatchObject({
      groups: [
        { mark: rung, ids: 'a c' },
        { mark: presented, ids: 'b' },
        { mark: ringing, ids: 'd' },
      ],
      last: rung,
    })
  })

  test.each([
    '',
    'x',
    '[]',
    'null',
    '7',
    '"x"',
    '{"@marks":',
    '{"@marks":{}}',
    '{"@marks":[null,7,[],"x"]}',
  ])('%j has none', (text) => {
    expect(parseRings(text)).toEqual({ ...none, text })
  })

  test.each([
    '{"by":"tmux","ids":"a"}',
    '{"by":"tmux","at":"x"}',
    '{"by":"tmux","at":"x","ids":["a"]}',
    '{"by":"tmux","at":"x","ids":""}',
  ])('%s is no mark, and those beside it stand', (group) => {
    const text = `{"@last":7,"@marks":[${group},{"by":"native","at":"y","ids":"b"}]}`
    expect(parseRings(text)).toMatchObject({
      groups: [{ mark: { by: 'native', at: 'y' }, ids: 'b' }],
      last: undefined,
    })
  })
})
