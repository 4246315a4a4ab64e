import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { runCli } from '../../testing/cli.ts'
import { OFF, PLUGIN, project, sessionIn } from '../../testing/client.ts'

const WHY = /hooks do not run here: \S+\/work\/\.claude\/settings\.json has disableAllHooks/
const SECRET = /zebra|lion/

/** @front, whose hooks do not run, with a message, a task and an answer to its question. */
async function world(settings: Parameters<typeof sessionIn>[0] = project(OFF)) {
  const { bus, ...more } = await sessionIn(settings, { heard: true })
  const from = { from: 'backend', to: 'front' }
  const draft = { ...from, kind: 'note', subject: 'a lion', body: 'zebra\nand more' }
  const note = sendMessage(bus, draft).message
  const task = sendMessage(bus, { ...draft, kind: 'task' }).message
  const ask = { from: 'front', to: 'backend', kind: 'question', body: 'my own words' }
  const asked = sendMessage(bus, ask).message
  const answer = { ...from, kind: 'reply', body: 'zebra', inReplyTo: asked }
  sendMessage(bus, answer)
  const ids = { '<note>': note.id, '<task>': task.id, '<asked>': asked.id }
  const run = (args: string[], env: Record<string, string> = { AGENT_CHAT_NAME: 'front' }) => {
    const given = args.map((word) => (Object.hasOwn(ids, word) ? ids[word as '<note>'] : word))
    return runCli(given, { home: bus.home.root, env })
  }
  return { bus, run, ...more }
}

const unread = (bus: Bus) => unreadIds(bus.home, 'front').length

describe('where hooks do not run, the text of others is not shown', () => {
  test.each([
    'inbox',
    'inbox --peek --full',
    'inbox --json',
    'inbox --json --budget 1024',
    'show <note>',
    'show <note> --json',
    'show <note> --lines 2-',
    'show <task>',
    'thread <note>',
    'thread <asked> --json',
    'ask --resume <asked>',
    'ask --resume <asked> --json',
    'search zebra',
    'search zebra --json',
    'history',
    'history --json',
    'export',
    'export --thread <note> --format json',
    'tasks',
    'tasks --json',
    'status',
    'status --json',
    'who --json',
  ])('%s', async (line) => {
    const { bus, run } = await world()
    const { code, stdout, stderr } = await run(line.split(' '))
    expect(stdout + stderr).not.toMatch(SECRET)
    expect(stdout).toMatch(WHY)
    expect(stdout).toContain('backend')
    expect([code, unread(bus)]).toEqual([0, 3])
  })

  test.each([
    [['accept', '<task>'], 0],
    [['accept', '<task>', '--json'], 0],
    [['accept', 'lion zebra', 'now'], 0],
    [['done', '<task>', 'it is ready'], 0],
    [['fail', '<task>'], 2],
    [['done', 'lion'], 2],
    [['done', 'lion a'], 2],
    [['done', 'giraffe'], 4],
    [['task', '@backend', 'a lion of mine'], 0],
  ])('%j', async (line, exit) => {
    const { bus, run } = await world()
    const given = { from: 'carol', kind: 'task', subject: 'a zebra and a lion', body: 'zebra' }
    sendMessage(bus, { ...given, to: 'backend' })
    if (line[1] === 'lion a') sendMessage(bus, { ...given, to: 'front' })
    const { code, stdout, stderr } = await run(line)
    expect([code, (stdout + stderr).replaceAll(line.at(-1) ?? '', '')]).toEqual([
      ...[exit, expect.not.stringMatching(SECRET)],
    ])
    expect(stdout + stderr).toContain('hooks do not run here: ')
  })

  test.each([
    ['logs', 'coder'],
    ['logs', 'coder', '--json'],
    ['logs', 'coder', '--follow'],
    ['send', '@coder', 'hello', '--stream'],
    ['send', '@coder', 'hello', '--stream', '--json'],
  ])('what a worker says: %s %s', async (...line) => {
    const { bus, run } = await world()
    const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
    const coder = { name: 'coder', agent: null }
    writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, coder }))
    mkdirSync(bus.home.workers, { recursive: true })
    writeFileSync(bus.home.worker('coder'), '{}')
    writeFileSync(bus.home.workerOutput('coder'), 'a zebra\n')
    const { code, stdout, stderr } = await run(line)
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(SECRET)])
    expect(stdout).toMatch(WHY)
    expect(line.includes('--json') || stdout.includes('@coder')).toBe(true)
  })

  test('its own words are shown, and its user is told of the rest', async () => {
    const { run } = await world()
    expect((await run(['thread', '<asked>'])).stdout).toContain('my own words')
    expect((await run(['inbox'])).stdout).toMatch(/\nTell your user that .*\n$/)
    expect(JSON.parse((await run(['inbox', '--json'])).stdout)).toMatchObject({
      unread: 3,
      withheld: expect.stringMatching(WHY),
    })
  })

  test('a person at a terminal reads all, and later the session does', async () => {
    const { bus, run, root } = await world()
    expect((await run(['inbox', 'front', '--peek'], {})).stdout).toMatch(SECRET)
    expect((await run(['show', '<note>'], {})).stdout).toMatch(SECRET)
    writeFileSync(join(root, 'work/.claude/settings.json'), '{}')
    expect((await run(['inbox'])).stdout).toMatch(SECRET)
    expect(unread(bus)).toBe(0)
  })

  test('the sender, show and who say the same sentence', async () => {
    const { run } = await world()
    const { stdout, stderr } = await run(['send', '@front', 'hello'], {
      AGENT_CHAT_NAME: 'backend',
    })
    expect(stderr).toMatch(/is stored, and @front is not woken: hooks do not run here: /)
    const id = /sent (\w+)/.exec(stdout)?.[1] ?? ''
    const shown = await run(['show', id], { AGENT_CHAT_NAME: 'backend' })
    expect(shown.stdout).toMatch(
      /not delivered yet: hooks do not run here: \S+ has disableAllHooks/,
    )
    expect((await run(['who'])).stdout).toMatch(/no guardrails: hooks do not run here: /)
    expect((await run(['who', 'front'])).stdout).toMatch(/guardrails +none: hooks do not run here/)
  })
})

test.each([
  ['another program', {}, 'other'],
  ['a Claude Code without our plugin', {}, 'claude'],
])('%s reads as ever, and who says that nothing guards it', async (_, files, name) => {
  const { bus, session } = await sessionIn(files, { name })
  const front = { ...session, native: false, pane: null }
  writeFileSync(bus.home.sessions, JSON.stringify({ front }))
  sendMessage(bus, { from: 'backend', to: 'front', kind: 'note', body: 'zebra' })
  const run = (...args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: 'front' } })
  const why = 'it runs no hooks of agent-chat'
  expect((await run('who')).stdout).toContain(`no guardrails: ${why}`)
  expect((await run('who', 'front')).stdout).toMatch(/guardrails +none: it runs no hooks/)
  expect(JSON.parse((await run('who', '--json')).stdout)).toMatchObject({
    sessions: [{ name: 'front', no_guardrails: why }],
  })
  expect((await run('inbox')).stdout).toContain('zebra')
  expect(unread(bus)).toBe(0)
})

test('where hooks run, nothing is held back', async () => {
  const { run } = await world(PLUGIN)
  expect((await run(['inbox'])).stdout).toMatch(SECRET)
  const { stdout } = await run(['who', '--json'])
  expect(stdout).not.toMatch(/no_hooks|no_guardrails/)
})
