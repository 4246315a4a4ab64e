import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFs, fillDisk } from '../testing/fsCalls.ts'
import { filesIn, tempDirectory } from '../testing/home.ts'
import {
  appendLine,
  makeDirectory,
  readPlainFile,
  replaceFile,
  replaceFileSoon,
  rewriteEmpty,
  writeNewFile,
} from './files.ts'
import { linesFromEnd } from './lines.ts'
import { logLine } from './log.ts'
import { beginFile } from './newFile.ts'

describe('a file', () => {
  test('that is new must not exist yet, and only this user can read it', () => {
    const path = `${tempDirectory()}/file`
    writeNewFile(path, 'one')
    expect(() => writeNewFile(path, 'two')).toThrow('EEXIST')
    expect(readFileSync(path, 'utf8')).toBe('one')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('that is replaced is whole before and after, and leaves no other behind', () => {
    const directory = tempDirectory()
    const path = `${directory}/file`
    for (const replace of [replaceFile, replaceFileSoon])
      for (const text of ['one', 'a longer second text', '']) {
        replace(path, text)
        expect(readFileSync(path, 'utf8')).toBe(text)
        expect(statSync(path).mode & 0o777).toBe(0o600)
      }
    let during = 'not called'
    replaceFile(path, 'new', () => {
      during = readFileSync(path, 'utf8')
    })
    expect(during).toBe('')
    expect(filesIn(directory)).toEqual(['file'])
  })

  test('that cannot be written is not half there, under any name', () => {
    const directory = tempDirectory()
    writeFileSync(`${directory}/file`, 'before')
    fillDisk()
    for (const write of [writeNewFile, replaceFile, replaceFileSoon])
      for (const name of ['file', 'new'])
        expect(() => write(`${directory}/${name}`, 'text')).toThrow(/ENOSPC|EEXIST/)
    expect(filesIn(directory)).toEqual(['file'])
    expect(readFileSync(`${directory}/file`, 'utf8')).toBe('before')
  })

  test('that cannot have its name leaves no other behind', () => {
    const directory = tempDirectory()
    mkdirSync(`${directory}/taken`)
    for (const replace of [replaceFile, replaceFileSoon])
      expect(() => replace(`${directory}/taken`, 'text')).toThrow(/EISDIR|EEXIST|ENOTEMPTY/)
    expect(filesIn(directory)).toEqual([])
  })

  test('that was written piece by piece has its name on the disk when it is finished', () => {
    const directory = tempDirectory()
    const file = beginFile(`${directory}/file`)
    file.write('text')
    const opened = countFs('openSync')
    file.finish()
    expect(opened).toEqual([{ name: 'openSync', path: directory }])
    expect(filesIn(directory)).toEqual(['file'])
  })

  test('that is read is a plain file, and not too long', () => {
    const directory = tempDirectory()
    writeFileSync(`${directory}/file`, 'text')
    symlinkSync('file', `${directory}/link`)
    mkdirSync(`${directory}/directory`)
    expect(spawnSync('mkfifo', [`${directory}/pipe`]).status).toBe(0)
    const read = (name: string, max = 4) => String(readPlainFile(`${directory}/${name}`, max))
    expect(read('file')).toBe('text')
    expect(read('file', 3)).toBe('too long')
    expect(read('none')).toBe('undefined')
    for (const name of ['link', 'directory', 'pipe']) expect(read(name)).toBe('not a file')
  })
})

describe('a directory', () => {
  test('is made with those above it, for this user alone, and may be there already', () => {
    const path = tempDirectory()
    for (let count = 0; count < 2; count += 1) makeDirectory(`${path}/a/b/c`)
    for (const made of ['a', 'a/b', 'a/b/c'])
      expect(statSync(`${path}/${made}`).mode & 0o777).toBe(0o700)
  })

  test('is not made through a file, nor where nothing can be', () => {
    const path = tempDirectory()
    writeFileSync(`${path}/file`, '')
    expect(() => makeDirectory(`${path}/file`)).toThrow('EEXIST')
    expect(() => makeDirectory(`${path}/file/below`)).toThrow('ENOTDIR')
    expect(() => makeDirectory('/proc/agent-chat/below')).toThrow(/ENOENT|EROFS|ENOTDIR/)
  })
})

describe('lines', () => {
  test('a line that an earlier crash left open is closed before the next', () => {
    const path = `${tempDirectory()}/log`
    appendLine(path, 'one')
    appendFileSync(path, 'torn')
    appendLine(path, 'two')
    expect(readFileSync(path, 'utf8')).toBe('one\ntorn\ntwo\n')
  })

  test('are read from the end as they stand, whatever their length', () => {
    const path = `${tempDirectory()}/log`
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\n', '')),
      fc.integer({ min: 65_530, max: 65_540 }).map((length) => 'é'.repeat(length)),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), (lines, open) => {
        writeFileSync(path, lines.join('\n') + (open ? '' : '\n'))
        expect([...linesFromEnd(path)]).toEqual(lines.filter((text) => text !== '').reverse())
      }),
      { numRuns: 60 },
    )
  })

  test('are read no further than asked', () => {
    const path = `${tempDirectory()}/log`
    writeFileSync(path, `${'x'.repeat(99)}\n`.repeat(100_000))
    const lines = linesFromEnd(path)
    expect(lines.next().value).toBe('x'.repeat(99))
    writeFileSync(path, '')
    let left = 0
    for (const _ of lines) left += 1
    // The rest of the one chunk that was read: 64 KiB of lines of 100 bytes.
    expect(left).toBeLessThan(700)
  })

  test('of a log stay within its bounds', () => {
    const directory = tempDirectory()
    const path = `${directory}/logs/watcher.log`
    for (let count = 0; count < 400; count += 1) logLine(path, `${'x'.repeat(1000)}\n${count}`)
    expect(filesIn(`${directory}/logs`)).toEqual(['watcher.log', 'watcher.log.1'])
    for (const file of filesIn(`${directory}/logs`))
      expect(statSync(`${directory}/logs/${file}`).size).toBeLessThan(140_000)
    expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z x+ \d+\n/)
    expect(readFileSync(path, 'utf8')).toMatch(/ 399\n$/)
    expect(() => logLine('/proc/none/log', 'text')).not.toThrow()
  })
})

test('an empty file that is rewritten has a new time, and is as empty as before', () => {
  const path = `${tempDirectory()}/ring`
  const first = rewriteEmpty(path)
  expect(statSync(path)).toMatchObject({ size: 0, mtimeMs: first, mode: 0o100600 })
  utimesSync(path, 0, 0)
  expect(rewriteEmpty(path)).toBeGreaterThanOrEqual(first)
  expect(statSync(path).size).toBe(0)
})
