import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { hintOnChanges, type Place } from './hints.ts'

/** How often something has changed in these places. */
function counted(places: Place[]) {
  const seen = { count: 0, close: () => {} }
  seen.close = hintOnChanges(places, () => {
    seen.count += 1
  })
  onTestFinished(seen.close)
  return seen
}

test.each([
  ['a new file', (path: string) => writeFileSync(`${path}/new`, 'x')],
  ['a file that is linked in', (path: string) => linkSync(`${path}/old`, `${path}/link`)],
  ['a file that is replaced', (path: string) => renameSync(`${path}/old`, `${path}/other`)],
  ['a file that is written to', (path: string) => writeFileSync(`${path}/old`, 'more')],
  ['a file that is removed', (path: string) => rmSync(`${path}/old`)],
])('%s is told', async (_, change) => {
  const directory = tempDirectory()
  writeFileSync(`${directory}/old`, '')
  const seen = counted([{ directory }])
  change(directory)
  await until('the change to be told', () => seen.count > 0)
})

test('only the names that matter are told, of every place', async () => {
  const [one, two] = [tempDirectory(), tempDirectory()]
  const names: string[] = []
  const isOf = (file: string) => {
    names.push(file)
    return file === 'mine'
  }
  const seen = counted([
    { directory: one, isOf },
    { directory: two, isOf },
  ])
  for (const path of [`${one}/other`, `${two}/other`, `${two}/mine`, `${one}/mine`])
    writeFileSync(path, '')
  await until(
    'the last change to be seen',
    () => names.filter((name) => name === 'mine').length >= 2,
  )
  expect(names).toContain('other')
  expect(seen.count).toBe(names.filter((name) => name === 'mine').length)
})

test('a place that is not there, or is no directory, tells nothing and keeps nobody from the others', async () => {
  const directory = tempDirectory()
  mkdirSync(`${directory}/there`)
  const seen = counted([{ directory: `${directory}/nowhere` }, { directory: `${directory}/there` }])
  writeFileSync(`${directory}/there/new`, '')
  await until('the change to be told', () => seen.count > 0)
  expect(() => seen.close()).not.toThrow()
})
