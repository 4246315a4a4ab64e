import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { putMark } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { noteLineage } from '../../chat/watchFile/lineage.ts'
import { checkWatched } from '../../doctor/watched.ts'
import { type FileWatch, fileWatches, writeFileWatch } from '../../session/fileWatches.ts'
import { outcome, runCli, startCli } from '../../testing/cli.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'

function world() {
  const bus = tempBus(['backend', 'frontend'])
  const directory = tempDirectory()
  const path = join(directory, 'contract.md')
  writeFileSync(path, 'one\n')
  onTestFinished(() => {
    for (const { watcher } of fileWatches(bus.home))
      if (watcher) bus.processes.signal(watcher, 'SIGKILL')
  })
  const run = (...args: string[]) =>
    runCli(['watch-file', ...args], {
      home: bus.home.root,
      env: { AGENT_CHAT_NAME: 'backend' },
      cwd: directory,
    })
  return { bus, directory, path, run }
}

const listed = async (run: ReturnType<typeof world>['run']) =>
  JSON.parse((await run('--list', '--json')).stdout).watches

describe('watch-file', () => {
  test('watches in the background, tells with a diff, is listed, and is removed with its process', async () => {
    const { bus, path, run } = world()
    expect(await run('contract.md', '--notify', '@frontend')).toMatchObject({
      code: 0,
      stdout: `watching ${path}: a note goes to @frontend when it has changed\n`,
      stderr: '',
    })
    expect(await listed(run)).toMatchObject([
      { path, notify: 'frontend', from: 'backend', alive: true, last: null },
    ])
    expect((await run(path, '--notify', 'frontend')).stdout).toMatch(/^already watching /)
    writeFileSync(`${path}.new`, 'two\n')
    renameSync(`${path}.new`, path)
    await until('the note', () => unreadIds(bus.home, 'frontend').length === 1)
    const inbox = await runCli(['inbox', '--json'], {
      home: bus.home.root,
      env: { AGENT_CHAT_NAME: 'frontend' },
    })
    expect(JSON.parse(inbox.stdout).messages).toMatchObject([
      {
        from: 'backend',
        kind: 'note',
        subject: 'contract.md has changed',
        hops: 0,
        body: expect.stringContaining('-one\n+two\n'),
      },
    ])
    await until('the note is noted', async () => (await listed(run))[0].last !== null)
    const [watch] = fileWatches(bus.home) as [FileWatch]
    expect((await run('--remove', 'contract.md')).stdout).toBe(
      `${path} is no longer watched for @frontend\n`,
    )
    await until(
      'its process has ended',
      () => watch.watcher !== null && !bus.processes.isAlive(watch.watcher),
    )
    expect((await run('--list')).stdout).toBe('no file is watched\n')
    expect(await run('--remove', 'contract.md')).toMatchObject({ code: 4, stdout: '' })
  })

  test('whose process was killed is listed as dead, told by doctor, and can be started again', async () => {
    const { bus, path, run } = world()
    expect((await run(path, '--notify', '@frontend')).code).toBe(0)
    expect(checkWatched(bus)).toMatchObject([{ status: 'ok' }])
    const [watch] = fileWatches(bus.home) as [FileWatch]
    if (watch.watcher) bus.processes.signal(watch.watcher, 'SIGKILL')
    await until('it is gone', () => watch.watcher !== null && !bus.processes.isAlive(watch.watcher))
    expect((await run('--list')).stdout).toContain('dead: its process has ended')
    expect(checkWatched(bus)).toMatchObject([
      {
        status: 'warning',
        detail: expect.stringContaining(path),
        hint: expect.stringContaining(`watch-file '${path}' --notify @frontend`),
      },
    ])
    expect((await run(path, '--notify', '@frontend')).stdout).toMatch(/^watching /)
    expect(await listed(run)).toMatchObject([{ alive: true }])
  })

  test('--foreground watches until it is asked to end, and leaves nothing', async () => {
    const { bus, path, directory } = world()
    const options = { home: bus.home.root, env: { AGENT_CHAT_NAME: 'backend' }, cwd: directory }
    const child = startCli(['watch-file', path, '--notify', '@frontend', '--foreground'], options)
    const ended = outcome(child)
    await until('it watches', () => fileWatches(bus.home)[0]?.watcher != null)
    writeFileSync(path, 'two\n')
    await until('the note', () => unreadIds(bus.home, 'frontend').length === 1)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, stdout: '' })
    expect(fileWatches(bus.home)).toEqual([])
  })

  test('of the human sends in the name of the program: what a file holds is not their word', async () => {
    const { bus, path, directory } = world()
    const run = (...args: string[]) =>
      runCli(['watch-file', ...args], { home: bus.home.root, cwd: directory })
    expect((await run(path, '--notify', '@frontend', '--as', 'human')).code).toBe(0)
    expect(fileWatches(bus.home)).toMatchObject([{ from: 'agent-chat' }])
    expect((await run('--remove', path, '--notify', '@backend')).code).toBe(4)
    expect((await run('--remove', path, '--notify', '@frontend')).code).toBe(0)
  })

  test.each<[string, number, (path: string) => string[]]>([
    ['no path', 2, () => ['--notify', '@frontend']],
    ['nobody to tell', 2, (path) => [path]],
    ['a recipient that is nobody', 4, (path) => [path, '--notify', '@frontned']],
    ['everybody', 2, (path) => [path, '--notify', '@all']],
    ['a file that is not there', 2, (path) => [`${path}.no`, '--notify', '@frontend']],
    ['a path below a file', 2, (path) => [`${path}/x`, '--notify', '@frontend']],
    ['a directory', 2, (path) => [join(path, '..'), '--notify', '@frontend']],
    ['a device', 2, () => ['/dev/zero', '--notify', '@frontend']],
    ['a key that is none', 4, () => ['--watcher', '../../x']],
    ['a file that nobody watches', 4, (path) => ['--remove', path]],
    ['no file to remove', 2, () => ['--remove']],
  ])('%s: %i, and nothing is watched', async (_, code, args) => {
    const { bus, path, run } = world()
    const ended = await run(...args(path))
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(fileWatches(bus.home)).toEqual([])
  })

  test('an entry that is torn is passed over', async () => {
    const { bus, run } = world()
    mkdirSync(bus.home.watched, { recursive: true })
    for (const [name, text] of [
      ['0123456789abcdef', '{"path":'],
      ['fedcba9876543210', '[]'],
      ['x', '{}'],
    ] as const)
      writeFileSync(join(bus.home.watched, `${name}.json`), text)
    expect((await run('--list')).stdout).toBe('no file is watched\n')
    chmodSync(bus.home.watched, 0o700)
    rmSync(bus.home.watched, { recursive: true })
  })
})

describe('what a note follows from', () => {
  const watch = (bus: Bus, last: FileWatch['last']): FileWatch => {
    const made = { path: '/x', notify: 'frontend', from: 'backend', since: '', watcher: null, last }
    writeFileWatch(bus.home, made)
    return made
  }
  const state = (bus: Bus, name: string, turn: object) => {
    mkdirSync(bus.home.states, { recursive: true })
    const fields = {
      activity: 'idle',
      since: '2026-11-21T03:00:00.000Z',
      agent: null,
      native: false,
    }
    writeFileSync(bus.home.state(name), JSON.stringify({ ...fields, turn }))
  }
  const human = { id: 'p', began: 'human', opened: null, chain: 'c', work: 0, asked: [] }

  test('is the note before it, until the human has spoken or let its chain go on', () => {
    const bus = tempBus(['backend', 'frontend'])
    expect(noteLineage(bus, watch(bus, null))).toEqual({ chain: undefined, hops: 0 })
    const { message } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'b',
      hops: 3,
    })
    const { id, chain, hops, timestamp: at } = message
    const next = () => noteLineage(bus, watch(bus, { id, chain, hops, at }))
    expect(next()).toEqual({ chain, hops: 4 })
    state(bus, 'frontend', { ...human, at: '2026-01-01T00:00:00.000Z' })
    expect(next()).toEqual({ chain, hops: 4 })
    state(bus, 'frontend', { ...human, began: 'doorbell', at: '2999-01-01T00:00:00.000Z' })
    expect(next()).toEqual({ chain, hops: 4 })
    state(bus, 'frontend', { ...human, at: '2999-01-01T00:00:00.000Z' })
    expect(next()).toEqual({ chain: undefined, hops: 0 })
    rmSync(bus.home.state('frontend'))
    putMark(bus.home, 'frontend', id, { ring: 'resumed', why: '', chain, at })
    expect(next()).toEqual({ chain, hops: 1 })
  })
})
