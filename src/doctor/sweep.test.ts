import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { systemProcesses } from '../system/processes.ts'
import { runCli } from '../testing/cli.ts'
import { eventsOf, filesIn, tempHome } from '../testing/home.ts'
import { sweepHome } from './sweep.ts'

const MINUTES_2 = 120_000
/** What says something: a mere thanks would not ring. */
const BODY = 'GET /tasks answers with {id, title, done} since commit 4f2a'

/** A bus whose clock is ahead, so that what happened just now is old enough to be swept. */
function busAt(home: Home, aheadMs = MINUTES_2): Bus {
  const now = () => Date.now() + aheadMs
  return { home, clock: { now, micros: () => now() * 1000 }, processes: systemProcesses() }
}

function freshHome(): Home {
  const home = tempHome('backend', 'frontend')
  chmodSync(home.sessions, 0o600)
  return home
}

const send = (home: Home, fault?: string) =>
  runCli(['send', '@frontend', BODY, '--as', 'backend'], {
    home: home.root,
    ...(fault === undefined ? {} : { env: { AGENT_CHAT_FAULT: fault } }),
  })

const inbox = (home: Home, fault?: string) =>
  runCli(['inbox', 'frontend'], {
    home: home.root,
    ...(fault === undefined ? {} : { env: { AGENT_CHAT_FAULT: fault } }),
  })

async function statesOf(bus: Bus, mend = true): Promise<string[]> {
  return (await sweepHome(bus, { mend })).map(
    ({ state, mended }) => `${state}${mended ? '' : ' (not mended)'}`,
  )
}

/** A process id that nobody has: Linux counts to 4 million at most. */
const NOBODY = 99_999_999

describe('what a killed process leaves', () => {
  test.each([
    ['send:written', ['unpublished']],
    ['send:published', ['published-twice', 'undelivered']],
    ['send:indexed', ['undelivered']],
    ['send:linked', ['unrecorded', 'unrung']],
    ['send:synced', ['unrecorded', 'unrung']],
    ['send:recorded', ['unrung']],
    ['send:rung', []],
  ])('a sender at %s: %j, and after that nothing', async (step, states) => {
    const home = freshHome()
    expect((await send(home, step)).signal).toBe('SIGKILL')
    // Reporting alone changes nothing.
    const before = readdirSync(home.root, { recursive: true })
    const reported = (await sweepHome(busAt(home), { mend: false })).map(({ state }) => state)
    expect(readdirSync(home.root, { recursive: true })).toEqual(before)
    expect(reported).toEqual(states)
    expect(await statesOf(busAt(home))).toEqual(states)
    expect(await statesOf(busAt(home))).toEqual([])
    const delivered = step === 'send:written' ? 0 : 1
    expect(filesIn(home.inbox('frontend'))).toHaveLength(delivered)
    expect(filesIn(home.messages)).toHaveLength(delivered)
    expect(eventsOf(home, 'sent')).toHaveLength(delivered)
    expect(existsSync(home.ring('frontend'))).toBe(delivered === 1)
    expect((await inbox(home)).stdout).toContain(
      delivered === 1 ? `\n${BODY}\n` : 'no unread messages',
    )
  })

  test.each([
    ['inbox:printed', ['stale-lock'], 1],
    ['inbox:moved', ['stale-lock', 'read-unrecorded'], 0],
  ])('a reader at %s: %j, and after that nothing', async (step, states, unread) => {
    const home = freshHome()
    await send(home)
    expect((await inbox(home, step)).signal).toBe('SIGKILL')
    expect(await statesOf(busAt(home))).toEqual(states)
    expect(await statesOf(busAt(home))).toEqual([])
    expect(eventsOf(home, 'read')).toHaveLength(1 - unread)
    expect(filesIn(home.inbox('frontend'))).toHaveLength(unread)
  })

  test.each([
    ['registry:locked', ['stale-lock']],
    ['registry:written', ['leftover', 'stale-lock']],
    ['registry:replaced', ['stale-lock']],
  ])('a join at %s: %j, and after that nothing', async (step, states) => {
    const home = freshHome()
    const run = await runCli(['join', 'third'], {
      home: home.root,
      env: { AGENT_CHAT_FAULT: step },
    })
    expect(run.signal).toBe('SIGKILL')
    // As it is after the time that a lock's holder has to touch it.
    utimesSync(`${home.sessions}.lock`, 0, 0)
    expect(await statesOf(busAt(home))).toEqual(states)
    expect(await statesOf(busAt(home))).toEqual([])
    expect((await runCli(['join', 'third'], { home: home.root })).code).toBe(0)
  })

  test('the copy of all messages that searches of an earlier version kept', async () => {
    const home = freshHome()
    mkdirSync(home.search)
    for (const file of ['corpus', 'seen.json', '.lock'])
      writeFileSync(`${home.search}/${file}`, BODY)
    expect(await statesOf(busAt(home))).toEqual(['old-search'])
    expect(existsSync(home.search)).toBe(false)
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('a message that was delivered and read unrecorded is known to have been sent and read', async () => {
    const home = freshHome()
    await send(home, 'send:linked')
    await inbox(home, 'inbox:moved')
    expect(await statesOf(busAt(home))).toEqual(['stale-lock', 'unrecorded', 'read-unrecorded'])
    expect(await statesOf(busAt(home))).toEqual([])
    expect(eventsOf(home, 'sent')).toMatchObject([{ to: 'frontend', preview: BODY, mended: true }])
    expect(eventsOf(home, 'read')).toMatchObject([{ by: 'frontend', mended: true }])
  })
})

describe('what is at work is left alone', () => {
  test('a step that is younger than a minute', async () => {
    const home = freshHome()
    await send(home, 'send:published')
    rmSync(join(home.messages, filesIn(home.messages).find((file) => file.startsWith('.')) ?? ''))
    writeFileSync(join(home.messages, '.unknown.tmp'), '', { mode: 0o600 })
    writeFileSync(join(home.messages, '.x.md.claim'), '', { mode: 0o600 })
    expect(await statesOf(busAt(home, 0))).toEqual([])
    expect((await statesOf(busAt(home))).sort()).toEqual(['leftover', 'undelivered', 'unpublished'])
  })

  test('the files of a process that lives, however old', async () => {
    const home = freshHome()
    const files = [
      join(home.messages, `.x.${process.pid}.tmp`),
      join(home.pids, `a.pid.${process.pid}.tmp`),
    ]
    for (const path of files) {
      writeFileSync(path, '', { mode: 0o600 })
      utimesSync(path, 0, 0)
    }
    expect(await statesOf(busAt(home))).toEqual([])
    expect(files.every((path) => existsSync(path))).toBe(true)
  })

  test('an inbox whose reader is at it', async () => {
    const home = freshHome()
    await send(home)
    const lock = tryPidLock(home.readerLock('frontend'), systemProcesses())
    const [file = ''] = filesIn(home.inbox('frontend')).filter((name) => name.endsWith('.md'))
    renameSync(join(home.inbox('frontend'), file), join(home.readDirectory('frontend'), file))
    expect(await statesOf(busAt(home))).toEqual([])
    if (typeof lock === 'function') lock()
    expect(await statesOf(busAt(home))).toEqual(['read-unrecorded'])
  })
})

describe('a message that must not ring', () => {
  const silent = { ring: 'held', why: 'too many' } as const
  const draft = { from: 'backend', to: 'frontend', kind: 'note', body: 'x' }

  test('is not rung for, and is told as silent where it is told late', async () => {
    const home = freshHome()
    sendMessage(busAt(home, 0), { ...draft, silent })
    expect(await statesOf(busAt(home))).toEqual([])
    rmSync(home.history)
    const [file = ''] = filesIn(home.inbox('frontend'))
    rmSync(join(home.inbox('frontend'), file))
    expect(await statesOf(busAt(home))).toEqual(['undelivered'])
    expect(eventsOf(home, 'sent')).toMatchObject([{ ...silent, mended: true }])
    expect(existsSync(home.ring('frontend'))).toBe(false)
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('and was read: its mark goes', async () => {
    const home = freshHome()
    sendMessage(busAt(home, 0), { ...draft, silent })
    await inbox(home, 'inbox:moved')
    expect(await statesOf(busAt(home))).toEqual(['stale-lock', 'read-unrecorded', 'stale-mark'])
    expect(await statesOf(busAt(home))).toEqual([])
  })
})

describe('what hands and disks do', () => {
  test('leftovers in every place, by processes that are gone', async () => {
    const home = freshHome()
    const paths = [
      `${home.sessions}.${NOBODY}.tmp`,
      join(home.pids, `backend.pid.${NOBODY}.tmp`),
      join(home.states, `backend.json.${NOBODY}.tmp`),
      join(home.inbox('frontend'), `.20261121T033912.123456Z-from-a.md.${NOBODY}.tmp`),
      `${home.readerLock('frontend')}.${NOBODY}.stale`,
    ]
    for (const path of paths) writeFileSync(path, 'x', { mode: 0o600 })
    expect(await statesOf(busAt(home))).toEqual(paths.map(() => 'leftover'))
    expect(paths.some((path) => existsSync(path))).toBe(false)
  })

  test('pid locks of processes that are gone', async () => {
    const home = freshHome()
    const dead = JSON.stringify({ pid: NOBODY, started: 'x' })
    const paths = [
      home.readerLock('backend'),
      home.ringLock('0'),
      home.stateLock('backend'),
      home.pruneLock,
    ]
    for (const path of paths) writeFileSync(path, dead, { mode: 0o600 })
    expect(await statesOf(busAt(home))).toEqual(paths.map(() => 'stale-lock'))
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('a lock of the registry from before the clock was set back', async () => {
    const home = freshHome()
    mkdirSync(`${home.sessions}.lock`, { mode: 0o700 })
    const inAnHour = new Date(Date.now() + 3_600_000)
    utimesSync(`${home.sessions}.lock`, inAnHour, inAnHour)
    expect(await statesOf(busAt(home))).toEqual(['stale-lock'])
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('a message whose file is gone from the archive is linked back', async () => {
    const home = freshHome()
    await send(home)
    const [file = ''] = filesIn(home.messages)
    rmSync(join(home.messages, file))
    expect(await statesOf(busAt(home))).toEqual(['unarchived'])
    expect(statSync(join(home.messages, file)).ino).toBe(
      statSync(join(home.inbox('frontend'), file)).ino,
    )
    await inbox(home)
    rmSync(join(home.messages, file))
    expect(await statesOf(busAt(home))).toEqual(['unarchived'])
    expect(filesIn(home.messages)).toEqual([file])
  })

  test('a message that was read and then cleared away does not come back', async () => {
    const home = freshHome()
    await send(home)
    await inbox(home)
    rmSync(home.readDirectory('frontend'), { recursive: true })
    expect(await statesOf(busAt(home))).toEqual([])
    // Nor when the history was cut after it.
    writeFileSync(
      home.history,
      `{"at":"${new Date(Date.now() + 7_200_000).toISOString()}","event":"joined"}\n`,
    )
    expect(await statesOf(busAt(home, 9_000_000))).toEqual([])
    rmSync(home.history)
    expect(await statesOf(busAt(home, 9_000_000))).toEqual([])
    expect(filesIn(home.inbox('frontend'))).toEqual([])
  })

  test('a message in bad/ was delivered', async () => {
    const home = freshHome()
    await send(home, 'send:linked')
    const [file = ''] = filesIn(home.inbox('frontend'))
    mkdirSync(home.badDirectory('frontend'), { mode: 0o700 })
    renameSync(join(home.inbox('frontend'), file), join(home.badDirectory('frontend'), `${file}.1`))
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('files in messages/ that are no messages are named and kept', async () => {
    const home = freshHome()
    await send(home)
    const [file = ''] = filesIn(home.messages)
    writeFileSync(join(home.messages, file), '')
    writeFileSync(join(home.messages, 'notes.txt'), 'mine', { mode: 0o600 })
    mkdirSync(join(home.messages, 'x.md'), { mode: 0o700 })
    symlinkSync('/etc/hostname', join(home.messages, 'y.md'))
    expect(await statesOf(busAt(home))).toEqual(new Array(4).fill('no-message (not mended)'))
    expect(readFileSync(join(home.messages, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test('a registry that cannot be read is kept aside, never emptied', async () => {
    const home = freshHome()
    writeFileSync(home.sessions, '{"backend": {', { mode: 0o600 })
    const findings = await sweepHome(busAt(home), { mend: true })
    expect(findings).toMatchObject([{ state: 'broken-registry', mended: true }])
    const [aside = ''] = readdirSync(home.root).filter((name) =>
      name.startsWith('sessions.json.broken-'),
    )
    expect(readFileSync(join(home.root, aside), 'utf8')).toBe('{"backend": {')
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('modes and missing directories; links are not followed', async () => {
    const home = freshHome()
    await send(home)
    const outside = join(home.root, '..', 'outside')
    writeFileSync(outside, '')
    chmodSync(outside, 0o644)
    symlinkSync(outside, join(home.logs, 'link'))
    const [file = ''] = filesIn(home.messages)
    for (const path of [home.root, home.inbox('frontend'), home.messages]) chmodSync(path, 0o755)
    chmodSync(join(home.messages, file), 0o644)
    rmSync(home.pids, { recursive: true })
    expect(await statesOf(busAt(home))).toEqual(['missing-directory', 'wrong-mode'])
    expect(await statesOf(busAt(home))).toEqual([])
    const modes = [home.root, home.inbox('frontend'), home.pids, join(home.messages, file), outside]
    expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '700',
      '700',
      '700',
      '600',
      '644',
    ])
  })

  test('a directory that cannot be listed is opened, and what stands in it mended, too', async () => {
    const home = freshHome()
    await send(home)
    chmodSync(home.inbox('frontend'), 0o755)
    chmodSync(home.inboxes, 0)
    expect(await statesOf(busAt(home))).toEqual(['wrong-mode', 'wrong-mode'])
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('a disk that gives every file the mode 0700 is private enough', async () => {
    const home = freshHome()
    await send(home)
    for (const file of filesIn(home.messages)) chmodSync(join(home.messages, file), 0o700)
    expect(await statesOf(busAt(home))).toEqual([])
  })

  test('a remedy that fails is told, and the sweep goes on', async () => {
    const home = freshHome()
    await send(home, 'send:published')
    // Something that is no inbox stands in its place.
    rmSync(home.inbox('frontend'), { recursive: true })
    writeFileSync(home.inbox('frontend'), '', { mode: 0o600 })
    const findings = await sweepHome(busAt(home), { mend: true })
    expect(findings).toMatchObject([
      { state: 'published-twice', mended: true },
      { state: 'undelivered', mended: false },
    ])
    expect(findings[1]?.what).toMatch(/could not be repaired: /)
  })

  test('a second name of a message in the archive costs nothing', async () => {
    const home = freshHome()
    await send(home)
    const [file = ''] = filesIn(home.messages)
    linkSync(join(home.messages, file), join(home.root, 'kept-by-its-user.md'))
    expect(await statesOf(busAt(home))).toEqual([])
  })
})
