import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nameEscalation } from '../../bus/index/escalations.ts'
import { markRead } from '../../bus/mail/inbox.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { runCli } from '../../testing/cli.ts'
import { tempBus } from '../../testing/home.ts'

function world() {
  const bus = tempBus(['backend', 'frontend'])
  const send = (from: string) =>
    sendMessage(bus, { from, to: 'frontend', kind: 'note', body: `from ${from}\u001b[2J` }).message
  return { bus, first: send('backend'), second: send('docs') }
}

const show = (home: string, ...args: string[]) => runCli(['show', ...args], { home })

describe('show', () => {
  test('gives a message by a part of its id, with its place and its stages, and leaves it unread', async () => {
    const { bus, first } = world()
    const run = await show(bus.home.root, 'from-backend')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(
      /^\w{5} is \S+-from-backend\nto @frontend · unread\n {2}sent +\d{4}-\d\d-\d\d \d\d:\d\d\n\n── /,
    )
    expect(run.stdout).toContain('from backend^[[2J\n')
    expect(unreadIds(bus.home, 'frontend')).toContain(first.id)
    markRead(bus, 'frontend', first.id)
    const later = JSON.parse((await show(bus.home.root, first.id, '--json')).stdout)
    expect(later).toMatchObject({
      id: first.id,
      body: 'from backend\u001b[2J',
      place: 'read',
      stages: [{ stage: 'sent' }, { stage: 'read' }],
    })
  })

  test.each(['3', '#3'])('%s is the decision of this number', async (part) => {
    const { bus, first } = world()
    nameEscalation(bus.home, 3, first.id)
    expect((await show(bus.home.root, part)).stdout).toContain(`is ${first.id}\n`)
  })

  test('says when the file in the inbox has gone', async () => {
    const { bus, first } = world()
    rmSync(bus.home.unread('frontend', first.id))
    expect((await show(bus.home.root, first.id)).stdout).toMatch(/\nto @frontend · missing\n/)
  })

  test.each([
    ['2026', 2],
    ['from-nobody', 4],
    ['', 4],
    ['../../sessions', 4],
    ['*', 4],
  ])('%j is %i', async (part, code) => {
    const { bus } = world()
    // Both messages were sent today; a part that is in every id is told from one that is in none.
    const run = await show(bus.home.root, part === '2026' ? 'Z-from' : part)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
  })

  test('without an id is bad usage', async () =>
    expect((await show(world().bus.home.root)).code).toBe(2))
})
