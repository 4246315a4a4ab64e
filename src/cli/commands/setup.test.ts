import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { findProgram } from '../../system/programs.ts'
import { systemTmux } from '../../system/tmux.ts'
import { cleanEnv, DIST, outcome, type Run, runCli } from '../../testing/cli.ts'
import { tempDirectory } from '../../testing/home.ts'
import { leftOut } from '../../testing/leftOut.ts'
import { until } from '../../testing/until.ts'

const ROOT = realpathSync(dirname(DIST))
const TMUX = findProgram('tmux', process.env) ?? '/usr/bin/tmux'

/**
 * A machine with nothing on it: an empty HOME, and a PATH where only what is put there is found.
 */
type Machine = {
  userHome: string
  bin: string
  home: string
  link: string
  log: string
  env: Record<string, string>
}

function emptyMachine(): Machine {
  const place = tempDirectory()
  const [userHome, bin] = [join(place, 'user'), join(place, 'bin')]
  for (const path of [userHome, bin]) mkdirSync(path)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const name of ['env', 'cat'])
    symlinkSync(findProgram(name, process.env) ?? '', join(bin, name))
  const link = join(userHome, '.local', 'bin', 'agent-chat')
  const env = { HOME: userHome, PATH: bin, SHELL: '/bin/bash' }
  return { userHome, bin, home: join(userHome, 'agent-chat'), link, log: join(place, 'log'), env }
}

/** A program that notes how it was called, and then does this in a shell. */
function stub({ bin, log }: Machine, name: string, script: string): void {
  const text = `#!/bin/sh\necho "${name} $*" >> ${log}\n${script}\n`
  writeFileSync(join(bin, name), text, { mode: 0o755 })
}

/**
 * A package manager that knows tmux after its first update only, an npm that brings claude, and a
 * sudo that asks nothing.
 */
function stubInstallers(machine: Machine): void {
  const { bin } = machine
  const install = `/bin/ln -sf ${TMUX} ${bin}/tmux`
  stub(
    machine,
    'apt-get',
    `case "$1" in update) : > ${bin}/.updated ;; *) test -e ${bin}/.updated && ${install} ;; esac`,
  )
  const claude = `printf '#!/bin/sh\\necho 2.1.329\\n' > ${bin}/claude && /bin/chmod 755 ${bin}/claude`
  stub(machine, 'npm', claude)
  writeFileSync(join(bin, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
}

const setup = (machine: Machine, ...args: string[]) => runCli(['setup', ...args], machine)
const calls = ({ log }: Machine) =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
const INSTALLED = [
  'apt-get install -y tmux',
  'apt-get update',
  'apt-get install -y tmux',
  'npm install -g @anthropic-ai/claude-code',
]
const ON_LINUX = leftOut(process.platform !== 'linux' && 'it is for Linux')

/** Every path of a machine with what it holds, without the files that name processes. */
function picture(machine: Machine): string[] {
  return readdirSync(machine.userHome, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const full = join(machine.userHome, path)
      const stat = lstatSync(full)
      return `${path} ${stat.isSymbolicLink() ? readlinkSync(full) : stat.isFile() ? readFileSync(full, 'utf8') : ''}`
    })
}

describe('on an empty machine', () => {
  test(
    '--yes installs, makes the home, links, proves it; a second run changes nothing',
    ON_LINUX,
    async () => {
      const machine = emptyMachine()
      stubInstallers(machine)
      const first = await setup(machine, '--yes')
      expect(calls(machine)).toEqual(INSTALLED)
      expect(first.code).toBe(0)
      expect(first.stdout).toMatch(/^ok {6}doorbell {4}a message rang a real pane in \d+ ms$/m)
      // What installers print is talk, not the answer.
      expect(first.stderr).toContain('apt-get install -y tmux')
      expect(readFileSync(join(machine.home, 'sessions.json'), 'utf8')).toBe('{}\n')
      expect(readlinkSync(machine.link)).toBe(join(ROOT, 'bin', 'agent-chat'))
      expect(first.stdout).toContain(`${dirname(machine.link)} is not on PATH`)
      expect(first.stdout).toContain(`echo 'export PATH="$HOME/.local/bin:$PATH"' >> ~/.bashrc`)
      // What it says last can be typed as it stands, although its link is not found yet.
      expect(first.stdout).toMatch(
        new RegExp(
          `\n\nReady\\. .*: ${join(ROOT, 'bin', 'agent-chat')} start backend\n.*bind-key A display-popup .* console"\n$`,
        ),
      )
      const page = readFileSync(join(ROOT, 'docs', 'console.md'), 'utf8')
      const [, keyed = ''] = /\n(bind-key .*") */.exec(page) ?? []
      expect(first.stdout.replaceAll(join(ROOT, 'bin', 'agent-chat'), 'agent-chat')).toContain(
        keyed,
      )
      // Nothing is missing without it, so it has to be asked for.
      expect(existsSync(join(machine.userHome, '.local/share/bash-completion'))).toBe(false)
      const before = picture(machine)
      const second = await setup(machine, '--yes')
      expect(second.code).toBe(0)
      expect(calls(machine)).toEqual(INSTALLED)
      expect(picture(machine)).toEqual(before)
    },
  )

  test(
    'with nobody to ask, it installs nothing and tells what to type: exit 7 without tmux',
    ON_LINUX,
    async () => {
      const machine = emptyMachine()
      stubInstallers(machine)
      const run = await setup(machine)
      expect(run.code).toBe(7)
      expect(calls(machine)).toEqual([])
      expect(run.stdout).toContain('apt-get install -y tmux')
      expect(run.stdout).toContain('npm install -g @anthropic-ai/claude-code')
      expect(run.stdout).toMatch(
        new RegExp(`\n\nNot ready\\. .*: ${join(ROOT, 'bin', 'agent-chat')} setup\n$`),
      )
      expect(existsSync(machine.home)).toBe(true)
    },
  )

  test(
    'an npm that may not write, or writes where no shell looks, is told what helps',
    ON_LINUX,
    async () => {
      for (const [script, detail, hint] of [
        ['exit 243', 'could not be installed: npm failed', 'npm config set prefix ~/.local'],
        ['exit 0', 'installed, but not on PATH', '$(npm prefix -g)/bin'],
      ] as const) {
        const machine = emptyMachine()
        symlinkSync(TMUX, join(machine.bin, 'tmux'))
        stub(machine, 'npm', script)
        const run = await setup(machine, '--yes', '--no-ring', '--json')
        expect(run.code).toBe(7)
        const told = {
          name: 'claude',
          status: 'failed',
          detail,
          hint: expect.stringContaining(hint),
        }
        expect(JSON.parse(run.stdout).steps[0]).toEqual(told)
      }
    },
  )

  test('a directory that it may not write to is named', async () => {
    const machine = emptyMachine()
    symlinkSync(TMUX, join(machine.bin, 'tmux'))
    writeFileSync(join(machine.userHome, '.local'), 'mine')
    const run = await setup(machine, '--no-ring', '--json')
    expect(run.code).toBe(1)
    const { steps } = JSON.parse(run.stdout)
    expect(steps).toContainEqual({
      name: 'link',
      status: 'failed',
      detail: expect.stringMatching(/^E(NOTDIR|EXIST)/),
      hint: expect.stringContaining(`: ls -ld ${machine.userHome}/.local`),
    })
  })

  test(
    '--check changes nothing: exit 7 while something is missing, 0 after',
    ON_LINUX,
    async () => {
      const machine = emptyMachine()
      stubInstallers(machine)
      expect((await setup(machine, '--check')).code).toBe(7)
      expect([calls(machine), picture(machine)]).toEqual([[], []])
      symlinkSync(TMUX, join(machine.bin, 'tmux'))
      expect(await setup(machine, '--check')).toMatchObject({
        code: 7,
        stdout: expect.stringMatching(/^failed +claude [\s\S]*Fix the lines marked failed/m),
      })
      // Another agent needs no Claude Code.
      const env = { ...machine.env, AGENT_CHAT_CMD: 'other' }
      expect((await runCli(['setup', '--check'], { ...machine, env })).code).toBe(0)
      stub(machine, 'codex', 'echo 0.169.0')
      const other = await setup(machine, '--check')
      expect([other.code, other.stdout]).toEqual([
        0,
        expect.stringMatching(
          /^warning claude .*--agent codex$[\s\S]*start backend --agent codex$/m,
        ),
      ])
      rmSync(join(machine.bin, 'codex'))
      stub(machine, 'claude', 'echo 2.1.329')
      const run = await setup(machine, '--check', '--json')
      expect(run.code).toBe(0)
      expect(JSON.parse(run.stdout)).toMatchObject({
        ok: true,
        steps: [],
        checks: [{ name: 'node' }, { name: 'tmux' }, {}, { name: 'home' }, {}],
      })
      // A home that cannot be made: its place is a file.
      const broken = { ...machine, home: join(machine.bin, 'claude', 'home') }
      const unready = await setup(broken, '--check')
      expect([unready.code, unready.stdout]).toEqual([
        1,
        expect.stringMatching(/^failed +home [\s\S]*Fix the lines marked failed/m),
      ])
      expect(picture(machine)).toEqual([])
    },
  )

  test(
    '--check says where no home can be made: exit 1, and it is not ready',
    ON_LINUX,
    async () => {
      const machine = emptyMachine()
      symlinkSync(TMUX, join(machine.bin, 'tmux'))
      stub(machine, 'claude', 'echo 2.1.329')
      const file = join(machine.userHome, 'notes')
      writeFileSync(file, '')
      const run = await runCli(['setup', '--check'], { ...machine, home: join(file, 'agent-chat') })
      expect(run).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^failed +home .*\n +\S.*\n[\s\S]*\nNot ready\. /m),
      })
    },
  )

  test(
    'an installer that fails: exit 7, what to type, and the rest is done',
    ON_LINUX,
    async () => {
      const machine = emptyMachine()
      stub(machine, 'apt-get', 'exit 100')
      writeFileSync(join(machine.bin, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
      const run = await setup(machine, '--yes', '--json')
      expect(run.code).toBe(7)
      const { ok, steps } = JSON.parse(run.stdout)
      expect(ok).toBe(false)
      expect(steps).toMatchObject([
        {
          name: 'tmux',
          status: 'failed',
          hint: expect.stringContaining('apt-get install -y tmux'),
        },
        { name: 'claude', status: 'failed', detail: 'setup cannot install it here' },
        { name: 'home', status: 'ok' },
        { name: 'link', status: 'ok' },
      ])
    },
  )

  test('on a terminal it asks, and installs on y alone', ON_LINUX, async () => {
    const machine = emptyMachine()
    stubInstallers(machine)
    const server = systemTmux(() => '')
    const socket = join(machine.bin, '.socket')
    const variables = Object.entries(cleanEnv(machine)).map(([key, value]) => `${key}=${value}`)
    const program = [RUNTIME, join(DIST, 'main.js'), 'setup', '--no-ring']
    const screen = async () => (await server.run(['capture-pane', '-p'], socket)).stdout
    const session = [
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '150',
      '-y',
      '40',
      '--',
      '/usr/bin/env',
      '-i',
    ]
    try {
      await server.run(
        [
          ...session,
          ...variables,
          'TERM=screen',
          '/bin/sh',
          '-c',
          '"$@"; exec /bin/cat',
          'sh',
          ...program,
        ],
        socket,
      )
      await until('a first question', async () =>
        /Install tmux with `.*apt-get install -y tmux`\? \[y\/N\]/.test(await screen()),
      )
      await server.run(['send-keys', 'y', 'Enter'], socket)
      await until('a second question', async () =>
        /Install claude with `npm install -g .*`\? \[y\/N\]/.test(await screen()),
      )
      await server.run(['send-keys', 'Enter'], socket)
      await until('a third question', async () =>
        /Complete agent-chat with Tab in bash\? \[y\/N\]/.test(await screen()),
      )
      await server.run(['send-keys', 'y', 'Enter'], socket)
      await until('the end', async () => (await screen()).includes('events'))
      expect(calls(machine)).toEqual(INSTALLED.slice(0, 3))
      const completion = join(
        machine.userHome,
        '.local/share/bash-completion/completions/agent-chat',
      )
      expect(existsSync(completion)).toBe(true)
    } finally {
      await server.run(['kill-server'], socket)
    }
  })
})

describe('what is not its own', () => {
  const linked = async (machine: Machine): Promise<Run> => {
    symlinkSync(TMUX, join(machine.bin, 'tmux'))
    const run = await setup(machine, '--no-ring')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    return run
  }

  test('a file in the place of its link is left alone, and named', async () => {
    const machine = emptyMachine()
    mkdirSync(dirname(machine.link), { recursive: true })
    writeFileSync(machine.link, 'mine')
    expect((await linked(machine)).stdout).toContain(
      `${machine.link} is not a link of agent-chat; setup left it unchanged`,
    )
    expect(readFileSync(machine.link, 'utf8')).toBe('mine')
  })

  test.each(['somewhere/agent-chat', 'another/bin/agent-chat'])(
    'a link to %s is left alone',
    async (target) => {
      const machine = emptyMachine()
      const full = join(machine.userHome, target)
      for (const path of [dirname(machine.link), dirname(full)])
        mkdirSync(path, { recursive: true })
      writeFileSync(join(machine.userHome, 'another-package.json'), '')
      symlinkSync(full, machine.link)
      expect((await linked(machine)).stdout).toContain('left it unchanged')
      expect(readlinkSync(machine.link)).toBe(full)
    },
  )

  test('a link of its own to an older place, there or gone, is renewed', async () => {
    const machine = emptyMachine()
    const old = join(machine.userHome, 'old')
    for (const path of [dirname(machine.link), join(old, 'bin')])
      mkdirSync(path, { recursive: true })
    writeFileSync(join(old, 'package.json'), '{"name":"agent-chat"}')
    symlinkSync(join(old, 'bin', 'agent-chat'), machine.link)
    // What a setup that was killed leaves.
    symlinkSync(join(old, 'bin', 'agent-chat'), `${machine.link}.new`)
    expect((await linked(machine)).stdout).toContain(`(was ${old}/bin/agent-chat)`)
    expect(readlinkSync(machine.link)).toBe(join(ROOT, 'bin', 'agent-chat'))
    rmSync(machine.link)
    rmSync(old, { recursive: true })
    symlinkSync(join(old, 'bin', 'agent-chat'), machine.link)
    expect((await setup(machine, '--no-ring')).code).toBe(0)
    expect(readlinkSync(machine.link)).toBe(join(ROOT, 'bin', 'agent-chat'))
    expect(readdirSync(dirname(machine.link))).toEqual(['agent-chat'])
  })

  test('a home with sessions in it stays as it is', async () => {
    const machine = emptyMachine()
    mkdirSync(machine.home, { mode: 0o700 })
    const registry = '{"backend":{"joined_at":"2026-11-21T03:39:12.123Z"}}'
    writeFileSync(join(machine.home, 'sessions.json'), registry, { mode: 0o600 })
    await linked(machine)
    expect(readFileSync(join(machine.home, 'sessions.json'), 'utf8')).toBe(registry)
  })
})

test('it needs nothing but what it is shipped with', async () => {
  const machine = emptyMachine()
  const copy = join(machine.userHome, 'copy')
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(TMUX, join(machine.bin, 'tmux'))
  const child = spawn(join(copy, 'bin', 'agent-chat'), ['setup'], {
    env: cleanEnv(machine),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = await outcome(child)
  expect(run.stderr).toBe('')
  expect(run.code).toBe(0)
  expect(run.stdout).toMatch(/^ok {6}doorbell {4}a message rang/m)
  expect(readlinkSync(machine.link)).toBe(join(copy, 'bin', 'agent-chat'))
  const linked = await outcome(spawn(machine.link, ['--version'], { env: cleanEnv(machine) }))
  expect(linked.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
