import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { noteLine } from '../../src/session/needsLine.ts'
import { ROOT, runCli } from '../../src/testing/cli.ts'
import { tempBus, tempDirectory } from '../../src/testing/home.ts'

const LINE = '2 need you · @frontend asks permission'

/** A home whose watcher is this process, which keeps this line. */
function homeWith(line: string): Bus {
  const bus = tempBus(['frontend'])
  noteLine(bus.home, line, bus.processes.self())
  return bus
}

/** A `node` that leaves a mark where it is started, and starts nothing. */
function shim() {
  const bin = tempDirectory()
  const mark = join(bin, 'started')
  writeFileSync(join(bin, 'node'), `#!/bin/sh\n: > '${mark}'\n`, { mode: 0o755 })
  return { bin, started: () => existsSync(mark) }
}

/** What the shell entry prints, with that `node` alone on its PATH. */
function entry(env: Record<string, string>, args = ['who', '--line']) {
  const node = shim()
  const { status, stdout, stderr } = spawnSync('/bin/sh', [join(ROOT, 'bin/agent-chat'), ...args], {
    encoding: 'utf8',
    env: { PATH: node.bin, AGENT_CHAT_RUNTIME: 'node', ...env },
  })
  return { code: status, stdout, stderr, node: node.started() }
}

const NOTHING = { code: 0, stdout: '', stderr: '', node: false }

test('who --line prints the line without Node, and with Node the same', async () => {
  const root = homeWith(LINE).home.root
  expect(entry({ AGENT_CHAT_HOME: root })).toEqual({ ...NOTHING, stdout: `${LINE}\n` })
  const run = await runCli(['who', '--line'], { home: root })
  expect(run).toMatchObject({ code: 0, stdout: `${LINE}\n`, stderr: '' })
})

test('the home is ~/agent-chat where no variable says otherwise', () => {
  const { home } = homeWith(LINE)
  const user = tempDirectory()
  symlinkSync(home.root, join(user, 'agent-chat'))
  expect(entry({ HOME: user })).toMatchObject({ stdout: `${LINE}\n`, node: false })
})

/** What can be wrong, each with the value of AGENT_CHAT_HOME. */
const NO_LINES: [what: string, does: (bus: Bus) => string | undefined][] = [
  ['nobody needs you', ({ home }) => homeAgain(home.root, '')],
  [
    'the watcher has ended',
    ({ home, processes }) => stale(home.root, { ...processes.self(), pid: 1 }),
  ],
  [
    'its pid is another process by now',
    ({ home, processes }) => stale(home.root, { ...processes.self(), started: 'x-1' }),
  ],
  ['no watcher ever ran', ({ home }) => gone(home.needsLine)],
  ['the file is empty', ({ home }) => written(home.needsLine, '')],
  ['the file was cut off', ({ home }) => written(home.needsLine, LINE)],
  ['the file holds something else', ({ home }) => written(home.needsLine, '\0\x01\xff\n1\n2\n')],
  ['the pid is no number', ({ home }) => written(home.needsLine, `${LINE}\n../1\nx\n`)],
  [
    'a directory is in its place',
    ({ home }) => none(gone(home.needsLine), mkdirSync(home.needsLine)),
  ],
  [
    'a pipe is in its place',
    ({ home }) => none(gone(home.needsLine), spawnSync('mkfifo', [home.needsLine])),
  ],
  ['the home is gone', ({ home }) => gone(home.root)],
  ['the home is a file', ({ home }) => none(gone(home.root), writeFileSync(home.root, ''))],
  [
    'the home is a link to itself',
    ({ home }) => none(gone(home.root), symlinkSync(home.root, home.root)),
  ],
  ['the home is a relative path', () => 'agent-chat'],
  [
    'the registry is broken, and the watcher gone',
    ({ home }) => {
      written(home.sessions, '{')
      return gone(home.needsLine)
    },
  ],
]

describe('who --line prints nothing, and no error, where', () => {
  test.each(NO_LINES)('%s', async (_, does) => {
    const bus = homeWith(LINE)
    const home = does(bus) ?? bus.home.root
    expect(entry({ AGENT_CHAT_HOME: home })).toEqual(NOTHING)
    const run = await runCli(['who', '--line'], { home })
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})

test.each([
  ['1 needs you · \x1b]0;x\x07'],
  ['1 needs you · #[fg=red]x'],
  ['1 needs you · #(id)'],
  ['\x1b[2J'],
  ['x'],
])('the entry prints no %j, whoever has written it', (line) => {
  expect(entry({ AGENT_CHAT_HOME: homeWith(line).home.root })).toEqual(NOTHING)
})

test.each([[['who']], [['who', '--line', '--json']], [['who', 'backend']], [['--line']]])(
  '%j is for the program',
  (args) => {
    expect(entry({ AGENT_CHAT_HOME: homeWith(LINE).home.root }, args)).toMatchObject({ node: true })
  },
)

test.each([['--json'], ['--all'], ['backend']])('who --line %s is refused', async (word) => {
  const run = await runCli(['who', '--line', word], { home: homeWith(LINE).home.root })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('agent-chat who --line')
})

function none(..._: unknown[]): undefined {}

function gone(path: string): undefined {
  rmSync(path, { recursive: true, force: true })
}

function written(path: string, text: string): undefined {
  writeFileSync(path, text, 'latin1')
}

function stale(root: string, ref: Parameters<typeof noteLine>[2]): string {
  noteLine({ needsLine: join(root, 'pids/@watcher.line') }, LINE, ref)
  return root
}

function homeAgain(root: string, line: string): string {
  const { processes } = tempBus()
  noteLine({ needsLine: join(root, 'pids/@watcher.line') }, line, processes.self())
  return root
}
