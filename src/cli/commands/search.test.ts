import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { systemTmux } from '../../system/tmux.ts'
import { cleanEnv, DIST, runCli } from '../../testing/cli.ts'
import { tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'

const NOBODY = 65_534
const IS_ROOT = process.getuid?.() === 0

function world() {
  const bus = tempBus(['backend', 'frontend'])
  const send = (body: string, subject?: string) => {
    const about = subject === undefined ? {} : { subject }
    const { message } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'handover',
      body,
      ...about,
    })
    return message
  }
  const search = (...args: string[]) => runCli(['search', ...args], { home: bus.home.root })
  return { bus, send, search }
}

describe('search', () => {
  test('prints who, when and what, the matching line and the id; safe to show', async () => {
    const { send, search } = world()
    const one = send('first\n\tthe \u001b[31mContract\u202e', 'API')
    const two = send('more', 'The contract')
    const { stdout, stderr, code } = await search('contract')
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')).toBe(
      [
        `${shortId(two.id)}  TIME  @backend → @frontend  handover  The contract`,
        `${shortId(one.id)}  TIME  @backend → @frontend  handover  API`,
        '    2: the ^[[31mContract<U+202E>',
        '',
      ].join('\n'),
    )
  })

  test('--json gives the messages, the line and whether there are more; --limit what is printed', async () => {
    const { send, search } = world()
    const sent = [send('x 1'), send('x 2'), send('y')]
    const run = await search('x', '--json', '--limit', '1')
    expect(JSON.parse(run.stdout)).toEqual({
      messages: [
        {
          id: sent[1]?.id,
          from: 'backend',
          to: 'frontend',
          timestamp: sent[1]?.timestamp,
          kind: 'handover',
          thread: sent[1]?.id,
          chain: sent[1]?.id,
          hops: 0,
          body: 'x 2',
          line: { number: 1, text: 'x 2' },
        },
      ],
      more: true,
    })
    expect((await search('x', '--limit', '1')).stdout).toMatch(/\nto see more: --limit 2\n$/)
  })

  test('nothing found is a success', async () => {
    const { search } = world()
    expect(await search('x')).toMatchObject({ code: 0, stdout: 'no message holds this\n' })
    expect(await search('x', 'y')).toMatchObject({
      code: 0,
      stdout: 'no message holds all of these\n',
    })
    expect((await search('x', '--to', 'nobody')).stderr).toBe(
      'agent-chat: there is no session @nobody\n',
    )
    expect(JSON.parse((await search('x', '--json')).stdout)).toEqual({ messages: [], more: false })
  })

  test('names with or without @, kinds, ages, and words that look like options', async () => {
    const { send, search } = world()
    send('use --force here')
    const found = async (...args: string[]) =>
      JSON.parse((await search(...args)).stdout).messages.length
    expect(
      await found(
        '--json',
        '--from',
        '@backend',
        '--to',
        'frontend',
        '--since',
        '2d',
        '--',
        '--force',
      ),
    ).toBe(1)
    expect(await found('force', '--json', '--kind', 'task')).toBe(0)
    expect(await found('force', '--json', '--from', 'frontend')).toBe(0)
  })

  test.each([
    [[]],
    [['']],
    [['x', ' ']],
    [['x', '--since', '2']],
    [['x', '--since', 'yesterday']],
    [['x', '--kind', 'letter']],
    [['x', '--from', '../x']],
    [['x', '--limit', '0']],
    [['--force']],
  ])('%j is bad usage', async (args) => {
    const { search } = world()
    const run = await search(...args)
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(/^agent-chat: .+\n {2}hint: .+\n$/)
  })

  test('a line too long to show is shown around the word', async () => {
    const { send, search } = world()
    send(`${'a'.repeat(100_000)} needle ${'b'.repeat(100_000)}`)
    const line = (await search('NEEDLE')).stdout.split('\n')[1] ?? ''
    expect(line).toMatch(/^ {4}1: …a{39} needle b+…$/)
    expect(line.length).toBeLessThan(200)
  })

  test('a home that cannot be written is searched all the same', async () => {
    const { bus, send } = world()
    send('x')
    if (IS_ROOT) {
      spawnSync('chown', ['-R', String(NOBODY), bus.home.root])
      chmodSync(join(bus.home.root, '..'), 0o755)
    }
    chmodSync(bus.home.root, 0o500)
    const run = await runCli(['search', 'x', '--json'], {
      home: bus.home.root,
      ...(IS_ROOT ? { uid: NOBODY } : {}),
    })
    chmodSync(bus.home.root, 0o700)
    expect(JSON.parse(run.stdout).messages).toHaveLength(1)
    expect(run.stderr).toBe('')
  })
})

describe('at a terminal', () => {
  const SOCKET = 'search.sock'

  test.each([
    ['words are in colour', {}, /2: see the (\u001b\[[\d;]+m)+Con\.tract/],
    ['but not with NO_COLOR', { NO_COLOR: '1' }, /2: see the Con\.tract$/m],
  ])('%s', async (_, env, expected) => {
    const { bus, send } = world()
    send('first\nsee the Con.tract')
    const server = systemTmux(() => '')
    const socket = join(bus.home.root, SOCKET)
    const variables = Object.entries(cleanEnv({ home: bus.home.root, env })).map(
      ([key, value]) => `${key}=${value}`,
    )
    const program = [RUNTIME, join(DIST, 'main.js'), 'search', 'con.tract']
    const start = [
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '100',
      '-y',
      '20',
      '--',
      '/usr/bin/env',
      '-i',
    ]
    const shell = ['/bin/sh', '-c', '"$@"; echo END; exec cat', 'sh', ...program]
    try {
      await server.run([...start, ...variables, 'TERM=screen', ...shell], socket)
      const screen = await until('the answer', async () => {
        const { stdout } = await server.run(['capture-pane', '-p', '-e'], socket)
        return stdout.includes('END') && stdout
      })
      expect(screen).toMatch(expected)
    } finally {
      await server.run(['kill-server'], socket)
    }
  })
})

describe('many at once', () => {
  test('each search finds what was sent before it began, once, while messages arrive', async () => {
    const { send, search } = world()
    let sent = 0
    for (; sent < 50; sent += 1) send(`x${sent}`)
    const before = sent
    const searches = Array.from({ length: 6 }, () => search('x', '--json', '--limit', '9999'))
    const all = Promise.all(searches)
    let over = false
    void all.then(() => {
      over = true
    })
    while (!over) {
      send(`x${sent}`)
      sent += 1
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    for (const { stdout } of await all) {
      const found: string[] = JSON.parse(stdout).messages.map(
        (hit: { line: { text: string } }) => hit.line.text,
      )
      expect(new Set(found).size).toBe(found.length)
      expect(found).toEqual(
        expect.arrayContaining(Array.from({ length: before }, (_, at) => `x${at}`)),
      )
      expect(found.length).toBeLessThanOrEqual(sent)
    }
    const last = JSON.parse((await search('x', '--json', '--limit', '9999')).stdout)
    expect(last.messages).toHaveLength(sent)
  })
})
