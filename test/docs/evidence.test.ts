import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAGES, STAMP } from '../../scripts/evidence.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const EVIDENCE = join(ROOT, 'docs', 'evidence')

test('npm run evidence knows every page, and no other', () => {
  const pages = readdirSync(EVIDENCE).map((file) => file.replace(/\.md$/, ''))
  expect(Object.keys(PAGES).sort()).toEqual(pages.sort())
})

test('each page is written by scripts that there are, and is of source that there is', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const rows = Object.values(PAGES)
  const named = rows.flatMap((page) => page.scripts.map((line) => line.split(' ')[0] ?? ''))
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  const places = new Set(rows.flatMap(({ of }) => of))
  expect([...places].filter((place) => !exists(place))).toEqual([])
})

test.each(Object.keys(PAGES))('%s names its commit', (name) => {
  expect(readFileSync(join(EVIDENCE, `${name}.md`), 'utf8')).toMatch(STAMP)
})

function exists(place: string): boolean {
  return readdirSync(join(ROOT, place, '..')).includes(place.split('/').at(-1) ?? '')
}
