import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { unreadIds } from '../../src/bus/mail/unread.ts'
import { shortId } from '../../src/message/shortId.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { attach, type ConsoleSeat, escalate, roomProcess, sitDown, tell } from './consoleWorld.ts'

const sent = ({ bus }: ConsoleSeat) => eventsOf(bus.home, 'sent')

/** Types a line and waits until the box is empty again; what it asks for may not be done yet. */
async function enter(seat: ConsoleSeat, line: string): Promise<void> {
  await seat.pane.submit(line)
  await seat.pane.waitFor((screen) => /\n› *\n/.test(screen))
}

/** The line that is typed now, with what follows it. */
async function draft(seat: ConsoleSeat): Promise<string> {
  const lines = await seat.lines()
  return lines
    .slice(
      lines.findLastIndex((line) => line.startsWith('›')),
      -1,
    )
    .join('\n')
    .slice(1)
    .trim()
}

describe('the room', () => {
  test('shows who is here, what passes between agents, and what waits, which is answered by its number', async () => {
    const seat = await sitDown({
      before: (bus) => {
        tell(bus, 'backend', 'frontend', 'GET /tasks is ready')
        escalate(bus, 1)
      },
    })
    const screen = await seat.pane.waitFor(/▶ 1 needs you/)
    expect(screen).toMatch(/^▶ @backend .*\n\? @frontend +unknown +1 unread\n/)
    expect(screen).toMatch(/@backend → @frontend +handover.*\n +GET \/tasks is ready/)
    expect(screen).toMatch(/── new ──.*\n.*@backend → you +▶ decision #1/)
    await seat.pane.submit('#1 2')
    await seat.pane.waitFor((text) => !text.includes('needs you'))
    expect(sent(seat).at(-1)).toMatchObject({
      from: 'human',
      to: 'backend',
      preview: '2. keep it',
      kind: 'reply',
    })
    tell(seat.bus, 'frontend', 'backend', 'thank you for that')
    await seat.pane.waitFor(/@frontend → @backend[^\n]*\n +thank you for that/)
  })

  test('knows every command', async () => {
    const seat = await sitDown({ height: 40 })
    const shows = async (line: string, what: RegExp) => {
      await seat.pane.submit(line)
      await seat.pane.waitFor(what)
      await seat.pane.waitFor((screen) => /\n› *\n/.test(screen))
    }
    const { id } = tell(seat.bus, 'frontend', 'backend', 'which page?', 'question')
    const short = id.slice(9, 22)
    await seat.pane.waitFor(/which page\?/)
    await shows('@backend', /── to: @backend/)
    await shows('good morning', /you → @backend +note.*\n +good morning/)
    await shows('@frontend /task move the list', /you → @frontend +task.*\n +move the list/)
    await shows('@backend /ask is it a string?', /you → @backend +question.*\n +is it a string\?/)
    await shows('/who', /› \/who\n +name +pane +state/)
    await shows('/tasks', /› \/tasks\n +\w{5} +sent +@human → @frontend +move the list/)
    await shows('/history 2', /› \/history 2\n.*@human → @frontend +task/)
    await shows(`/thread ${short}`, /› \/thread .*\n +1 message in the thread/)
    await shows(`/reply ${short} the second`, /you → @frontend +reply.*\n +the second/)
    await shows(`/show ${short}`, /to @backend · unread/)
    await shows('/gate', /› \/gate\n +@backend +unknown/)
    await shows('/status @backend', /› \/status @backend\n +@backend\n/)
    await shows('/pause', /notifications paused/)
    await shows('/resume', /notifications are on again/)
    await seat.pane.waitFor((screen) => !screen.startsWith('notifications paused'))
    await seat.pane.submit('/inbox')
    await seat.pane.waitFor(/── nothing needs you · \d+ unread /)
    await seat.pane.key('i')
    await seat.pane.waitFor(/\n› *\n/)
    await shows('/help', /@name \/ask text +ask it/)
    await seat.pane.submit('/quit')
    await seat.pane.waitFor(/left 0/)
    expect(
      sent(seat)
        .slice(1)
        .map(({ from, to, kind }) => [from, to, kind]),
    ).toEqual([
      ['human', 'backend', 'note'],
      ['human', 'frontend', 'task'],
      ['human', 'backend', 'question'],
      ['human', 'frontend', 'reply'],
    ])
  })

  test('shows an answer when it comes, and holds nothing up meanwhile', async () => {
    const seat = await sitDown()
    await enter(seat, '@backend /ask is it a string?')
    await enter(seat, 'and another thing')
    const question = await until('the question', () => sent(seat)[0])
    const run = await seat.run([
      'reply',
      String(question.id),
      'yes, because of the rounding',
      '--as',
      'backend',
    ])
    expect(run.code).toBe(0)
    await seat.pane.waitFor(/@backend → you +reply.*\n +yes, because of the rounding/)
  })

  test('counts a message as read at the next key of somebody who sees it, and never in a detached session', async () => {
    const seat = await sitDown({ before: (bus) => tell(bus, 'backend', 'human', 'for your eyes') })
    const unread = () => unreadIds(seat.bus.home, 'human').length
    await seat.pane.waitFor(/for your eyes/)
    await seat.pane.submit('/who')
    await seat.pane.waitFor(/› \/who\n/)
    expect(unread()).toBe(1)
    await attach(seat)
    await seat.pane.type('x')
    await until('the mark', () => unread() === 0)
    tell(seat.bus, 'backend', 'human', 'and this')
    await seat.pane.waitFor(/and this/)
    expect(unread()).toBe(1)
    await seat.pane.type('y')
    await until('the mark', () => unread() === 0)
  })

  test('marks a message as read when it was seen; what comes while one reads further up stays unread', async () => {
    const seat = await sitDown()
    await attach(seat)
    for (let count = 0; count < 30; count += 1)
      tell(seat.bus, 'backend', 'frontend', `message ${count}`)
    await seat.pane.waitFor(/message 29/)
    await seat.pane.key('PPage')
    const before = await seat.pane.waitFor(
      (screen) => /lines below: PgDn/.test(screen) && !screen.includes('message 29'),
    )
    tell(seat.bus, 'backend', 'human', 'for your eyes')
    const after = await seat.pane.waitFor(/1 unread: \/inbox/)
    expect(after.split('\n').slice(2, -4)).toEqual(before.split('\n').slice(2, -4))
    expect(unreadIds(seat.bus.home, 'human')).toHaveLength(1)
    await seat.pane.key('NPage')
    await seat.pane.key('NPage')
    await seat.pane.waitFor(/for your eyes/)
    await seat.pane.key('C-l')
    await until('the mark', () => unreadIds(seat.bus.home, 'human').length === 0)
  })

  test('/inbox goes to the inbox, where nothing is read that is only listed', async () => {
    const seat = await sitDown({
      inbox: true,
      before: (bus) => {
        for (let count = 0; count < 20; count += 1)
          tell(bus, 'backend', 'human', `message ${count}\nwith a second line`)
      },
    })
    await attach(seat)
    const unread = () => unreadIds(seat.bus.home, 'human').length
    await seat.pane.waitFor(/▌• @backend handover {2}message 19/)
    await seat.pane.key('j')
    await seat.pane.waitFor(/▌• @backend handover {2}message 18/)
    expect(unread()).toBe(20)
    await seat.pane.key('i')
    await seat.pane.waitFor(/\d+ unread: \/inbox/)
    await seat.pane.submit('/inbox')
    await seat.pane.waitFor(/── nothing needs you · \d+ unread /)
    await until('what was seen while writing', () => unread() < 20)
  })
})

describe('what is half typed', () => {
  test('stays while messages come, and is sent whole', async () => {
    const seat = await sitDown()
    const text = '@backend the list has pages of fifty, see docs'
    for (const word of text.split(/(?<= )/)) {
      await seat.pane.type(word)
      tell(seat.bus, 'frontend', 'backend', `between ${word}`)
      await seat.pane.waitFor((screen) => screen.includes(`between ${word.trim()}`))
    }
    expect(await draft(seat)).toBe(text)
    await seat.pane.key('Enter')
    await until('the message', () =>
      sent(seat).some(({ preview }) => preview === text.slice('@backend '.length)),
    )
  })

  test('stays after one Ctrl-C, which says how to leave; another key takes that back; two in a row leave', async () => {
    const seat = await sitDown()
    await seat.pane.type('@backend half')
    await seat.pane.key('C-c')
    await seat.pane.waitFor(/press Ctrl-C again to leave/)
    expect(await draft(seat)).toBe('@backend half')
    await seat.pane.type('!')
    await seat.pane.waitFor((screen) => !screen.includes('press Ctrl-C'))
    await seat.pane.key('C-c')
    await seat.pane.waitFor(/press Ctrl-C again to leave/)
    expect(await draft(seat)).toBe('@backend half!')
    await seat.pane.key('C-c')
    // What stood on the terminal before is there again.
    await seat.pane.waitFor(/^before\nleft 0\n/)
    expect(sent(seat)).toEqual([])
  })

  test('is put back where it could not be sent', async () => {
    const seat = await sitDown()
    await seat.pane.submit('@nobody hello')
    await seat.pane.waitFor(/no session named @nobody is registered/)
    await until('the draft', async () => (await draft(seat)) === '@nobody hello')
  })

  test('is not left by Ctrl-D; an empty line is', async () => {
    const seat = await sitDown()
    await seat.pane.type('x')
    await seat.pane.key('C-d')
    await seat.pane.type('y')
    await until('the draft', async () => (await draft(seat)) === 'xy')
    await seat.pane.key('BSpace', 'BSpace')
    await until('the empty draft', async () => (await draft(seat)) === '')
    await seat.pane.key('C-d')
    await seat.pane.waitFor(/left 0/)
  })

  test('may be pasted, several lines as one message', async () => {
    const seat = await sitDown()
    await seat.pane.type('@backend ')
    await seat.server.tmux('set-buffer', 'first line\nsecond line\n\u001b[2Jthird')
    await seat.server.tmux('paste-buffer', '-p', '-t', seat.pane.id)
    await seat.pane.waitFor(/third/)
    expect(sent(seat)).toEqual([])
    await seat.pane.key('Enter')
    await until('the message', () => sent(seat).length === 1)
    expect(sent(seat)[0]?.preview).toBe('first line\nsecond line\n[2Jthird')
  })
})

describe('keys', () => {
  test('Tab completes names, commands and ids', async () => {
    const seat = await sitDown({ names: ['backend', 'backup', 'frontend'] })
    const { id } = tell(seat.bus, 'backend', 'frontend', 'one')
    await seat.pane.waitFor(/one/)
    const tabs = async (text: string, keys: string[], result: string) => {
      await seat.pane.type(text)
      for (const key of keys) await seat.pane.key(key)
      await until(result, async () => (await draft(seat)) === result)
      await seat.pane.key('C-u')
    }
    await tabs('@f', ['Tab'], '@frontend')
    await tabs('@b', ['Tab'], '@back')
    await tabs('@b', ['Tab', 'Tab', 'Tab'], '@backup')
    await tabs('/thr', ['Tab'], '/thread')
    await tabs(`/thread ${shortId(id).slice(0, 3)}`, ['Tab'], `/thread ${shortId(id)}`)
  })

  test('Ctrl-P, then Up and Down, go through what was typed before', async () => {
    const seat = await sitDown()
    await enter(seat, '@backend one')
    await enter(seat, 'two')
    await seat.pane.key('C-p')
    await until('two', async () => (await draft(seat)) === 'two')
    await seat.pane.key('Up')
    await until('one', async () => (await draft(seat)) === '@backend one')
    await seat.pane.key('Down')
    await until('two again', async () => (await draft(seat)) === 'two')
  })
})

describe('wide characters', () => {
  test('are typed, deleted as one, sent and shown', async () => {
    const seat = await sitDown()
    await seat.pane.type('@backend 日本語 👩‍💻é🎉')
    await seat.pane.waitFor(/日本語/)
    await seat.pane.key('BSpace', 'BSpace', 'BSpace')
    await seat.pane.type('ok')
    await until('the draft', async () => (await draft(seat)) === '@backend 日本語 ok')
    await seat.pane.key('Enter')
    await seat.pane.waitFor(/you → @backend.*\n +日本語 ok/)
    expect(sent(seat)[0]?.preview).toBe('日本語 ok')
  })

  test('break no line, at any width', async () => {
    const seat = await sitDown()
    tell(seat.bus, 'backend', 'human', `${'日本語🎉'.repeat(20)} ${'👩‍💻🇩🇰⚠️'.repeat(12)} end`)
    await seat.pane.waitFor(/end/)
    for (const width of [79, 41, 20, 80]) {
      await seat.resize(width, 24)
      // A screen that is half drawn is none yet.
      await until(`a whole screen of ${width} columns`, async () => {
        const lines = await seat.lines()
        const [rule = '', draft = ''] = lines.slice(-3)
        const isWhole = lines.length === 24 && rule.startsWith('── ') && draft.startsWith('›')
        return isWhole && rule.length <= width
      })
    }
  })
})

test('resizing keeps the room and the draft: 80, 20, 120 columns, few rows and many', async () => {
  const seat = await sitDown({ before: (bus) => escalate(bus, 1) })
  tell(seat.bus, 'backend', 'frontend', 'a message of several words that has to be broken')
  await seat.pane.waitFor(/has to be broken/)
  await seat.pane.type('@backend half')
  const fills = async (width: number, height: number, typed: RegExp) => {
    await seat.resize(width, height)
    const lines = await until(`${width} × ${height}`, async () => {
      const now = await seat.lines()
      return (
        now.length === height && typed.test(now.slice(-3).join('').replaceAll(/\s/g, '')) && now
      )
    })
    expect(lines.filter((line) => line.startsWith('›')).length).toBeLessThan(2)
  }
  await fills(20, 24, /›@backendhalf/)
  await fills(20, 6, /›@backendhalf/)
  await fills(120, 40, /›@backendhalf/)
  await fills(7, 3, /f$/)
  await fills(2, 1, /f$/)
  await fills(80, 24, /›@backendhalf/)
  await seat.pane.waitFor(/^▶ @backend +unknown *\n\? @frontend +unknown/)
  await seat.pane.waitFor(/broken/)
})

describe('colours', () => {
  const COLOUR = /\u001b\[[\d;]*(3[0-7]|9[0-7])(;|m)/

  test('tell names apart', async () => {
    const seat = await sitDown()
    await seat.pane.waitFor(/@backend/)
    expect(await seat.pane.screen({ escapes: true })).toMatch(COLOUR)
  })

  test('are left out with NO_COLOR', async () => {
    const seat = await sitDown({ env: { NO_COLOR: '1' }, before: (bus) => escalate(bus, 1) })
    await seat.pane.submit('/nothing')
    await seat.pane.waitFor(/no command/)
    expect(await seat.pane.screen({ escapes: true })).not.toMatch(COLOUR)
  })
})

describe('the bell', () => {
  const rung = async (seat: ConsoleSeat) =>
    (
      await seat.server.tmux('display-message', '-p', '-t', seat.pane.id, '#{window_bell_flag}')
    ).trim() === '1'

  test('rings for a message to the human, and for no other', async () => {
    const seat = await sitDown()
    tell(seat.bus, 'backend', 'frontend', 'between us')
    await seat.pane.waitFor(/between us/)
    expect(await rung(seat)).toBe(false)
    tell(seat.bus, 'backend', 'human', 'for you')
    await until('the bell', () => rung(seat))
  })

  test('is still with AGENT_CHAT_NOTIFY=off', async () => {
    const seat = await sitDown({ env: { AGENT_CHAT_NOTIFY: 'off' } })
    tell(seat.bus, 'backend', 'human', 'for you')
    await seat.pane.waitFor(/for you/)
    tell(seat.bus, 'backend', 'human', 'and this')
    await seat.pane.waitFor(/and this/)
    expect(await rung(seat)).toBe(false)
  })
})

describe('the end', () => {
  test('of its terminal ends it, at once and without a trace', async () => {
    const seat = await sitDown()
    const room = await roomProcess(seat)
    await seat.pane.kill()
    await until('its end', () => !seat.bus.processes.isAlive(room))
  })

  test('of the home is told, and the room goes on with another', async () => {
    const seat = await sitDown()
    await seat.pane.type('half')
    rmSync(seat.bus.home.root, { recursive: true })
    await seat.pane.waitFor(/the home .* is gone/s)
    expect(await draft(seat)).toBe('half')
    const { code } = await seat.run(['join', 'backend'])
    expect(code).toBe(0)
    await seat.pane.waitFor((screen) => !/is gone/.test(screen) && /@backend/.test(screen))
    tell(seat.bus, 'backend', 'human', 'here again')
    await seat.pane.waitFor(/here again/)
    expect(await draft(seat)).toBe('half')
  })
})

describe('plain mode', () => {
  test.each([
    ['--plain', ['--plain'], ''],
    ['TERM=dumb', [], 'TERM=dumb'],
  ])('by %s: lines, no other screen, Ctrl-C twice', async (_, args, prefix) => {
    const { server, bus, pane } = await sitDown({ args, prefix, ready: /\/help for help/ })
    tell(bus, 'backend', 'human', 'first\nsecond')
    await pane.waitFor(/@backend to you, handover: first second/)
    await pane.submit('@backend hello')
    await pane.waitFor(/you to @backend, note: hello/)
    expect(
      (await server.tmux('display-message', '-p', '-t', pane.id, '#{alternate_on}')).trim(),
    ).toBe('0')
    await pane.key('C-c')
    await pane.waitFor(/press Ctrl-C again to leave/)
    await pane.key('C-c')
    await pane.waitFor(/left 0/)
  })
})
