import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/testing/cli.ts'
import { filesIn, tempDirectory } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'
import { packHome, type StoredHome, unpackHome } from './stored.ts'

/** Homes that earlier versions have written, by the commit: made with `packHome()`. */
const HOMES = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.json'))

describe.each(HOMES)('a home that an earlier version has written (%s)', (file) => {
  const stored: StoredHome = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
  /** What lay at a place then: the text by the name of the file. */
  const thenIn = (place: string) =>
    Object.entries(stored.files).filter(([name]) => name.startsWith(`${place}/`))

  function world() {
    const home = join(tempDirectory(), 'home')
    unpackHome(stored, home)
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runAsOwner(args, { home })
      expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
      return stdout
    }
    const doctor = async () => {
      const { stdout } = await runCli(['doctor', '--no-ring', '--json'], { home })
      const checks: { name: string; status: string; detail: string }[] = JSON.parse(stdout).checks
      return checks.filter(({ name, status }) => name === 'leftovers' && status !== 'ok')
    }
    return { home, run, doctor }
  }

  test('a stored home is unpacked as it was packed', () => {
    const root = join(tempDirectory(), 'home')
    unpackHome(stored, root)
    const sorted = (files: object) => Object.keys(files).sort()
    expect(sorted(packHome(root, stored.version).files)).toEqual(sorted(stored.files))
  })

  test('doctor is green the second time, and no message is changed or gone', async () => {
    const { home, doctor } = world()
    await doctor()
    expect(await doctor()).toEqual([])
    const messages = thenIn('messages')
    expect(messages.length).toBeGreaterThan(10)
    for (const [name, text] of messages) expect(readFileSync(join(home, name), 'utf8')).toBe(text)
    for (const place of ['inbox', 'remote'])
      for (const [name] of thenIn(place).filter(([name]) => name.endsWith('.md')))
        expect(filesIn(join(home, name, '..'))).toContain(name.split('/').at(-1))
  })

  test('what was unread is read, once; what was held is told as held', async () => {
    const { run } = world()
    expect(await run('gate')).toMatch(/one more thing|4 messages on this chain/)
    const frontend = await run('inbox', 'frontend')
    expect(frontend).toContain('\nGET /tasks is ready\n')
    expect(frontend).toContain('\ndo not deploy\n')
    expect(frontend).not.toContain('Which fields does a task need?')
    expect(await run('inbox', 'backend')).toContain('\none more thing\n')
    expect(await run('inbox', 'docs')).toContain('\nspäter: über die Felder\nzweite Zeile\n')
    for (const name of ['frontend', 'backend', 'docs'])
      expect(await run('inbox', name, '--count')).toBe('0\n')
  })

  test('tasks are in their states; the decision, the schedule and the conversation are there', async () => {
    const { run } = world()
    const tasks = await run('tasks')
    for (const row of [
      /accepted .*move the column/,
      /done .*write the page/,
      /sent .*test it on a phone/,
    ])
      expect(tasks).toMatch(row)
    expect(await run('inbox', 'human', '--peek')).toContain('Drop the old column now?')
    await run('reply', '1', 'keep it', '--as', 'human')
    expect(await run('inbox', 'backend')).toContain('keep it')
    expect(await run('schedule')).toMatch(/^researcher\.1 .*digest of yesterday$/m)
    expect(await run('conversations', '@researcher')).toContain('what is new?')
    expect(await run('thread', String(await idOf(run, 'Which fields')))).toContain('a due date')
  })

  test('its sessions have ended with their agents; a link keeps what was queued', async () => {
    const { run } = world()
    const { sessions } = JSON.parse(await run('who', '--all', '--json'))
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['backend', 'docs', 'frontend']),
    )
    expect(sessions.filter(({ state }: { state: string }) => /busy|idle/.test(state))).toEqual([])
    expect(await run('links')).toMatch(/^a .*\b1 \(oldest/m)
  })
})

/** The id of the message that a search finds. */
async function idOf(run: (...args: string[]) => Promise<string>, words: string) {
  return JSON.parse(await run('search', words, '--json')).messages[0]?.id
}
