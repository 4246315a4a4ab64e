import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { unreadCount } from '../../src/bus/mail/unread.ts'
import { readSessions } from '../../src/bus/names/registry.ts'
import { readState } from '../../src/session/stateFile.ts'
import { argumentsOf } from '../../src/system/commandLine.ts'
import { DIST, runCli } from '../../src/testing/cli.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { crash, gone, signalAll, type World, world } from './resumeWorld.ts'

/** Six sessions, and the arguments of each that come back with it. */
const OWN: Record<string, string[]> = {
  ann: ['--model', 'opus'],
  ben: ['--permission-mode', 'plan'],
  cas: ['--debug', '--add-dir', '/tmp', '--verbose'],
  dan: ['--append-system-prompt', 'two words; $(date)'],
  eve: ['--verbose', '--effort', 'high'],
  fay: [],
}
const NAMES = Object.keys(OWN)
/** Those whose own end is played; the others stay at work. */
const SOME = ['ann', 'ben', 'cas']

type Act = (here: World) => Promise<unknown>

/** Has each of some end so, and waits until it has left. */
const each =
  (end: (here: World, name: string) => Promise<unknown>): Act =>
  async (here) => {
    for (const name of SOME) {
      await end(here, name)
      await until('it to leave', () => readSessions(here.bus.home)[name] === undefined)
    }
  }

/** Who comes back by `resume`, by `resume --all`, and by `resume` once the machine has died. */
const ENDS: [end: string, act: Act, back: string[], all: string[], later: string[]][] = [
  ['SIGKILL of everything', signalAll('SIGKILL'), NAMES, NAMES, NAMES],
  ['SIGTERM of everything', signalAll('SIGTERM'), NAMES, NAMES, NAMES],
  ['SIGHUP of everything', signalAll('SIGHUP'), NAMES, NAMES, NAMES],
  [
    'the end of the tmux server',
    async (here) => {
      const pids = here.everything()
      await here.server().tmux('kill-server')
      await gone(here, pids)
    },
    NAMES,
    NAMES,
    NAMES,
  ],
  [
    'kill -9 of the agent alone',
    each(async (here, name) => process.kill(here.pidOf(name), 'SIGKILL')),
    [],
    SOME,
    NAMES,
  ],
  [
    'its closed terminal',
    each(({ server }, name) => server().tmux('kill-session', '-t', `ac-${name}`)),
    [],
    SOME,
    NAMES,
  ],
  [
    '/exit',
    each(async (here, name) => {
      const pane = readSessions(here.bus.home)[name]?.pane as string
      await here.server().tmux('send-keys', '-t', pane, '/exit', 'Enter')
      // Its watcher may have it leave before its pane has told how it ended.
      await until('it to be forgotten', () => !existsSync(here.bus.home.launched(name)))
    }),
    [],
    [],
    others(),
  ],
  ['stop', each(({ run }, name) => run(['stop', name])), [], [], others()],
  ['leave', each(({ run }, name) => run(['leave', name])), [], [], others()],
]

function others(): string[] {
  return NAMES.filter((name) => !SOME.includes(name))
}

/** Six sessions at work, and the conversation of each. */
async function six(here: World): Promise<Record<string, string>> {
  const ids = await Promise.all(
    NAMES.map((name) => here.start(name, ...(OWN[name] ?? []), 'do it')),
  )
  return Object.fromEntries(NAMES.map((name, at) => [name, ids[at] as string]))
}

/** Goes on with a conversation as a person does, without agent-chat. */
async function goOnByHand({ server, home, dir }: World, id: string): Promise<unknown> {
  const pane = await server().newSession({
    argv: [join(dir, 'bin', 'claude'), '--resume', id],
    env: {
      HOME: home,
      AC_STARTS: '/dev/null',
      AC_BIN: '/bin/true',
      PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
    },
  })
  return pane.waitFor(/❯/)
}

describe('resume', () => {
  test.each(ENDS)('of six after %s', async (_end, act, back, all, later) => {
    const here = await world({ reads: true })
    const ids = await six(here)
    await act(here)
    const names = async (...args: string[]) =>
      JSON.parse((await here.run(['resume', '--dry-run', '--json', ...args])).stdout).sessions.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names()).toEqual(back)
    expect(await names('--all')).toEqual(all)
    const sent = all.map((to) => {
      const draft = { from: 'human', to, kind: 'note', body: `a word for ${to}` } as const
      return { to, id: sendMessage(here.bus, draft).message.id }
    })
    const before = here.started().length
    const run = await here.run(['resume', '--all', '--yes'])
    expect(run).toMatchObject({ code: 0 })
    const since = await until('all to start', () => {
      const starts = here.started().slice(before)
      return starts.length >= all.length && starts
    })
    expect(since).toHaveLength(all.length)
    for (const name of all) {
      expect(run.stdout).toContain(`✓ @${name} is back with its conversation ${ids[name]}`)
      const { args = [], cwd } = since.find(({ session_id }) => session_id === ids[name]) ?? {}
      expect(args.slice(args.indexOf('--resume'))).toEqual([
        '--resume',
        ids[name],
        ...(OWN[name] ?? []),
      ])
      expect(cwd).toBe(here.work)
    }
    await until('all to be read', () => all.every((name) => unreadCount(here.bus.home, name) === 0))
    await until('each to tell', () => here.readings().length >= all.length)
    for (const { id, to } of sent) {
      const readers = here.readings().filter(({ text }) => text.includes(`a word for ${to}`))
      expect(readers.map(({ session_id }) => session_id)).toEqual([ids[to]])
      expect(
        eventsOf(here.bus.home, 'rung').filter(({ ids: rung }) => `${rung}`.includes(id)),
      ).toHaveLength(1)
    }
    // Once more, nobody is left to come back; and what ended by choice never does.
    expect(await names('--all')).toEqual([])
    await crash(here)
    expect(await names()).toEqual(later)
  })

  test('what does not come back is named, with the reason', async () => {
    const here = await world()
    const folder = join(here.dir, 'gone')
    mkdirSync(folder)
    await here.run(['start', 'away', '--detach'], { cwd: folder })
    const [byHand, behind] = [await here.start('by-hand'), await here.start('behind')]
    const taken = await here.start('taken')
    await here.start('unprompted', '--unprompted')
    await here.start('unanswered', '--unanswered')
    await here.start('risky', '--settings', '/tmp/x.json')
    await crash(here)
    rmSync(folder, { recursive: true })
    await goOnByHand(here, byHand)
    await here.run(['start', 'taker', '--detach', '--', '--resume', taken])
    writeFileSync(
      join(here.home, '.claude', 'background.json'),
      JSON.stringify([{ sessionId: behind, status: 'running' }]),
    )
    const run = await here.run(['resume', '--yes'])
    expect(run).toMatchObject({ code: 0 })
    const says = (text: RegExp) => expect(run.stdout).toMatch(text)
    says(/^- @away was not started: its folder is gone$/m)
    says(/^- @by-hand was not started: process \d+ has it open$/m)
    says(/^- @behind was not started: it runs in the background$/m)
    says(/^- @taken was not started: @taker has it open$/m)
    says(/^✓ @unprompted is back with a new conversation: nothing of its conversation is kept$/m)
    says(/^✓ @unanswered is back with a new conversation: its conversation has no answer yet$/m)
    says(
      /^- @risky was not started: --settings can load code or lift permissions; say yes in a term/m,
    )
    expect(run.stdout).not.toContain('/tmp/x.json')
    expect(Object.keys(readSessions(here.bus.home))).toContain('unprompted')
    // Named, a session that cannot come back is a failure.
    expect(await here.run(['resume', 'away', '--yes'])).toMatchObject({ code: 1 })
    expect(await here.run(['resume', 'nobody', '--yes'])).toMatchObject({ code: 4, stdout: '' })
  })

  test('asks at a terminal: once for all, and once more for each that loads code', async () => {
    const here = await world()
    await here.start('backend')
    for (const name of ['risky', 'bold']) await here.start(name, '--settings', '/tmp/x.json')
    await crash(here)
    const before = here.started().length
    const resume = async (all: string, ...each: [asks: RegExp, answer: string][]) => {
      const env = { ...here.env(), AGENT_CHAT_HOME: here.bus.home.root }
      const pane = await here.server().newSession({ env, width: 200 })
      // tmux gives a pane the PATH of whoever made it.
      await pane.submit(`PATH='${env.PATH}' ${RUNTIME} ${join(DIST, 'main.js')} resume`)
      for (const [asks, answer] of [[/Bring back 3 sessions\? \[y\/N\]/, all] as const, ...each]) {
        await pane.waitFor(asks)
        await pane.submit(answer)
      }
      return pane
    }
    await (await resume('n')).waitFor(/nothing was started/)
    expect(here.started()).toHaveLength(before)
    const pane = await resume(
      'y',
      [/@bold was started with --settings, which can load code.*\[y\/N\]/, 'y'],
      [/@risky was started with --settings, which can load code.*\[y\/N\]/, 'n'],
    )
    await pane.waitFor(/- @risky was not started: you said no/)
    await pane.waitFor(/✓ @bold is back with its conversation/)
    await pane.waitFor(/✓ @backend is back with its conversation/)
    expect(here.started()).toHaveLength(before + 2)
  })

  test.each([
    ['one of its own', 'own', 'own', ''],
    ['one of its own, without a conversation', 'own', 'own', '--unprompted'],
    ['none of its own', undefined, null, ''],
    ['none of its own, without a conversation', undefined, null, '--unprompted'],
  ])('comes back to its configuration folder: %s', async (_, folder, back, arg) => {
    const here = await world()
    const env = (config: string | undefined) => ({ ...here.env(), CLAUDE_CONFIG_DIR: config })
    const [own, other] = [join(here.dir, 'own'), join(here.dir, 'other')]
    const start = ['start', 'backend', '--detach', ...(arg ? ['--', arg] : [])]
    await here.run(start, { env: env(folder && own) })
    await until('its hooks', () => readState(here.bus.home, 'backend')?.session_id)
    await crash(here)
    expect(await here.run(['resume', '--yes'], { env: env(other) })).toMatchObject({ code: 0 })
    expect(here.started().map(({ config }) => config)).toEqual(Array(2).fill(back && own))
  })

  test('two at once, and one beside start: one process a conversation', async () => {
    const here = await world()
    const id = await here.start('backend')
    await here.start('frontend')
    await crash(here)
    const before = here.started().length
    const [one, two, three] = await Promise.all([
      here.run(['resume', '--yes']),
      here.run(['resume', '--yes']),
      here.run(['start', 'frontend', '--detach']),
    ])
    expect([one?.code, two?.code, three?.code]).toEqual([0, 0, 0])
    const since = here.started().slice(before)
    expect(since.filter(({ session_id }) => session_id === id)).toHaveLength(1)
    expect(since).toHaveLength(2)
    expect(Object.keys(readSessions(here.bus.home)).sort()).toEqual(['backend', 'frontend'])
  })

  test.each<[how: string, act: (here: World, id: string) => unknown]>([
    ['by hand', goOnByHand],
    [
      'by another of its processes, as one in the background is',
      ({ home }, sessionId) => {
        const running = join(home, '.claude', 'sessions')
        mkdirSync(running)
        writeFileSync(join(running, '1.json'), JSON.stringify({ pid: process.pid, sessionId }))
      },
    ],
  ])('gives way where its conversation is gone on with in the same moment: %s', async (_, act) => {
    const here = await world()
    const id = await here.start('backend')
    await crash(here)
    // The list of what runs in the background has been asked for, and nothing was found until then.
    const list = join(here.home, '.claude', 'background.json')
    execFileSync('mkfifo', [list])
    const resumed = here.run(['resume', '--yes'])
    const answer = await open(list, 'w')
    await act(here, id)
    await answer.writeFile('[]')
    await answer.close()
    expect(await resumed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^- @backend was not started: process \d+ has it open$/m),
    })
    // It had begun its own.
    expect(eventsOf(here.bus.home, 'joined')).toHaveLength(2)
    expect(readSessions(here.bus.home)).toEqual({})
    const { stdout } = await here.run(['resume', '--all', '--dry-run', '--json'])
    expect(JSON.parse(stdout).sessions).toMatchObject([{ name: 'backend', conversation: id }])
    const isOfIt = ({ pid }: { pid: number }) => {
      const words = argumentsOf(pid) ?? []
      return words.includes(id) && words.slice(0, 2).some((word) => word.endsWith('/claude'))
    }
    const left = () => here.bus.processes.all().filter(isOfIt).length
    await until('its own to end', () => left() <= (act === goOnByHand ? 1 : 0))
    expect(left()).toBe(act === goOnByHand ? 1 : 0)
  })

  test('the overview says who ended; a record that is no record is passed over', async () => {
    const here = await world()
    await here.start('backend')
    await crash(here)
    for (const text of ['', 'null', '{"cwd": 1}', '{"args":[1]}'])
      writeFileSync(join(here.bus.home.root, 'launched', `bad-${text.length}.json`), text)
    expect((await here.run([])).stdout).toContain(
      '1 session ended with the machine or tmux: agent-chat resume\n',
    )
    appendFileSync(here.bus.home.launched('backend'), 'torn')
    expect((await here.run(['resume', '--dry-run'])).stdout).toBe(
      'no session ended with the machine; see the others with: agent-chat resume --all\n',
    )
  })

  test('is the person’s: refused where nobody is, and asked before anything starts', async () => {
    const here = await world()
    await here.start('backend')
    await crash(here)
    const home = here.bus.home.root
    expect(await runCli(['resume', '--yes'], { home })).toMatchObject({ code: 3, stdout: '' })
    expect(await here.run(['resume'], { input: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('agent-chat resume --yes'),
    })
    expect(here.started()).toHaveLength(1)
  })
})
