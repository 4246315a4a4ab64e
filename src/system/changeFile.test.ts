import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesIn, tempDirectory } from '../testing/home.ts'
import { changeFile } from './changeFile.ts'
import { removeFile, replaceFileSoon } from './files.ts'
import { systemProcesses } from './processes.ts'

function world(text: string) {
  const directory = tempDirectory()
  const path = `${directory}/some.json`
  if (text !== '') writeFileSync(path, text)
  const read = () => (filesIn(directory).includes('some.json') ? readFileSync(path, 'utf8') : '')
  return {
    directory,
    path,
    read,
    file: { path, lock: `${directory}/some.lock`, processes: systemProcesses() },
  }
}

test.each([
  ['replaced', 'a', (path: string) => void replaceFileSoon(path, 'b'), 'b+'],
  ['made', '', (path: string) => void replaceFileSoon(path, 'b'), 'b+'],
  ['removed', 'a', removeFile, '+'],
  ['left', 'a', () => {}, 'a+'],
])(
  'a file that another has %s since it was read is changed as it is now',
  (_, text, meanwhile, after) => {
    const { directory, path, read, file } = world(text)
    let times = 0
    const result = changeFile(file, (replace) => {
      const before = read()
      times += 1
      // As another process does that went on without the lock.
      if (times === 1) meanwhile(path)
      replace(`${before}+`)
      return before
    })
    expect([read(), `${result}+`]).toEqual([after, after])
    expect(times).toBe(after === 'a+' ? 1 : 2)
    expect(filesIn(directory)).toEqual(['some.json'])
  },
)

test('a file that is not to be changed is left, whatever another does', () => {
  const { path, read, file } = world('a')
  expect(changeFile(file, () => void replaceFileSoon(path, 'b'))).toBeUndefined()
  expect(read()).toBe('b')
})
