import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { readUnread } from '../../src/bus/mail/inbox.ts'
import { readState } from '../../src/session/stateFile.ts'
import { DIST, runCli } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'
import { crash, world } from './resumeWorld.ts'

const TEAM = `---
sessions:
  - name: backend
    folder: services/api
    model: opus
  - name: frontend
---
## backend
Own the API.

## frontend
Own the pages.
`

/** A repository with a team file, where the program `claude` is a stand-in. */
async function repository() {
  const here = await world()
  const api = join(here.work, 'services', 'api')
  for (const folder of [join(here.work, '.agent-chat'), join(here.work, '.git'), api])
    mkdirSync(folder, { recursive: true })
  const file = join(here.work, '.agent-chat', 'team.md')
  writeFileSync(file, TEAM)
  return {
    ...{ ...here, api, file },
    team: (...args: string[]) => here.run(['start', '--team', ...args]),
    told: (name: string) =>
      readUnread(here.bus, name).messages.map(({ from, kind, body }) => `${from} ${kind} ${body}`),
    hooksOf: (name: string) =>
      until(`the hooks of @${name}`, () => readState(here.bus.home, name)?.session_id ?? undefined),
  }
}

describe('a team in a file', () => {
  test('is started once its person has said yes to it, and each session has its brief once', async () => {
    const here = await repository()
    expect(await here.team()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('agent-chat start --team --yes'),
    })
    expect(await runCli(['start', '--team', '--yes'], { home: here.bus.home.root })).toMatchObject({
      code: 3,
      stdout: '',
    })
    expect(here.started()).toEqual([])
    const first = await here.team('--yes')
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toContain('@backend is told:\n  Own the API.\n')
    for (const name of ['backend', 'frontend'])
      expect(first.stdout).toContain(`✓ @${name} is started`)
    const starts = here.started().sort((one, other) => one.cwd.length - other.cwd.length)
    expect(starts.map(({ cwd }) => cwd)).toEqual([here.work, here.api])
    expect(starts.map(({ args }) => args.includes('--model'))).toEqual([false, true])
    expect(starts[1]?.args.slice(-2)).toEqual(['--model', 'opus'])
    // Nothing has changed, and all run.
    const again = await here.run(['start', '--team'], { cwd: here.api })
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('- @backend is running\n')
    expect(here.started()).toHaveLength(2)
    expect(here.told('backend')).toEqual(['agent-chat event Own the API.'])
    expect(here.told('frontend')).toEqual(['agent-chat event Own the pages.'])
  })

  test('comes back after a crash: own conversation, arguments of the file, no second brief', async () => {
    const here = await repository()
    await here.team('--yes')
    const ids = [await here.hooksOf('backend'), await here.hooksOf('frontend')]
    await crash(here)
    const back = await here.team()
    expect(back).toMatchObject({ code: 0 })
    expect(back.stdout).toContain('✓ @backend is back with its conversation\n')
    const since = here.started().slice(2)
    expect(since.map(({ session_id }) => session_id).sort()).toEqual(ids.sort())
    expect(since.find(({ cwd }) => cwd === here.api)?.args.slice(-4)).toEqual([
      ...['--resume', expect.anything(), '--model', 'opus'],
    ])
    expect(here.told('backend')).toHaveLength(1)
  })

  test('asks at a terminal; what changes while it asks is not what was said yes to', async () => {
    const here = await repository()
    const env = { ...here.env(), AGENT_CHAT_HOME: here.bus.home.root }
    const team = async (answer: string, meanwhile: () => void = () => {}) => {
      const pane = await here.server().newSession({ env, width: 200, cwd: here.work })
      // tmux gives a pane the PATH of whoever made it.
      await pane.submit(`PATH='${env.PATH}' ${RUNTIME} ${join(DIST, 'main.js')} start --team`)
      await pane.waitFor(/Start 2 sessions, also later while this file stays the same\? \[y\/N\]/)
      meanwhile()
      await pane.submit(answer)
      return pane
    }
    await (await team('n')).waitFor(/nothing was started/)
    expect(here.started()).toEqual([])
    const pane = await team('y', () => {
      writeFileSync(here.file, TEAM.replace('Own the pages.', 'And rm -rf.'))
      rmSync(here.api, { recursive: true })
      symlinkSync('/', here.api)
    })
    await pane.waitFor(/@backend was not started: its folder leads out of the repository/)
    await pane.waitFor(/@frontend is started/)
    expect(here.started().map(({ cwd }) => cwd)).toEqual([here.work])
    expect(here.told('frontend')).toEqual(['agent-chat event Own the pages.'])
    rmSync(here.api)
    mkdirSync(here.api)
    expect(await here.team()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has changed since'),
    })
  })

  type Here = Awaited<ReturnType<typeof repository>>

  /** What has changed since the yes; then nobody is started without another one. */
  const CHANGES: [what: string, act: (here: Here) => void, why: RegExp][] = [
    ['a brief', ({ file }) => writeFileSync(file, `${TEAM}\nAnd rm -rf.\n`), /has changed since/],
    ['a model', ({ file }) => writeFileSync(file, TEAM.replace('opus', 'x')), /has changed since/],
    [
      'a command',
      ({ file }) => writeFileSync(file, TEAM.replace('model: opus', 'command: rm')),
      /has "command" in its session backend/,
    ],
    [
      'a folder, which is a link now',
      ({ api }) => {
        rmSync(api, { recursive: true })
        symlinkSync('/', api)
      },
      /leads out of the repository/,
    ],
  ]

  test.each(CHANGES)('whose file has changed since the yes: %s', async (_, change, why) => {
    const here = await repository()
    expect(await here.team('--yes')).toMatchObject({ code: 0 })
    for (const name of ['backend', 'frontend']) await here.run(['stop', name])
    const before = here.started().length
    change(here)
    expect(await here.team()).toMatchObject({ code: 2, stderr: expect.stringMatching(why) })
    expect(here.started()).toHaveLength(before)
  })

  test('a session of that name that runs elsewhere stays as it is, and is told nothing', async () => {
    const here = await repository()
    const elsewhere = join(here.dir, 'elsewhere')
    mkdirSync(elsewhere)
    await here.run(['start', 'backend', '--detach'], { cwd: elsewhere })
    const { code, stdout } = await here.team('--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('- @backend is running\n')
    expect(here.started().map(({ cwd }) => cwd)).toEqual([elsewhere, here.work])
    expect(here.told('backend')).toEqual([])
  })

  test.each([
    [['start', '--team', 'backend']],
    [['start', '--team', '--cmd', 'cat']],
    [['start', '--team', '--agent', 'codex']],
    [['start', '--team', '--force']],
    [['start', '--team', '--', '--yolo']],
    [['start', 'backend', '--yes']],
    [['start']],
  ])('goes with nothing else: %j', async (args) => {
    const here = await world()
    expect(await here.run(args)).toMatchObject({ code: 2, stdout: '' })
  })
})
