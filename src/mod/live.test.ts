import { beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from './engine.ts'

const HOME = '/home/agent-chat'
const NOW = {
  name: 'frontend',
  unread: 0,
  latest: [],
  needs: [] as unknown[],
  questions: [],
  tells: true,
}

beforeEach(() => vi.resetModules())

/** A client with a home of so many files: what the mod runs, draws and announces. */
async function client(answer: Record<string, unknown> = NOW) {
  const times = new Map([
    [`${HOME}/sessions.json`, 1],
    [`${HOME}/history.log`, 1],
    [`${HOME}/rooms/7.json`, 1],
  ])
  const seen = { ran: [] as string[][], stats: 0, view: {} as { name?: unknown }, toasts: [''] }
  const told = { exitCode: 0, answer: { home: HOME, pid: 7, ...answer } as unknown }
  let tick = () => {}
  const $ = {
    plugin: { root: '/plugins/room' },
    ui: { toast: (text: string) => seen.toasts.push(text) },
    fs: {
      exists: async (path: string) => times.has(path),
      stat: async (path: string) => {
        seen.stats += 1
        if (!times.has(path)) throw new Error('ENOENT')
        return { mtimeMs: times.get(path) }
      },
    },
    process: {
      run: async (argv: string[]) => {
        seen.ran.push(argv.slice(1))
        return { exitCode: told.exitCode, stdout: JSON.stringify(told.answer), stderr: '' }
      },
    },
    clock: { now: async () => 0, every: (_: number, work: () => void) => (tick = work) },
    command: { register: async () => undefined },
    session: { version: async () => ({ version: '2.1.329' }) },
    state: { set: async (_: unknown, view: object) => (seen.view = view) },
  } as unknown as Engine
  const { begin } = await import('./live.ts')
  await begin($, { isInteractive: true })
  const pass = async (ticks: number) => {
    for (let at = 0; at < ticks; at++) {
      tick()
      await new Promise(setImmediate)
    }
  }
  await pass(1)
  const change = (file: string) => {
    const path = `${HOME}/${file}`
    times.set(path, (times.get(path) ?? 1) + 1)
  }
  return { seen, told, times, pass, change }
}

test('a quiet home costs one look at two files a second, and no process', async () => {
  const { seen, pass, change } = await client()
  expect(seen.ran[0]).toEqual(['room', 'look', '--begin', '2.1.329'])
  const [ran, stats] = [seen.ran.length, seen.stats]
  await pass(60)
  expect(seen.ran.length).toBe(ran)
  expect(seen.stats - stats).toBeLessThanOrEqual(135)
  change('sessions.json')
  change('history.log')
  await pass(2)
  expect(seen.ran.slice(ran)).toEqual([['room', 'look']])
})

test('a home that goes shows nothing and starts nothing; one that comes back is noted again', async () => {
  const { seen, told, times, pass, change } = await client()
  const files = [...times]
  times.clear()
  told.exitCode = 2
  await pass(3)
  expect(seen.view.name).toBeNull()
  await pass(40)
  const ran = seen.ran.length
  await pass(90)
  expect(seen.ran.length).toBe(ran)
  for (const [path, time] of files) if (!path.includes('rooms')) times.set(path, time)
  change('history.log')
  told.exitCode = 0
  await pass(2)
  expect(seen.view.name).toBe('frontend')
  expect(seen.ran.at(-1)).toContain('--begin')
})

test('a look that failed is made again, and what was shown stays', async () => {
  const { seen, told, pass, change } = await client()
  told.exitCode = 1
  change('sessions.json')
  change('history.log')
  await pass(2)
  expect(seen.view.name).toBe('frontend')
  const ran = seen.ran.length
  told.exitCode = 0
  await pass(60)
  expect(seen.ran.length).toBe(ran + 1)
})

test('the list of who needs you is another: it is looked at within two seconds', async () => {
  const { seen, times, pass, change } = await client()
  times.set(`${HOME}/pids/@watcher.line`, 1)
  await pass(2)
  const ran = seen.ran.length
  change('pids/@watcher.line')
  await pass(2)
  expect(seen.ran.slice(ran)).toEqual([['room', 'look']])
})

test('a question that is new is announced once, where the command line says so', async () => {
  const { seen, told, pass, change } = await client()
  const asked = async (needs: object[], tells: boolean) => {
    told.answer = { ...NOW, home: HOME, pid: 7, needs, tells }
    change('sessions.json')
    change('history.log')
    await pass(2)
  }
  const question = (key: string) => ({
    ...{ type: 'question', key, id: key, at: '', from: 'backend', title: key, options: [] },
  })
  const dialog = { type: 'permission', key: 'x', name: 'docs', at: '', why: 'so', answer: '' }
  const [one, two] = [question('one'), question('two')]
  await asked([one], true)
  await asked([one, two], false)
  await asked([one, two], true)
  // The watcher tells of that, wherever the person is.
  await asked([one, two, dialog], true)
  expect(seen.toasts).toEqual(['', '@backend asks you: one'])
})
