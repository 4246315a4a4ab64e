import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tryPidLock } from '../../system/pidlock.ts'
import { agentsOn } from '../../testing/agent.ts'
import { outcome, runCli, startCli } from '../../testing/cli.ts'
import { countFs, interceptFs } from '../../testing/fsCalls.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { longId } from '../../testing/longId.ts'
import type { Bus } from '../bus.ts'
import { record } from '../history.ts'
import { readThread } from '../index/threads.ts'
import type { Draft } from '../mail/draft.ts'
import { markRead } from '../mail/inbox.ts'
import { sendMessage } from '../mail/send.ts'
import { findPrunable } from './prune.ts'
import { removeThreads } from './pruneApply.ts'
import { rotateHistory } from './rotate.ts'

const DAY = 24 * 60 * 60 * 1000

/** A bus whose clock stands where the test says, in days. */
function busAt() {
  const start = Date.UTC(2026, 10, 21)
  let now = start
  let micros = 0
  const bus = tempBus(['backend', 'frontend'], {
    now: () => now,
    micros: () => now * 1000 + micros++,
  })
  return { bus, day: (days: number) => (now = start + days * DAY), cutoff: () => now - 30 * DAY }
}

function say(bus: Bus, more: Partial<Draft> = {}, read = true) {
  const { message } = sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'handover',
    body: 'hello',
    ...more,
  })
  if (read) markRead(bus, message.to, message.id)
  return message
}

const reply = (bus: Bus, to: ReturnType<typeof say>, more: Partial<Draft> = {}, read = true) =>
  say(bus, { from: to.to, to: to.from, kind: 'reply', inReplyTo: to, ...more }, read)

describe('what may go', () => {
  test('what is old and read, and nothing younger', () => {
    const { bus, day, cutoff } = busAt()
    const old = say(bus)
    day(40)
    say(bus)
    const { prunable, kept } = findPrunable(bus, cutoff())
    expect(prunable.map(({ thread }) => thread)).toEqual([old.id])
    expect(kept).toMatchObject({ young: 1, unread: 0 })
  })

  test('nothing of a conversation with an unread or a young message', () => {
    const { bus, day, cutoff } = busAt()
    reply(bus, say(bus), {}, false)
    const other = say(bus)
    day(40)
    reply(bus, other)
    expect(findPrunable(bus, cutoff())).toMatchObject({
      prunable: [],
      kept: { unread: 1, young: 1 },
    })
  })

  test('no open task and no question without its answer; both once they have ended', () => {
    const { bus, day, cutoff } = busAt()
    const task = say(bus, { kind: 'task' })
    const question = say(bus, { kind: 'question' })
    day(40)
    expect(findPrunable(bus, cutoff())).toMatchObject({
      prunable: [],
      kept: { task: 1, question: 1 },
    })
    reply(bus, task, { kind: 'result' })
    reply(bus, question)
    day(80)
    expect(findPrunable(bus, cutoff()).prunable).toHaveLength(2)
  })

  test('a question that only the one who asked has gone on with is not answered', () => {
    const { bus, day, cutoff } = busAt()
    const question = say(bus, { kind: 'question' })
    say(bus, { inReplyTo: question })
    day(40)
    expect(findPrunable(bus, cutoff()).kept.question).toBe(1)
  })
})

describe('removing', () => {
  test('takes files, links and indexes, and leaves the rest as it was', () => {
    const { bus, day, cutoff } = busAt()
    const old = say(bus)
    reply(bus, old)
    const stays = say(bus, {}, false)
    day(40)
    const { prunable } = findPrunable(bus, cutoff())
    expect(removeThreads(bus, prunable).size).toBe(2)
    expect(filesIn(bus.home.messages)).toEqual([`${stays.id}.md`])
    expect(filesIn(bus.home.readDirectory('frontend'))).toEqual([])
    expect(existsSync(bus.home.thread(old.id))).toBe(false)
    expect(readThread(bus.home, stays.id).messages).toHaveLength(1)
  })

  test('leaves alone what has come to be unread since it was looked at', () => {
    const { bus, day, cutoff } = busAt()
    const old = say(bus, {}, false)
    day(40)
    const prunable = [{ thread: old.id, bytes: 1, messages: [{ ...old, at: 0 }] }]
    expect(removeThreads(bus, prunable).size).toBe(0)
    expect(findPrunable(bus, cutoff()).kept.unread).toBe(1)
    expect(existsSync(bus.home.message(old.id))).toBe(true)
  })
})

describe('rotating the history', () => {
  test('keeps the old one whole beside the new one, in which only what stays is told', async () => {
    const { bus } = busAt()
    const gone = say(bus)
    const stays = say(bus)
    const whole = readFileSync(bus.home.history, 'utf8')
    const rotated = await rotateHistory(bus, ({ id }) => id !== gone.id)
    expect(readFileSync(rotated?.file ?? '', 'utf8')).toBe(whole)
    expect(new Set(eventsOf(bus.home).map(({ id }) => id))).toEqual(new Set([stays.id]))
  })

  test('what is told meanwhile is on the disk before the new one takes the place of the old', async () => {
    const { bus } = busAt()
    say(bus)
    interceptFs(['linkSync'], (_, real) => {
      record(bus, 'told', { id: 'meanwhile' })
      return real()
    })
    const seen = countFs('writeSync', 'fsyncSync', 'renameSync')
    expect(await rotateHistory(bus, ({ event }) => event === 'told')).toMatchObject({ kept: 1 })
    const names = seen.map(({ name }) => name)
    const before = names.slice(0, names.indexOf('renameSync'))
    expect(before.lastIndexOf('fsyncSync')).toBeGreaterThan(before.lastIndexOf('writeSync'))
    expect(eventsOf(bus.home).map(({ id }) => id)).toEqual(['meanwhile'])
  })

  test('nothing to leave out: nothing is written', async () => {
    const { bus } = busAt()
    say(bus)
    expect(await rotateHistory(bus, () => true)).toBeUndefined()
    expect(filesIn(bus.home.root).filter((file) => file.startsWith('history'))).toEqual([
      'history.log',
    ])
  })
})

describe('agent-chat prune', () => {
  const root = (bus: Bus) => ({ home: bus.home.root })

  test('--dry-run removes nothing; then what it said is removed, and doctor finds nothing to mend', async () => {
    const { bus } = busAt()
    say(bus)
    const dry = await runCli(['prune', '--older-than', '1s', '--dry-run'], root(bus))
    expect(dry.stdout).toContain('would remove 1 message in 1 conversation')
    expect(filesIn(bus.home.messages)).toHaveLength(1)
    const run = await runCli(['prune', '--older-than', '1s', '--json'], root(bus))
    expect(JSON.parse(run.stdout)).toMatchObject({ dry_run: false, messages: 1, threads: 1 })
    expect(filesIn(bus.home.messages)).toEqual([])
    const sweep = await runCli(['doctor', '--json'], root(bus))
    expect(sweep.stdout).not.toContain('undelivered')
    expect(filesIn(bus.home.messages)).toEqual([])
  })

  test('an agent may not, in a turn that is not its user’s', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    sendMessage(bus, { from: 'frontend', to: 'backend', kind: 'handover', body: 'hello' })
    await agents[0]?.rung('frontend')
    const run = await agents[0]?.chat('prune', '--older-than', '1s')
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('for your user only') })
    expect(filesIn(bus.home.messages)).toHaveLength(1)
  })

  test('two at once: the second is told of the first, and removes nothing', async () => {
    const { bus } = busAt()
    say(bus)
    const lock = tryPidLock(bus.home.pruneLock, bus.processes)
    expect(typeof lock).toBe('function')
    const run = await runCli(['prune', '--older-than', '1s'], root(bus))
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another prune is running'),
    })
    expect(filesIn(bus.home.messages)).toHaveLength(1)
  })

  test('an age that is none is bad usage', async () => {
    const { bus } = busAt()
    expect((await runCli(['prune', '--older-than', 'soon'], root(bus))).code).toBe(2)
  })

  test.each(['prune:removed', 'prune:indexed', 'prune:rotating', 'prune:rotated'])(
    'killed at %s, nothing that stays is lost, and the next run ends it',
    async (step) => {
      const { bus } = busAt()
      say(bus)
      say(bus)
      const kept = say(bus, {}, false)
      const run = await runCli(['prune', '--older-than', '1s'], {
        ...root(bus),
        env: { AGENT_CHAT_FAULT: step },
      })
      expect(run.signal).toBe('SIGKILL')
      await runCli(['doctor', '--json'], root(bus))
      expect((await runCli(['prune', '--older-than', '1s'], root(bus))).code).toBe(0)
      expect(filesIn(bus.home.messages)).toEqual([`${kept.id}.md`])
      expect(eventsOf(bus.home, 'sent').map(({ id }) => id)).toContain(kept.id)
    },
  )

  test('while others send and read, no message is lost, and none is missing from the history', async () => {
    const { bus, day } = busAt()
    day(-40)
    for (let count = 0; count < 30; count += 1) say(bus)
    const start = (...args: string[]) => outcome(startCli(args, root(bus)))
    const sends = Array.from({ length: 12 }, (_, at) => {
      const [from = '', to = ''] = at % 2 ? ['backend', 'frontend'] : ['frontend', 'backend']
      return start('send', `@${to}`, `new ${at}`, '--as', from)
    })
    const others = [
      start('prune', '--older-than', '1d'),
      start('inbox', 'frontend', '--json'),
      start('inbox', 'backend'),
    ]
    const sent = (await Promise.all(sends)).map(({ stdout }) => longId(bus.home, stdout))
    for (const run of await Promise.all(others)) expect(run).toMatchObject({ code: 0 })
    const told = eventsOf(bus.home, 'sent').map(({ id }) => id)
    expect(told).toHaveLength(sent.length)
    for (const id of sent) {
      expect(existsSync(bus.home.message(id))).toBe(true)
      expect(told).toContain(id)
    }
  })
})
