import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { sendMessage } from '../../bus/mail/send.ts'
import { serializeMessage } from '../../message/serialize.ts'
import { cleanEnv, DIST, outcome, runCli, startCli } from '../../testing/cli.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { leftOut } from '../../testing/leftOut.ts'
import { putInInbox, someMessage } from '../../testing/message.ts'
import { until } from '../../testing/until.ts'

function world() {
  const bus = tempBus(['backend', 'frontend'])
  const send = (body: string, more = {}) =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body, ...more }).message
  const place = tempDirectory()
  const run = (...args: string[]) =>
    runCli(['export', ...args], { home: bus.home.root, cwd: place })
  return { bus, send, place, run }
}

/** Messages of long ago, enough for several writes. */
function fill(bus: ReturnType<typeof tempBus>, count: number, body = 'x'.repeat(1000)): void {
  for (let at = 0; at < count; at += 1) {
    const id = `20260101T000000.${String(at).padStart(6, '0')}Z-from-backend`
    writeFileSync(
      bus.home.message(id),
      serializeMessage(someMessage({ id, body, timestamp: '2026-01-01T00:00:00.000Z' })),
    )
  }
}

test('a file named .json is JSON, unless another form is asked for', async () => {
  const { send, place, run } = world()
  send('one')
  await run('--out', 'all.json')
  await run('--out', 'text.json', '--format', 'markdown')
  const written = (name: string) => readFileSync(join(place, name), 'utf8')
  expect(JSON.parse(written('all.json')).messages).toHaveLength(1)
  expect(written('text.json')).toMatch(/^# Messages\n/)
})

describe('markdown', () => {
  test('a section for each message, oldest first; what a body holds stays in its quote', async () => {
    const { send, run } = world()
    const one = send('# Title\n\n## 2026-01-01 00:00 UTC · @human → @backend · task\n\u001b[2J\n', {
      subject: 'a *b* <c>',
    })
    const two = send('yes', { kind: 'reply', inReplyTo: one })
    const { stdout, stderr, code } = await run()
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout.replaceAll(/^## \d{4}-\d\d-\d\d \d\d:\d\d UTC/gm, '## TIME')).toBe(
      [
        '# Messages',
        '',
        '## TIME · @backend → @frontend · note',
        '',
        `\`${one.id}\``,
        '',
        '**a \\*b\\* \\<c\\>**',
        '',
        '> # Title',
        '>',
        '> ## 2026-01-01 00:00 UTC · @human → @backend · task',
        '> ^[[2J',
        '>',
        '',
        '## TIME · @backend → @frontend · reply',
        '',
        `\`${two.id}\` · in reply to \`${one.id}\` · thread \`${one.id}\``,
        '',
        '> yes',
        '',
      ].join('\n'),
    )
  })

  test('no messages are no error', async () => {
    const { run } = world()
    expect(await run()).toMatchObject({ code: 0, stdout: '# Messages\n\nNone.\n' })
    expect(JSON.parse((await run('--format', 'json')).stdout)).toEqual({ messages: [] })
  })
})

describe('what is exported', () => {
  const bodies = (text: string) =>
    JSON.parse(text).messages.map(({ body }: { body: string }) => body)

  test('all of it as JSON, whole', async () => {
    const { bus, send, run } = world()
    fill(bus, 300)
    const sent = send('last "quoted"\n')
    const { stdout } = await run('--json')
    expect(bodies(stdout)).toHaveLength(301)
    expect(JSON.parse(stdout).messages.at(-1)).toEqual({
      id: sent.id,
      from: 'backend',
      to: 'frontend',
      timestamp: sent.timestamp,
      kind: 'note',
      thread: sent.id,
      chain: sent.id,
      hops: 0,
      body: 'last "quoted"\n',
    })
  })

  test('since an age, by what a message says, also one that was put by hand', async () => {
    const { bus, send, run } = world()
    fill(bus, 3)
    send('new')
    const header = (time: string) => `---\nfrom: backend\nto: frontend\ntimestamp: ${time}\n---\n`
    putInInbox(
      bus.home,
      'frontend',
      'a-from-backend.md',
      `${header(new Date().toISOString())}new by hand\n`,
    )
    putInInbox(
      bus.home,
      'frontend',
      'b-from-backend.md',
      `${header('2001-01-01T00:00:00Z')}old by hand\n`,
    )
    expect(bodies((await run('--json', '--since', '1d')).stdout).sort()).toEqual([
      'new',
      'new by hand',
    ])
  })

  test('one conversation, by any part of an id; an unknown one is exit 4', async () => {
    const { send, run } = world()
    const root = send('root')
    send('other')
    send('answer', { inReplyTo: root })
    expect(bodies((await run('--format', 'json', '--thread', root.id)).stdout)).toEqual([
      'root',
      'answer',
    ])
    expect(await run('--thread', 'nowhere')).toMatchObject({ code: 4, stdout: '' })
  })

  test('what is no message is named on stderr and left out', async () => {
    const { bus, send, run } = world()
    send('good')
    writeFileSync(join(bus.home.messages, 'bad.md'), 'bad')
    const { stdout, stderr, code } = await run('--json')
    expect([code, bodies(stdout)]).toEqual([0, ['good']])
    expect(stderr).toMatch(
      /^agent-chat: \S+bad\.md is not a message \(its header has no end\); skipped\n$/,
    )
  })
})

describe('--out', () => {
  test('a file for its owner alone, said where; again takes its place', async () => {
    const { send, place, run } = world()
    send('x')
    expect(await run('--out', 'a b.md')).toMatchObject({
      code: 0,
      stdout: `exported 1 message to ${place}/a b.md\n`,
    })
    expect(statSync(join(place, 'a b.md')).mode & 0o777).toBe(0o600)
    send('y')
    const { stdout } = await run('--out', 'a b.md', '--json', '--format', 'json')
    expect(JSON.parse(stdout)).toEqual({ messages: 2, out: join(place, 'a b.md') })
    expect(JSON.parse(readFileSync(join(place, 'a b.md'), 'utf8')).messages).toHaveLength(2)
    expect(readdirSync(place)).toEqual(['a b.md'])
  })

  test('through a link, the file that it leads to; the link stays', async () => {
    const { send, place, run } = world()
    send('x')
    writeFileSync(join(place, 'real'), 'old')
    symlinkSync('real', join(place, 'link'))
    expect((await run('--out', 'link')).code).toBe(0)
    expect(readFileSync(join(place, 'real'), 'utf8')).toContain('> x')
    expect(readdirSync(place).sort()).toEqual(['link', 'real'])
  })

  test.each([
    ['a directory', 'directory', /\(EISDIR\)/],
    ['a device', '/dev/null', /it is not a plain file/],
    ['in no directory', 'nowhere/x.md', /\(ENOENT\)/],
    ['below a file', 'file/x.md', /\(ENOTDIR\)/],
    ['too long', 'x'.repeat(300), /\(ENAMETOOLONG\)/],
  ])('%s is bad input, and nothing is left', async (_, out, says) => {
    const { send, place, run } = world()
    send('x')
    mkdirSync(join(place, 'directory'))
    writeFileSync(join(place, 'file'), 'mine')
    const { code, stdout, stderr } = await run('--out', out)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(says)
    expect(readdirSync(place, { recursive: true }).sort()).toEqual(['directory', 'file'])
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe('mine')
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('one that was asked to end leaves nothing', async () => {
    const { bus, place } = world()
    fill(bus, 3000)
    const child = startCli(['export', '--out', 'out.md'], { home: bus.home.root, cwd: place })
    const ended = outcome(child)
    await until('the export to have begun', () => readdirSync(place).length > 0)
    child.kill('SIGINT')
    const run = await ended
    // It may have been faster than the signal; half a file is never there.
    expect([0, 130]).toContain(run.code)
    expect(readdirSync(place)).toEqual(run.code === 0 ? ['out.md'] : [])
  })
})

/** A mount that nobody else sees, and that ends with the process. */
const MAY_MOUNT = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe('a full disk', () => {
  test(
    'leaves the old file, nothing half, and says so: exit 1',
    leftOut(!MAY_MOUNT && 'no disk can be mounted'),
    () => {
      const { bus, place } = world()
      fill(bus, 500)
      const script =
        'mount -t tmpfs -o size=64k none . && cd "$PWD" && echo old > out.md && "$@" > stdout; echo $?; ls -A; cat out.md stdout'
      const program = [RUNTIME, join(DIST, 'main.js'), 'export', '--out', 'out.md']
      const run = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', ...program], {
        cwd: place,
        env: cleanEnv({ home: bus.home.root }),
        encoding: 'utf8',
      })
      expect(run.stdout.split('\n')).toEqual(['1', 'out.md', 'stdout', 'old', ''])
      expect(run.stderr).toBe(
        `agent-chat: the export could not be written to ${place}/out.md (ENOSPC)\n  hint: free some space, or choose another file with --out; no partial file is left\n`,
      )
    },
  )

  test(
    'as standard output is exit 1, with the reason',
    leftOut(!existsSync('/dev/full') && 'there is no /dev/full'),
    () => {
      const { bus, send } = world()
      send('x')
      const full = openSync('/dev/full', 'w')
      const run = spawnSync(RUNTIME, [join(DIST, 'main.js'), 'export'], {
        env: cleanEnv({ home: bus.home.root }),
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      closeSync(full)
      expect(run.status).toBe(1)
      expect(run.stderr).toMatch(
        /^agent-chat: the output could not be written \(ENOSPC.*\)\n {2}hint: the printed export is incomplete/,
      )
    },
  )
})
