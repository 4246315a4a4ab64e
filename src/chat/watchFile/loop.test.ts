import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type FileWatch,
  forgetFileWatch,
  readFileWatch,
  watchKey,
  writeFileWatch,
} from '../../session/fileWatches.ts'
import { watchOneFile } from '../../system/events.ts'
import { createWaker } from '../../system/waker.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { someMessage } from '../../testing/message.ts'
import { until } from '../../testing/until.ts'
import { watchFile } from './loop.ts'
import type { Note } from './note.ts'

/** A watch in this process, at a pace for tests. `refuse` makes the next sends fail. */
async function watching(text: string) {
  const bus = tempBus(['backend', 'frontend'])
  const path = join(tempDirectory(), 'api', 'contract.md')
  mkdirSync(dirname(path))
  writeFileSync(path, text)
  const watch: FileWatch = {
    path,
    notify: 'frontend',
    from: 'backend',
    since: '',
    watcher: null,
    last: null,
  }
  writeFileWatch(bus.home, watch)
  const notes: Note[] = []
  const state = { refuse: false, refused: 0, stopped: false }
  const waker = createWaker()
  const ended = watchFile(watch, {
    bus,
    waker,
    watchOneFile,
    pace: { quietMs: 60, longestMs: 500, apartMs: 0 },
    log: () => {},
    stopped: () => state.stopped,
    send: async (_, note) => {
      if (state.refuse) {
        state.refused += 1
        return undefined
      }
      notes.push(note)
      return someMessage({ id: `id-${notes.length}` })
    },
  })
  onTestFinished(async () => {
    state.stopped = true
    waker.wake()
    await ended
  })
  await until('it watches', () => readFileWatch(bus.home, watchKey(watch))?.watcher != null)
  const note = async (count: number) => {
    await until(`note ${count}`, () => notes.length >= count)
    return notes[count - 1]?.body ?? ''
  }
  return { bus, path, watch, notes, note, state, ended }
}

describe('a watched file', () => {
  test('that is rewritten, replaced by a rename, deleted, and back is told of each time', async () => {
    const { path, note, notes } = await watching('one\n')
    writeFileSync(path, 'two\n')
    expect(await note(1)).toContain('-one\n+two\n')
    writeFileSync(`${path}.new`, 'three\n')
    renameSync(`${path}.new`, path)
    expect(await note(2)).toContain('-two\n+three\n')
    writeFileSync(`${path}.again`, 'four\n')
    renameSync(`${path}.again`, path)
    expect(await note(3)).toContain('-three\n+four\n')
    rmSync(path)
    expect(await note(4)).toContain('was deleted')
    writeFileSync(path, 'five\n')
    expect(await note(5)).toMatch(/is back: [\s\S]*-four\n\+five\n/)
    expect(notes).toHaveLength(5)
  })

  test('whose directory goes and comes again is told of', async () => {
    const { path, note } = await watching('one\n')
    renameSync(dirname(path), `${dirname(path)}-aside`)
    expect(await note(1)).toContain('was deleted')
    renameSync(`${dirname(path)}-aside`, dirname(path))
    expect(await note(2)).toContain('is back, as it was')
  })

  test('that becomes binary, then huge, is told of by its size', async () => {
    const { path, note } = await watching('one\n')
    writeFileSync(path, Buffer.from([0, 1, 2]))
    expect(await note(1)).toContain('(binary: 3 bytes, 4 before')
    writeFileSync(path, 'x'.repeat(600_000))
    expect(await note(2)).toContain('(huge: 600,000 bytes, 3 before')
  })

  test('that is written many times at once is told of once, with all of it', async () => {
    const { path, note, notes } = await watching('0\n')
    for (let at = 1; at <= 20; at += 1) {
      writeFileSync(path, `${at}\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await note(1)).toContain('-0\n+20\n')
    writeFileSync(path, 'end\n')
    expect(await note(2)).toContain('-20\n+end\n')
    expect(notes).toHaveLength(2)
  })

  test('that is the same again, or only touched, is not told of', async () => {
    const { path, note } = await watching('one\n')
    writeFileSync(path, 'two\n')
    writeFileSync(path, 'one\n')
    writeFileSync(`${path}.copy`, 'one\n')
    renameSync(`${path}.copy`, path)
    writeFileSync(path, 'last\n')
    expect(await note(1)).toContain('-one\n+last\n')
  })

  test('of which a note could not be sent is told of whole with the next', async () => {
    const { path, note, notes, state } = await watching('one\n')
    state.refuse = true
    writeFileSync(path, 'two\n')
    await until('a note is refused', () => state.refused > 0)
    writeFileSync(path, 'three\n')
    state.refuse = false
    expect(await note(1)).toMatch(/-one\n\+(two|three)\n/)
    await until('all is told', () => notes.at(-1)?.body.includes('+three\n'))
  })

  test('that is watched no more ends its watch, which does not come back', async () => {
    const { bus, path, watch, ended } = await watching('one\n')
    forgetFileWatch(bus.home, watch)
    writeFileSync(path, 'two\n')
    expect(await ended).toBe('the file is no longer watched')
    expect(readFileWatch(bus.home, watchKey(watch))).toBeUndefined()
  })

  test('ends with its home', async () => {
    const { bus, ended } = await watching('one\n')
    rmSync(bus.home.root, { recursive: true })
    expect(await ended).toBe('the home is gone')
  })
})
