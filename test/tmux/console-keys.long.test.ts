import { describe, expect, test } from 'vitest'
import { unreadIds } from '../../src/bus/mail/unread.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { attach, type ConsoleSeat, escalate, sitDown, tell } from './consoleWorld.ts'

const SIZES = [
  [120, 36],
  [80, 24],
  [40, 15],
] as const

const sent = ({ bus }: ConsoleSeat) => eventsOf(bus.home, 'sent')

/** The row of the cursor in the room, and the first line under it. */
async function selected(seat: ConsoleSeat, what: RegExp): Promise<number> {
  const screen = await seat.pane.waitFor((text) =>
    what.test(text.split('\n').find((line) => line.startsWith('▌')) ?? ''),
  )
  return screen.split('\n').findIndex((line) => line.startsWith('▌'))
}

describe.each(SIZES)('%i × %i', (width, height) => {
  const open = (before?: Parameters<typeof sitDown>[0]) => sitDown({ width, height, ...before })

  test('the first screen says who is here, what waits, and the keys; ? has all of them', async () => {
    const seat = await open({ inbox: true })
    const screen = await seat.pane.waitFor(/── nothing needs you · 0 unread /)
    expect(screen).toMatch(/^\? @backend +unknown/)
    expect(screen.replaceAll(/\s+/g, ' ')).toMatch(/To start: press i, type @backend and a message/)
    expect((await seat.lines()).at(-1)).toMatch(/^i write · \? keys · q quit/)
    await seat.pane.key('?')
    await seat.pane.waitFor(/── keys .*\n *In the inbox\n/)
    expect((await seat.lines()).at(-1)).toMatch(/^Esc close · PgUp PgDn scroll$/)
    await seat.pane.key('Escape')
    await seat.pane.waitFor(/nothing needs you/)
    await seat.pane.key('i')
    await seat.pane.waitFor(/── to: nobody yet \(type @name\) .*\n›[^\n]*\nEsc inbox · \? keys/)
    await seat.pane.type('@backend x')
    await seat.pane.waitFor(/\nEnter send · Tab complete/)
  })

  test('the inbox: rows in their order, one a thread; Enter opens and reads, e marks read, q quits', async () => {
    const seat = await open({
      inbox: true,
      before: (bus) => {
        tell(bus, 'backend', 'human', 'the first')
        tell(bus, 'frontend', 'human', 'the second\nwith more')
        escalate(bus, 1)
      },
    })
    await attach(seat)
    const unread = () => unreadIds(seat.bus.home, 'human').length
    const screen = await seat.pane.waitFor(/▶ 1 needs you · 3 unread/)
    expect(screen).toMatch(/▌▶ @backend #1 [\s\S]*\n • @frontend [\s\S]*\n • @backend /)
    await seat.pane.key('e')
    await seat.pane.waitFor(/this still needs you/)
    await seat.pane.key('j')
    await selected(seat, /@frontend/)
    await seat.pane.key('Enter')
    await seat.pane.waitFor(/── message ─[\s\S]*with more/)
    expect(unread()).toBe(3)
    await seat.pane.key('Escape')
    await until('it is read', () => unread() === 2)
    await seat.pane.waitFor((text) => !/ • @frontend|▌• @frontend/.test(text))
    await seat.pane.key('G')
    await selected(seat, /the first/)
    await seat.pane.key('e')
    await until('it is read', () => unread() === 1)
    await seat.pane.waitFor(/▶ 1 needs you · 1 unread/)
    await seat.pane.key('q')
    await seat.pane.waitFor(/left 0/)
  })

  test('a filter finds rows, and hides none that needs you', async () => {
    const seat = await open({
      inbox: true,
      before: (bus) => {
        escalate(bus, 1)
        tell(bus, 'backend', 'human', 'the first')
        tell(bus, 'frontend', 'human', 'the second')
      },
    })
    await seat.pane.waitFor(/the first/)
    await seat.pane.key('/')
    await seat.pane.waitFor(/Enter keeps/)
    await seat.pane.type('front')
    await seat.pane.waitFor((text) => /only fron/.test(text) && !/[▌ ]• @backend/.test(text))
    await seat.pane.key('Enter')
    const screen = await seat.pane.waitFor((text) => !/Enter keeps/.test(text))
    expect(screen).toMatch(/▌• @frontend [\s\S]*\n ▶ @backend #1/)
    await seat.pane.key('Escape')
    await seat.pane.waitFor(/[▌ ]• @backend/)
  })

  test('a paste presses nothing, with its marks or without', async () => {
    const seat = await open({ inbox: true, before: (bus) => escalate(bus, 1) })
    await seat.pane.waitFor(/#1 /)
    await seat.server.tmux('set-buffer', '1\nq')
    await seat.server.tmux('paste-buffer', '-t', seat.pane.id)
    await seat.pane.waitFor(/keys that come at once/)
    await seat.server.tmux('paste-buffer', '-p', '-t', seat.pane.id)
    await seat.pane.waitFor(/\n› 1\n/)
    expect(sent(seat)).toHaveLength(1)
  })

  test('an answer that is longer than the room shows its first line', async () => {
    const seat = await open()
    for (let count = 0; count < 40; count += 1) tell(seat.bus, 'backend', 'frontend', `m ${count}`)
    await seat.pane.waitFor(/m 39/)
    await seat.pane.submit('/help')
    await seat.pane.waitFor(/› \/help\n +What you type\n/)
  })

  test('↑ selects; j, k, g, G move; what comes moves no row; Esc goes back', async () => {
    const seat = await open()
    for (let count = 0; count < 30; count += 1) tell(seat.bus, 'backend', 'frontend', `m ${count}`)
    await seat.pane.waitFor(/m 29/)
    await seat.pane.key('Up')
    await selected(seat, /@backend → @frontend/)
    await seat.pane.waitFor(/▌ +m 29\n/)
    await seat.pane.key('k', 'k')
    await seat.pane.waitFor(/▌ +m 27\n/)
    // The line of the sessions above the rows counts what is unread.
    const rows = async () => (await seat.pane.screen()).split('\n').slice(2, -4)
    const before = await rows()
    tell(seat.bus, 'backend', 'frontend', 'one more')
    tell(seat.bus, 'backend', 'human', 'and for you')
    await seat.pane.waitFor(/[89] lines below|1[0-9] lines below|2 new/)
    expect(await rows()).toEqual(before)
    await seat.pane.key('g')
    await seat.pane.waitFor(/▌ +m 0\n/)
    await seat.pane.key('j')
    await seat.pane.waitFor(/▌ +m 1\n/)
    await seat.pane.key('G')
    await seat.pane.waitFor(/▌ +and for you\n/)
    await seat.pane.key('Escape')
    await seat.pane.waitFor(/── nothing needs you · 1 unread/)
  })

  test('Enter opens a message whole, with its thread; r replies to it', async () => {
    const seat = await open()
    const body = 'first\n2\n3\n4\n5\nand the last line'
    const { id } = tell(seat.bus, 'backend', 'frontend', body, 'question')
    await seat.pane.waitFor(/first 2 3 4 5/)
    await seat.run(['reply', id, 'because of rounding', '--from', 'frontend'])
    await seat.pane.waitFor(/because of rounding/)
    await seat.pane.key('Up')
    await selected(seat, /@frontend → @backend/)
    await seat.pane.key('Enter')
    await seat.pane.waitFor(/── thread of 2 messages/)
    await seat.pane.key('k')
    await selected(seat, /@backend → @frontend/)
    await seat.pane.key('NPage', 'NPage', 'NPage')
    await seat.pane.waitFor(/and the last line/)
    await seat.pane.key('Escape')
    await seat.pane.waitFor((screen) => !/── thread/.test(screen))
    await seat.pane.key('r')
    await seat.pane.waitFor(/\n› \/reply \S+ *\n/)
    await seat.pane.type('I see')
    await seat.pane.key('Enter')
    await until('the reply', () => sent(seat).at(-1)?.preview === 'I see')
    expect(sent(seat).at(-1)).toMatchObject({ from: 'human', to: 'backend', in_reply_to: id })
  })

  test('a digit answers the row under the cursor after Enter; Esc does not', async () => {
    const seat = await open({
      inbox: true,
      before: (bus) => {
        escalate(bus, 1)
        escalate(bus, 2)
      },
    })
    await seat.pane.waitFor(/▌▶ @backend #1/)
    await seat.pane.waitFor(/\n1-2 answer · Enter open/)
    await seat.pane.key('2')
    await seat.pane.waitFor(/answer #1 to @backend: 2\. keep it/)
    await seat.pane.waitFor(/\nEnter send · Esc cancel/)
    await seat.pane.key('Escape')
    await seat.pane.waitFor(/\n1-2 answer · Enter open/)
    expect(sent(seat)).toHaveLength(2)
    await seat.pane.key('j')
    await selected(seat, /#2/)
    await seat.pane.key('1')
    await seat.pane.waitFor(/answer #2 to @backend: 1\. drop it/)
    await seat.pane.key('Enter')
    await until('the answer', () => sent(seat).length === 3)
    await seat.pane.waitFor(
      (screen) => /▌▶ @backend #1/.test(screen) && !/@backend #2/.test(screen),
    )
    expect(sent(seat).at(-1)).toMatchObject({ to: 'backend', preview: '1. drop it', kind: 'reply' })
  })

  test('f shows one session, and Esc everything again', async () => {
    const seat = await open({ names: ['backend', 'frontend', 'tester'] })
    tell(seat.bus, 'backend', 'frontend', 'between them')
    tell(seat.bus, 'tester', 'human', 'for you')
    await seat.pane.waitFor(/for you/)
    await seat.pane.key('Up')
    await selected(seat, /@tester → you/)
    await seat.pane.key('f')
    await seat.pane.waitFor(/── show only .*\n.*→ everything/)
    await seat.pane.key('Down')
    await seat.pane.waitFor(/→ @backend/)
    await seat.pane.key('Enter')
    await seat.pane.waitFor((screen) => /only @backend/.test(screen) && !/for you/.test(screen))
    await seat.pane.key('Escape')
    await seat.pane.waitFor((screen) => /between them/.test(screen) && /for you/.test(screen))
  })

  test('the wheel scrolls, a click selects, a second one opens', async () => {
    const seat = await open()
    for (let count = 0; count < 30; count += 1) tell(seat.bus, 'backend', 'frontend', `m ${count}`)
    await seat.pane.waitFor(/m 29/)
    const report = (button: number, row: number) =>
      seat.pane.type(`\u001b[<${button};10;${row + 1}M`)
    await report(64, 3)
    await seat.pane.waitFor((screen) => /3 lines below/.test(screen) && !/m 29/.test(screen))
    const lines = await seat.lines()
    const row = lines.findIndex((line) => /^ +m 2\d/.test(line))
    await report(0, row)
    await seat.pane.waitFor(new RegExp(`▌ +${lines[row]?.trim()}`))
    await report(0, row)
    await seat.pane.waitFor(/── message/)
  })
})
