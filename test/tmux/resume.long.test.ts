import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { readSessions } from '../../src/bus/names/registry.ts'
import { readState } from '../../src/session/stateFile.ts'
import { DIST, runCli } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'
import { crash, gone, signalAll, type World, world } from './resumeWorld.ts'

/** Who comes back by `resume`, and by `resume --all`. */
const ENDS: [end: string, act: (here: World) => Promise<unknown>, back: string, all: string][] = [
  ['SIGKILL of everything', signalAll('SIGKILL'), 'backend frontend', 'backend frontend'],
  ['SIGTERM of everything', signalAll('SIGTERM'), 'backend frontend', 'backend frontend'],
  ['SIGHUP of everything', signalAll('SIGHUP'), 'backend frontend', 'backend frontend'],
  [
    'the end of the tmux server',
    async (here) => {
      const pids = here.everything()
      await here.server().tmux('kill-server')
      await gone(here, pids)
    },
    'backend frontend',
    'backend frontend',
  ],
  [
    'kill -9 of one agent',
    async (here) => {
      const pid = here.pidOf('backend')
      process.kill(pid, 'SIGKILL')
      await gone(here, [pid])
      await until('it to leave', () => readSessions(here.bus.home).backend === undefined)
    },
    '',
    'backend',
  ],
  [
    'its closed terminal',
    async (here) => {
      const pid = here.pidOf('backend')
      await here.server().tmux('kill-session', '-t', 'ac-backend')
      await gone(here, [pid])
      await until('it to leave', () => readSessions(here.bus.home).backend === undefined)
    },
    '',
    'backend',
  ],
  [
    '/exit',
    async (here) => {
      const pane = readSessions(here.bus.home).backend?.pane as string
      await here.server().tmux('send-keys', '-t', pane, '/exit', 'Enter')
      await until('it to leave', () => readSessions(here.bus.home).backend === undefined)
      // Its watcher may have it leave before its pane has told how it ended.
      await until('it to be forgotten', () => !existsSync(here.bus.home.launched('backend')))
    },
    '',
    '',
  ],
  ['stop', async ({ run }) => run(['stop', 'backend']), '', ''],
  ['leave', async ({ run }) => run(['leave', 'backend']), '', ''],
]

describe('resume', () => {
  test.each(ENDS)('after %s', async (_end, act, back, all) => {
    const here = await world()
    const ids: Record<string, string> = {
      backend: await here.start('backend', '--model', 'opus', 'a prompt'),
      frontend: await here.start('frontend', '--permission-mode', 'plan'),
    }
    await act(here)
    const names = async (...args: string[]) =>
      JSON.parse((await here.run(['resume', '--dry-run', '--json', ...args])).stdout)
        .sessions.map(({ name }: { name: string }) => name)
        .join(' ')
    expect(await names()).toBe(back)
    expect(await names('--all')).toBe(all)
    const before = here.started().length
    const run = await here.run(['resume', '--all', '--yes'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const since = here.started().slice(before)
    const wanted = all.split(' ').filter(Boolean)
    expect(since.map(({ session_id }) => session_id).sort()).toEqual(
      wanted.map((name) => ids[name]).sort(),
    )
    for (const name of wanted) {
      expect(run.stdout).toContain(`✓ @${name} is back with its conversation ${ids[name]}\n`)
      const { args, cwd } = since.find(({ session_id }) => session_id === ids[name]) ?? {}
      const own = name === 'backend' ? ['--model', 'opus'] : ['--permission-mode', 'plan']
      expect(args?.slice(-4)).toEqual(['--resume', ids[name], ...own])
      expect(cwd).toBe(here.work)
    }
    // Once more, nobody is left to come back.
    expect(await names('--all')).toBe('')
  })

  test('what does not come back is named, with the reason', async () => {
    const here = await world()
    const folder = join(here.dir, 'gone')
    mkdirSync(folder)
    await here.run(['start', 'away', '--detach'], { cwd: folder })
    const [byHand, behind] = [await here.start('by-hand'), await here.start('behind')]
    await here.start('unprompted', '--unprompted')
    await here.start('unanswered', '--unanswered')
    await here.start('risky', '--settings', '/tmp/x.json')
    await crash(here)
    rmSync(folder, { recursive: true })
    const pane = await here.server().newSession({
      argv: [join(here.dir, 'bin', 'claude'), '--resume', byHand],
      env: {
        HOME: here.home,
        AC_STARTS: '/dev/null',
        AC_BIN: '/bin/true',
        PATH: `${join(here.dir, 'bin')}:${process.env.PATH}`,
      },
    })
    await pane.waitFor(/❯/)
    mkdirSync(join(here.home, '.claude'), { recursive: true })
    writeFileSync(
      join(here.home, '.claude', 'background.json'),
      JSON.stringify([{ sessionId: behind, status: 'running' }]),
    )
    const run = await here.run(['resume', '--yes'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const says = (text: RegExp) => expect(run.stdout).toMatch(text)
    says(/^- @away was not started: its folder is gone$/m)
    says(/^- @by-hand was not started: process \d+ has it open$/m)
    says(/^- @behind was not started: it runs in the background$/m)
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
