import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { fileText, putInInbox } from '../../testing/message.ts'
import { markRead, readUnread } from './inbox.ts'
import { sendMessage } from './send.ts'
import { unreadIds } from './unread.ts'

const GOOD = '20261121T033912.123456Z-from-backend.md'
const named = (micro: string, from = 'backend') => `20261121T033912.${micro}Z-from-${from}.md`

/** What may lie in an inbox instead of a message, and the reason that is given for each. */
const BAD: [what: string, file: string, content: string | Buffer, why: RegExp][] = [
  ['an empty file', named('000001'), '', /empty/],
  ['a torn file', named('000002'), '---\nfrom: backend\nto: fro', /no end/],
  [
    'a binary file',
    named('000003'),
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]),
    /not text/,
  ],
  ['bytes that are not UTF-8', named('000004'), Buffer.from([0x2d, 0xc3, 0x28]), /not text/],
  ['a NUL in the body', named('000005'), fileText('backend', 'frontend', 'a\0b'), /not text/],
  [
    'a file that opens with ---js',
    named('000006'),
    '---js\nprocess.exit(99)\n---\nx',
    /not plain YAML/,
  ],
  ['a file that opens with ---json', named('000007'), '---json\n{}\n---\nx', /not plain YAML/],
  [
    'another sender than the name says',
    named('000008'),
    fileText('docs', 'frontend', 'x'),
    /name says @backend/,
  ],
  [
    'a copy under another time',
    named('000011'),
    fileText('backend', 'frontend', 'x').replace(
      '---\n',
      `---\nid: ${named('000012').slice(0, -3)}\n`,
    ),
    /it is a copy of 2026.*000012Z-from-backend/,
  ],
  [
    'a copy under the name of another sender',
    named('000013').replace('backend', 'backend-laptop'),
    fileText('backend', 'frontend', 'x').replace(
      '---\n',
      `---\nid: ${named('000013').slice(0, -3)}\n`,
    ),
    /it is a copy of 2026.*000013Z-from-backend/,
  ],
  [
    'a copy of a sync tool',
    named('000014').replace('.md', '.sync-conflict-20261125-201500-ABCDEFG.md'),
    fileText('backend', 'frontend', 'x').replace(
      '---\n',
      `---\nid: ${named('000014').slice(0, -3)}\n`,
    ),
    /its name is not the name of a message/,
  ],
  [
    'a sender that is no name',
    named('000009'),
    fileText('../x', 'frontend', 'x'),
    /from is not a session name/,
  ],
  ['a name that is no id', 'a b.md', fileText('backend', 'frontend', 'x'), /its name/],
  ['a name like an option', '-rf.md', fileText('backend', 'frontend', 'x'), /its name/],
  ['a name with a newline', 'a\nb.md', fileText('backend', 'frontend', 'x'), /its name/],
  [
    'a file too long',
    named('000010'),
    fileText('backend', 'frontend', 'x'.repeat(500_000)),
    /too long/,
  ],
]

describe('a file that is no message', () => {
  test.each(BAD)(
    '%s is moved to bad/ as it is, named, and keeps nothing else from the reader',
    (_, file, content, why) => {
      const bus = tempBus(['frontend'])
      putInInbox(bus.home, 'frontend', file, content)
      putInInbox(bus.home, 'frontend', GOOD, fileText('backend', 'frontend', 'good'))
      const { messages, bad } = readUnread(bus, 'frontend')
      expect(messages.map(({ body }) => body)).toEqual(['good'])
      expect(bad).toEqual([
        {
          file,
          path: `${bus.home.badDirectory('frontend')}/${file}`,
          why: expect.stringMatching(why),
        },
      ])
      expect(readFileSync(bad[0]?.path ?? '')).toEqual(Buffer.from(content))
      expect(eventsOf(bus.home, 'bad')).toMatchObject([
        { inbox: 'frontend', file, why: expect.stringMatching(why) },
      ])
      expect(readUnread(bus, 'frontend').bad).toEqual([])
    },
  )

  test('a symbolic link is not followed, a pipe is not waited for, a directory is not read', () => {
    const bus = tempBus(['frontend'])
    const inbox = bus.home.inbox('frontend')
    writeFileSync(`${bus.home.root}/secret.md`, fileText('backend', 'frontend', 'secret'))
    symlinkSync(`${bus.home.root}/secret.md`, `${inbox}/${named('000001')}`)
    symlinkSync('/nowhere', `${inbox}/${named('000002')}`)
    expect(spawnSync('mkfifo', [`${inbox}/${named('000003')}`]).status).toBe(0)
    mkdirSync(`${inbox}/${named('000004')}`)
    putInInbox(bus.home, 'frontend', GOOD, fileText('backend', 'frontend', 'good'))
    const { messages, bad } = readUnread(bus, 'frontend')
    expect(messages.map(({ body }) => body)).toEqual(['good'])
    expect(bad.map(({ why }) => why)).toEqual(Array(4).fill('it is not a plain file'))
    expect(readFileSync(`${bus.home.root}/secret.md`, 'utf8')).toContain('secret')
  })

  test('two bad files of one name are both kept', () => {
    const bus = tempBus(['frontend'])
    for (const content of ['first', 'second', 'third']) {
      putInInbox(bus.home, 'frontend', GOOD, content)
      readUnread(bus, 'frontend')
    }
    const kept = filesIn(bus.home.badDirectory('frontend'))
    expect(kept).toEqual([GOOD, `${GOOD}.1`, `${GOOD}.2`])
    expect(
      kept.map((file) => readFileSync(`${bus.home.badDirectory('frontend')}/${file}`, 'utf8')),
    ).toEqual(['first', 'second', 'third'])
  })

  test('what is being written, and what is no .md file, is left alone', () => {
    const bus = tempBus(['frontend'])
    putInInbox(bus.home, 'frontend', `.${GOOD}.1.tmp`, 'half')
    putInInbox(bus.home, 'frontend', 'notes.txt', 'mine')
    expect(readUnread(bus, 'frontend')).toEqual({ messages: [], bad: [] })
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([`.${GOOD}.1.tmp`, 'notes.txt'])
  })
})

describe('reading', () => {
  test('gives messages in the order of their ids, up to the limit, and leaves them unread', () => {
    const bus = tempBus(['frontend'])
    for (const body of ['one', 'two', 'three'])
      sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body })
    expect(readUnread(bus, 'frontend', 2).messages.map(({ body }) => body)).toEqual(['one', 'two'])
    expect(unreadIds(bus.home, 'frontend')).toHaveLength(3)
  })

  test('an inbox that is not there is empty', () => {
    expect(readUnread(tempBus(), 'nobody')).toEqual({ messages: [], bad: [] })
  })

  test('marking moves the very file, once, and says so in the history', () => {
    const bus = tempBus(['frontend'])
    const { message } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'x',
    })
    expect(markRead(bus, 'frontend', message.id)).toBe(true)
    expect(markRead(bus, 'frontend', message.id)).toBe(false)
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([])
    expect(filesIn(bus.home.readDirectory('frontend'))).toEqual([`${message.id}.md`])
    expect(eventsOf(bus.home, 'read')).toMatchObject([{ id: message.id, by: 'frontend' }])
  })
})
