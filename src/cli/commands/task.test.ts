import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { shortId } from '../../message/shortId.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { type Run, runCli } from '../../testing/cli.ts'
import { filesIn, tempBus, tempDirectory } from '../../testing/home.ts'

const as = (bus: Bus, name: string, ...args: string[]): Promise<Run> =>
  runCli(args, { home: bus.home.root, env: name === '' ? {} : { AGENT_CHAT_NAME: name } })

/** Gives a task; its id. */
async function give(
  bus: Bus,
  from: string,
  to: string,
  text: string,
  ...flags: string[]
): Promise<string> {
  const { stdout } = await as(bus, from, 'task', `@${to}`, text, ...flags, '--json')
  return JSON.parse(stdout).id
}

const world = () => tempBus(['backend', 'frontend', 'docs'])

describe('task', () => {
  test('is sent as a message of that kind, and rings', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend, frontend] = agents as [TestAgent, TestAgent]
    const run = await backend.chat('task', '@frontend', 'Page', 'the list', '--subject', 'Paging')
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sent \S+ to @frontend\n$/),
      stderr: '',
    })
    const bell = await frontend.hook('bell', {
      file_path: bus.home.ring('frontend'),
      event: 'change',
    })
    expect(bell.stderr).toBe('New message from @backend. Check inbox.\n')
    const { messages } = JSON.parse((await frontend.chat('inbox', '--json')).stdout)
    expect(messages).toMatchObject([{ kind: 'task', subject: 'Paging', body: 'Page the list' }])
  })

  test('takes its text from a file', async () => {
    const bus = world()
    const path = `${tempDirectory()}/task.md`
    writeFileSync(path, '# Paging\nall of it')
    expect(await as(bus, 'backend', 'task', '@frontend', '--file', path)).toMatchObject({ code: 0 })
    expect((await as(bus, '', 'tasks')).stdout).toMatch(
      /^\w{5} {2}sent {6}@backend → @frontend {2}# Paging {2}\(/,
    )
  })

  test('beside an open one warns, and names what is open; an ended one is none', async () => {
    const bus = world()
    const first = await give(bus, 'backend', 'frontend', 'paging')
    await give(bus, 'backend', 'docs', 'not frontend’s')
    const warned = await as(bus, 'docs', 'task', '@frontend', 'sorting')
    expect(warned).toMatchObject({
      code: 0,
      stderr:
        'agent-chat: @frontend has an open task already: paging (sent); see: agent-chat tasks --open\n',
    })
    await as(bus, 'frontend', 'accept', first)
    expect((await as(bus, 'docs', 'task', '@frontend', 'search')).stderr).toContain(
      ': paging (accepted), and 1 more; see: ',
    )
    for (const part of ['paging', 'sorting', 'search'])
      await as(bus, 'frontend', 'done', `the ${part}`)
    expect((await as(bus, 'docs', 'task', '@frontend', 'four')).stderr).toBe('')
  })

  const REFUSED: [what: string, code: number, args: string[], says: RegExp][] = [
    [
      'to oneself',
      2,
      ['@backend', 'x'],
      /@backend cannot give itself a task\n {2}hint: .*agent-chat who/,
    ],
    ['to nobody', 4, ['@nobody', 'x'], /no session named @nobody/],
    ['to everybody', 2, ['@all', 'x'], /no broadcast/],
    [
      'without a recipient',
      2,
      [],
      /missing required argument 'recipient'\n {2}hint: for example: agent-chat task @.+; see: agent-chat task --help/,
    ],
    [
      'without a text',
      2,
      ['@docs'],
      /the message is empty\n {2}hint: agent-chat task @docs "what is to be done"/,
    ],
    [
      'with a subject of two lines',
      2,
      ['@docs', 'x', '--subject', 'a\nb'],
      /a subject is one line/,
    ],
  ]
  test.each(REFUSED)('%s: %i', async (_, code, args, says) => {
    const bus = world()
    const run = await as(bus, 'backend', 'task', ...args)
    expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) })
    expect(filesIn(bus.home.messages)).toEqual([])
  })
})

describe('tasks', () => {
  test('lists every task, oldest first, with its state and what came of it', async () => {
    const bus = world()
    const one = await give(
      bus,
      'backend',
      'frontend',
      'first line\nsecond line',
      '--subject',
      'Paging',
    )
    const two = await give(bus, 'frontend', 'docs', '\n\n  the docs\u001b[2J  \nmore')
    const three = await give(bus, 'backend', 'docs', 'x'.repeat(200))
    await as(bus, 'frontend', 'accept', one)
    await as(bus, 'docs', 'decline', two, '-m', 'not\nmine')
    await as(bus, 'docs', 'done', three, 'y'.repeat(300))
    const { code, stdout, stderr } = await as(bus, '', 'tasks')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      [
        `${shortId(one)}  accepted  @backend → @frontend  Paging  (just now)`,
        `${shortId(two)}  declined  @frontend → @docs  the docs^[[2J  (just now)`,
        '       why: not mine',
        `${shortId(three)}  done      @backend → @docs  ${'x'.repeat(119)}…  (just now)`,
        `       result: ${'y'.repeat(199)}…`,
        '',
      ].join('\n'),
    )
  })

  test('are those of one, given by one, or open, and all of that at once', async () => {
    const bus = world()
    const one = await give(bus, 'backend', 'frontend', 'one')
    const two = await give(bus, 'docs', 'frontend', 'two')
    const three = await give(bus, 'backend', 'docs', 'three')
    await as(bus, 'frontend', 'fail', two, '-m', 'no')
    const ids = async (name: string, ...flags: string[]) => {
      const { tasks } = JSON.parse((await as(bus, name, 'tasks', '--json', ...flags)).stdout)
      return tasks.map(({ id }: { id: string }) => id)
    }
    expect(await ids('')).toEqual([one, two, three])
    expect(await ids('frontend', '--mine')).toEqual([one, two])
    expect(await ids('frontend', '--mine', '--open')).toEqual([one])
    expect(await ids('', '--from', '@backend')).toEqual([one, three])
    expect(await ids('', '--open')).toEqual([one, three])
    expect(await ids('docs', '--mine', '--open', '--from', 'backend')).toEqual([three])
    expect(await ids('docs', '--from', 'frontend')).toEqual([])
  })

  test('are data with --json: the message, its state, and what ended it', async () => {
    const bus = world()
    const id = await give(bus, 'backend', 'frontend', 'one')
    const only = async () => JSON.parse((await as(bus, '', 'tasks', '--json')).stdout).tasks
    expect(await only()).toMatchObject([
      { id, kind: 'task', body: 'one', state: 'sent', open: true, result: null },
    ])
    await as(bus, 'frontend', 'done', id, 'it pages')
    expect(await only()).toMatchObject([
      {
        id,
        state: 'done',
        open: false,
        since: expect.stringMatching(/^20/),
        result: { body: 'it pages', kind: 'result' },
      },
    ])
  })

  test('without any say how to give one', async () => {
    const bus = world()
    expect((await as(bus, '', 'tasks')).stdout).toBe(
      'no tasks; give one with: agent-chat task @name "…"\n',
    )
    expect((await as(bus, 'docs', 'tasks', '--mine')).stdout).toBe('no tasks\n')
    expect((await as(bus, '', 'tasks', '--json')).stdout).toBe('{"tasks":[]}\n')
  })

  test('of whom, where nothing tells who asks: 6', async () => {
    expect(await as(world(), '', 'tasks', '--mine')).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(
        /hint: join first with: .*, or list those of all with: agent-chat tasks\n$/,
      ),
    })
  })

  test('from a name that is none: 2', async () => {
    expect(await as(world(), '', 'tasks', '--from', '../x')).toMatchObject({ code: 2 })
  })
})
