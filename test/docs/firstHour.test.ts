import { describe, expect, test } from 'vitest'
import { linesOf, PAGES } from '../../scripts/firstHour/pages.mjs'

describe.each(PAGES)('$page', ({ page, lines }) => {
  test('npm run first-hour types each of its lines, in order, or says why not', () =>
    expect(Object.keys(lines)).toEqual(linesOf(page)))

  test('most of them are typed', () => {
    const left = Object.values(lines).filter((line) => line.left !== undefined)
    expect(left.length).toBeLessThan(linesOf(page).length / 3)
  })
})
