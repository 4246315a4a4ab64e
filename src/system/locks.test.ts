import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isCoded } from '../errors.ts'
import { countFs, interceptFs } from '../testing/fsCalls.ts'
import { filesIn, tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { withLock } from './lock.ts'
import { holderOf, tryPidLock } from './pidlock.ts'
import { systemProcesses } from './processes.ts'

const processes = systemProcesses()

/** A process of its own, and a way to end it that waits until it has. */
async function somebody() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  await once(child, 'spawn')
  const exit = once(child, 'exit')
  const info = processes.find(child.pid ?? 0)
  if (!info) throw new Error('it is not there')
  const end = async () => {
    child.kill('SIGKILL')
    await exit
  }
  return { ref: { pid: info.pid, started: info.started }, end }
}

describe('a lock that names its holder', () => {
  test('is had once, and again when it is given back', () => {
    const path = `${tempDirectory()}/lock`
    const lock = tryPidLock(path, processes)
    expect(typeof lock).toBe('function')
    expect(tryPidLock(path, processes)).toEqual(processes.self())
    if (typeof lock === 'function') lock()
    expect(existsSync(path)).toBe(false)
    expect(typeof tryPidLock(path, processes)).toBe('function')
  })

  test('is kept by a holder that lives, and taken over at once from one that was killed', async () => {
    const directory = tempDirectory()
    const path = `${directory}/lock`
    const { ref, end } = await somebody()
    writeFileSync(path, JSON.stringify(ref))
    expect(tryPidLock(path, processes)).toEqual(ref)
    await end()
    expect(typeof tryPidLock(path, processes)).toBe('function')
    expect(holderOf(path)).toEqual(processes.self())
    expect(filesIn(directory)).toEqual(['lock'])
  })

  test("is no stranger's because that has the pid of a dead holder", () => {
    const path = `${tempDirectory()}/lock`
    writeFileSync(path, JSON.stringify({ pid: process.ppid, started: 'before' }))
    expect(typeof tryPidLock(path, processes)).toBe('function')
  })

  test.each(['', 'x', '{}', '{"pid":"1"}', '\0'])('a file that says %j holds nobody up', (text) => {
    const path = `${tempDirectory()}/lock`
    writeFileSync(path, text)
    utimesSync(path, new Date(0), new Date(0))
    expect(typeof tryPidLock(path, processes)).toBe('function')
  })

  test('a file that has only just been made and says nothing is not asked again and again', () => {
    const path = `${tempDirectory()}/lock`
    writeFileSync(path, '')
    const calls = countFs('openSync', 'readFileSync', 'writeFileSync')
    expect(typeof tryPidLock(path, processes)).toBe('function')
    expect(calls.length).toBeLessThan(20)
  })

  test('names its holder from the first moment on', () => {
    const directory = tempDirectory()
    const seen: string[] = []
    interceptFs(['linkSync'], (_, real) => {
      seen.push(...filesIn(directory))
      return real()
    })
    tryPidLock(`${directory}/lock`, processes)
    expect(seen).toEqual([`lock.${process.pid}.tmp`])
    expect(filesIn(directory)).toEqual(['lock'])
  })

  test('is had once on a disk without hard links too', () => {
    interceptFs(['linkSync'], () => {
      throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })
    })
    const directory = tempDirectory()
    const path = `${directory}/lock`
    const lock = tryPidLock(path, processes)
    expect(tryPidLock(path, processes)).toEqual(processes.self())
    expect(filesIn(directory)).toEqual(['lock'])
    if (typeof lock === 'function') lock()
    expect(filesIn(directory)).toEqual([])
  })

  test('that was taken over by another is not given back by the first', async () => {
    const path = `${tempDirectory()}/lock`
    const lock = tryPidLock(path, processes)
    const { ref, end } = await somebody()
    writeFileSync(path, JSON.stringify(ref))
    if (typeof lock === 'function') lock()
    expect(holderOf(path)).toEqual(ref)
    await end()
  })

  test('that another has taken over in the meantime is not touched', async () => {
    const directory = tempDirectory()
    const path = `${directory}/lock`
    const dead = { pid: process.ppid, started: 'before' }
    const { ref, end } = await somebody()
    let taken: number | undefined
    // Between the look at the holder and what follows from it, another is first.
    const isAlive: typeof processes.isAlive = (asked) => {
      if (asked.started === dead.started && taken === undefined) {
        rmSync(path)
        writeFileSync(path, JSON.stringify(ref))
        taken = statSync(path).ino
      }
      return processes.isAlive(asked)
    }
    writeFileSync(path, JSON.stringify(dead))
    expect(tryPidLock(path, { ...processes, isAlive })).toEqual(ref)
    expect(statSync(path).ino).toBe(taken)
    expect(filesIn(directory)).toEqual(['lock'])
    await end()
  })

  test('of a dead holder is taken over by one at a time; who was killed at that holds nobody up', async () => {
    const directory = tempDirectory()
    const path = `${directory}/lock`
    writeFileSync(path, JSON.stringify({ pid: process.ppid, started: 'before' }))
    const { ref, end } = await somebody()
    writeFileSync(`${path}.stale`, JSON.stringify(ref))
    expect(tryPidLock(path, processes)).toEqual(ref)
    await end()
    expect(typeof tryPidLock(path, processes)).toBe('function')
    expect(filesIn(directory)).toEqual(['lock'])
  })

  test('leaves nothing behind where it cannot be taken', () => {
    const directory = tempDirectory()
    expect(() => tryPidLock(`${directory}/none/lock`, processes)).toThrow('ENOENT')
    mkdirSync(`${directory}/lock`)
    expect(() => tryPidLock(`${directory}/lock`, processes)).toThrow()
    expect(filesIn(directory)).toEqual([])
  })
})

describe('the lock of the registry', () => {
  test('lets one in at a time', async () => {
    const path = `${tempDirectory()}/sub/file`
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
    }
    await Promise.all(Array.from({ length: 10 }, () => withLock(path, work)))
    expect(most).toBe(1)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('is given back when the work fails', async () => {
    const path = `${tempDirectory()}/file`
    await expect(withLock(path, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(await withLock(path, () => 'again')).toBe('again')
  })

  test('is taken from a holder that has not been heard of for long', async () => {
    const path = `${tempDirectory()}/file`
    mkdirSync(`${path}.lock`)
    utimesSync(`${path}.lock`, new Date(0), new Date(0))
    expect(await withLock(path, () => 'mine')).toBe('mine')
  })

  test('is taken from one that was killed before the clock was set back', async () => {
    const path = `${tempDirectory()}/sessions.json`
    mkdirSync(`${path}.lock`)
    const inAnHour = new Date(Date.now() + 3_600_000)
    utimesSync(`${path}.lock`, inAnHour, inAnHour)
    expect(await withLock(path, () => 'mine')).toBe('mine')
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('is taken over by one at a time, however many wait for it', async () => {
    const path = `${tempDirectory()}/file`
    let inside = 0
    const work = async () => {
      inside += 1
      const alone = inside === 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      inside -= 1
      return alone
    }
    for (let round = 0; round < 20; round += 1) {
      mkdirSync(`${path}.lock`)
      utimesSync(`${path}.lock`, new Date(0), new Date(0))
      const alone = await Promise.all(Array.from({ length: 4 }, () => withLock(path, work)))
      expect(alone).toEqual([true, true, true, true])
    }
    expect(existsSync(`${path}.lock`)).toBe(false)
    expect(existsSync(`${path}.lock.stale`)).toBe(false)
  })

  test('that vanishes while it is held ends no process', async () => {
    const path = `${tempDirectory()}/file`
    const result = await withLock(path, async () => {
      rmSync(`${path}.lock`, { recursive: true })
      return 'done'
    })
    expect(result).toBe('done')
  })

  test('on a place that cannot be written is not waited for', async () => {
    const path = `${tempDirectory()}/file`
    writeFileSync(path, '')
    try {
      await withLock(`${path}/below/sessions.json`, () => expect.unreachable())
      expect.unreachable()
    } catch (error) {
      expect(isCoded(error)).toBe(false)
      expect(String(error)).toMatch(/ENOTDIR|EEXIST/)
    }
  })
})

describe('processes', () => {
  test('this one is there, with its parent; one that ended is not', async () => {
    const self = processes.self()
    expect(self.pid).toBe(process.pid)
    expect(processes.isAlive(self)).toBe(true)
    expect(processes.find(process.pid)).toMatchObject({ ...self, parent: process.ppid })
    const { ref, end } = await somebody()
    expect(processes.isAlive(ref)).toBe(true)
    expect(processes.all().some(({ pid }) => pid === ref.pid)).toBe(true)
    await end()
    expect(processes.isAlive(ref)).toBe(false)
    expect(processes.signal(ref, 'SIGKILL')).toBe(false)
  })

  test('a pid in the hands of another process is never signalled', async () => {
    const { ref, end } = await somebody()
    expect(processes.signal({ ...ref, started: 'at another time' }, 'SIGKILL')).toBe(false)
    expect(processes.isAlive(ref)).toBe(true)
    expect(processes.signal(ref, 'SIGKILL')).toBe(true)
    await until('it is gone', () => !processes.isAlive(ref))
    await end()
  })

  test('one that ended but was not waited for counts as gone', async () => {
    // The shell starts a child, tells its pid, and becomes a program that never waits for it.
    const child = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec tail -f /dev/null'])
    const [line] = await once(child.stdout, 'data')
    const pid = Number(String(line))
    await until(
      'the shell is another program',
      () => processes.find(child.pid ?? 0)?.command === 'tail',
    )
    process.kill(pid, 'SIGKILL')
    await until('it ended', () => processes.find(pid) === undefined)
    if (existsSync('/proc')) expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})
