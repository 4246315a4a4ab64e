import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isCoded } from '../../errors.ts'
import { formatId } from '../../message/id.ts'
import { shortId } from '../../message/shortId.ts'
import { fixedClock } from '../../testing/clock.ts'
import { tempBus } from '../../testing/home.ts'
import { fileText, putInInbox } from '../../testing/message.ts'
import { record } from '../history.ts'
import { readArchived, resolveId } from './archive.ts'
import { fateOf } from './fate.ts'
import { markRead } from './inbox.ts'
import { sendMessage } from './send.ts'

const code = (work: () => unknown): string => {
  try {
    return `gave ${String(work())}`
  } catch (error) {
    if (isCoded(error)) return error.code
    throw error
  }
}

function world() {
  const bus = tempBus(['frontend'], fixedClock('2026-11-21T03:39:12.123Z'))
  const send = (from: string) =>
    sendMessage(bus, { from, to: 'frontend', kind: 'note', body: from }).message.id
  return { bus, first: send('backend'), second: send('docs') }
}

describe('a part of an id', () => {
  test('stands for the one id that has it', () => {
    const { bus, first, second } = world()
    expect(resolveId(bus.home, first)).toBe(first)
    expect(resolveId(bus.home, `${first}.md`)).toBe(first)
    expect(resolveId(bus.home, 'from-docs')).toBe(second)
    expect(resolveId(bus.home, '123000Z')).toBe(first)
  })

  test('is ambiguous where two have it, and unknown where none has', () => {
    const { bus } = world()
    expect(code(() => resolveId(bus.home, '20261121'))).toBe('ID_AMBIGUOUS')
    for (const part of ['from-nobody', '', '..', '../x', '/etc/passwd', '.', 'a b', '*', '\0', '%'])
      expect(code(() => resolveId(bus.home, part))).toBe('MESSAGE_UNKNOWN')
  })

  test('is found in the archive where the history is lost', () => {
    const { bus, second } = world()
    rmSync(bus.home.history)
    expect(resolveId(bus.home, 'from-docs')).toBe(second)
    expect(code(() => resolveId(bus.home, '20261121'))).toBe('ID_AMBIGUOUS')
  })

  test('is found in the inbox of whom it concerns, for a message that was put there by hand', () => {
    const { bus } = world()
    putInInbox(bus.home, 'frontend', 'by-hand-from-docs.md', fileText('docs', 'frontend', 'x'))
    expect(resolveId(bus.home, 'by-hand', 'frontend')).toBe('by-hand-from-docs')
    expect(readArchived(bus.home, 'by-hand-from-docs', 'frontend').body).toBe('x')
    expect(code(() => resolveId(bus.home, 'by-hand'))).toBe('MESSAGE_UNKNOWN')
  })

  test('never gives what is still being written', () => {
    const { bus } = world()
    writeFileSync(`${bus.home.messages}/.20300101T000000.000000Z-from-late.7.tmp`, 'half')
    expect(code(() => resolveId(bus.home, '2030'))).toBe('MESSAGE_UNKNOWN')
  })

  test('a file of the archive that is no message says why', () => {
    const { bus, first } = world()
    writeFileSync(bus.home.message(first), '---js\nx\n---\n')
    expect(code(() => readArchived(bus.home, first))).toBe('MESSAGE_UNREADABLE')
  })
})

describe('what has become of a message', () => {
  test('unread, then read, then missing, with the stages that the history tells', () => {
    const { bus, first } = world()
    expect(fateOf(bus.home, first, 'frontend')).toMatchObject({
      place: 'unread',
      stages: [{ stage: 'sent' }],
    })
    record(bus, 'rung', { ids: [first], doorbell: 'tmux' })
    record(bus, 'rung', { ids: ['another'], doorbell: 'tmux' })
    markRead(bus, 'frontend', first)
    expect(fateOf(bus.home, first, 'frontend')).toEqual({
      place: 'read',
      stages: [
        { stage: 'sent', at: '2026-11-21T03:39:12.123Z' },
        { stage: 'rung', at: '2026-11-21T03:39:12.123Z', doorbell: 'tmux' },
        { stage: 'read', at: '2026-11-21T03:39:12.123Z' },
      ],
    })
    rmSync(bus.home.read('frontend', first))
    appendFileSync(bus.home.history, '{"torn')
    expect(fateOf(bus.home, first, 'frontend')).toMatchObject({
      place: 'missing',
      stages: [{}, {}, {}],
    })
  })
})

/** The first two ids of a row that have the same short id. */
function clashing(): [string, string] {
  const byShort = new Map<string, string>()
  for (let at = 0; ; at += 1) {
    const id = formatId(1_790_000_000_000_000 + at * 7_919, 'backend')
    const other = byShort.get(shortId(id))
    if (other !== undefined) return [other, id]
    byShort.set(shortId(id), id)
  }
}

test('a short id that two messages have names both, with longer ones that are theirs alone', () => {
  const { home } = tempBus(['backend', 'frontend'])
  const clash = clashing()
  for (const id of clash) writeFileSync(home.message(id), 'x')
  const caught = caughtBy(() => resolveId(home, shortId(clash[0])))
  expect(caught).toMatchObject({ code: 'ID_AMBIGUOUS' })
  const named = String(caught.hint).replace(/^.*: /, '').split(', ')
  expect(named.map((one) => resolveId(home, one)).sort()).toEqual([...clash].sort())
})

test('a newer message does not take the short id of one that was read long ago', () => {
  const bus = tempBus(['backend', 'frontend'])
  const [old, newer] = clashing()
  for (const id of [old, newer]) writeFileSync(bus.home.message(id), 'x')
  record(bus, 'sent', { id: newer, from: 'backend', to: 'frontend', preview: '' })
  const ambiguous = { code: 'ID_AMBIGUOUS' }
  expect(caughtBy(() => resolveId(bus.home, shortId(old), 'frontend', [old]))).toMatchObject(
    ambiguous,
  )
  expect(caughtBy(() => resolveId(bus.home, shortId(old), 'human'))).toMatchObject(ambiguous)
})

function caughtBy(act: () => unknown): { code?: unknown; hint?: unknown } {
  try {
    act()
  } catch (error) {
    return error as object
  }
  return {}
}
