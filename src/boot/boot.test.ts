import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { DIST } from '../testing/cli.ts'
import { tempDirectory } from '../testing/home.ts'

/** A build whose program prints what its other file says. */
function build() {
  const root = tempDirectory()
  copyFileSync(join(DIST, 'main.js'), join(root, 'main.js'))
  const put = (file: string, text: string) => writeFileSync(join(root, file), text)
  put(
    'cli.js',
    `exports.words = ['go', 'fail', 'mcp']
const { say } = require('./say.js')
require('node:fs').writeSync(1, say() + ' ' + require('node:path').basename(__filename) + (module.exports === exports))
if (process.argv[2] === 'fail') process.exitCode = 1`,
  )
  put('say.js', `exports.say = () => 'one'`)
  const run = (word = 'go', env: Record<string, string> = {}) => {
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'main.js'), word],
      {
        env,
        encoding: 'utf8',
      },
    )
    return { status, signal, stdout, stderr }
  }
  const directory = join(root, '.cache', `${process.version}-${process.arch}`)
  const kept = () => (existsSync(directory) ? readdirSync(directory).sort() : [])
  return { root, put, run, directory, kept, file: join(directory, 'cli-go') }
}

const SAID = { status: 0, signal: null, stdout: 'one cli.jstrue', stderr: '' }

test('what was compiled is kept, and taken by the next run as it is', () => {
  const { run, kept, file } = build()
  expect(run()).toEqual(SAID)
  expect(kept()).toEqual(['cli-go'])
  const { ino, mtimeMs } = statSync(file)
  expect(run()).toEqual(SAID)
  expect(statSync(file)).toMatchObject({ ino, mtimeMs })
})

test('a program runs what else is to be kept before the first time that code is kept, and never again', () => {
  const { root, put, run, kept } = build()
  const count = join(root, 'warmed')
  put(
    'cli.js',
    `exports.words = ['go']
exports.warm = () => require('node:fs').appendFileSync(${JSON.stringify(count)}, 'x')`,
  )
  for (const word of ['stay', 'go', 'go']) run(word)
  expect(kept()).toEqual(['cli-go'])
  expect(readFileSync(count, 'utf8')).toBe('x')
})

test('a word whose heap is kept small keeps its code, under the flags of V8 that it always has', () => {
  const { put, run, directory, kept } = build()
  put('say.js', `exports.say = () => typeof require('node:vm').runInNewContext('globalThis.gc')`)
  const said = { ...SAID, stdout: 'function cli.jstrue' }
  expect(run('mcp')).toEqual(said)
  expect(kept()).toEqual(['cli-mcp'])
  const { ino } = statSync(join(directory, 'cli-mcp'))
  expect(run('mcp')).toEqual(said)
  expect(statSync(join(directory, 'cli-mcp')).ino).toBe(ino)
  expect(run().stdout).toBe('undefined cli.jstrue')
})

test('a file that was replaced runs as it is now, though its length and times are those of the old one', () => {
  const { root, put, run } = build()
  const path = join(root, 'say.js')
  run()
  const { atime, mtime } = statSync(path)
  put('say.js', `exports.say = () => 'two'`)
  utimesSync(path, atime, mtime)
  expect(run()).toEqual({ ...SAID, stdout: 'two cli.jstrue' })
  expect(run()).toEqual({ ...SAID, stdout: 'two cli.jstrue' })
})

describe('kept code that is damaged', () => {
  const damage: [string, (bytes: Buffer) => Buffer][] = [
    ['empty', () => Buffer.alloc(0)],
    ['cut in half', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['without its last byte', (bytes) => bytes.subarray(0, -1)],
    ['zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['zeros at its end', (bytes) => Buffer.from(bytes).fill(0, bytes.length - 600)],
    ['something else', () => Buffer.from('agent-chat '.repeat(999))],
    ...[0, 5, 9, 100, 500, 1000, 2000, 2500].map((at): [string, (bytes: Buffer) => Buffer] => [
      `another byte ${at}`,
      (bytes) => {
        const copy = Buffer.from(bytes)
        copy[at] = (copy[at] ?? 0) ^ 0x5a
        return copy
      },
    ]),
  ]
  test.each(damage)('%s: it is compiled and kept again', (_, change) => {
    const { run, file } = build()
    run()
    const bytes = readFileSync(file)
    const changed = change(bytes)
    expect(changed.equals(bytes)).toBe(false)
    writeFileSync(file, changed)
    expect(run()).toEqual(SAID)
    expect(readFileSync(file).equals(changed)).toBe(false)
    expect(run()).toEqual(SAID)
  })

  const AT = 4
  const LENGTH = 5
  test.each([
    [LENGTH, Number.NaN],
    [LENGTH, -1],
    [LENGTH, 1e18],
    [LENGTH, 1],
    [AT, 0.5],
    [AT, 1e18],
  ])('number %d of its head is %d, and its time is that of a whole one', (at, number) => {
    const { run, file } = build()
    run()
    const { atime, mtime } = statSync(file)
    const bytes = readFileSync(file)
    bytes.writeDoubleLE(number, 8 * at)
    writeFileSync(file, bytes)
    utimesSync(file, atime, mtime)
    expect(run()).toEqual(SAID)
  })

  test.each([0, 1, 4000])('%d bytes of another layout, with the time of a whole one', (length) => {
    const { run, file } = build()
    run()
    const { atime, mtime } = statSync(file)
    const changed = Buffer.alloc(length, 'agent-chat ')
    writeFileSync(file, changed)
    utimesSync(file, atime, mtime)
    expect(run()).toEqual(SAID)
    expect(readFileSync(file).equals(changed)).toBe(false)
  })
})

describe('nothing is kept', () => {
  test.each([
    ['of a word that is no command', 'frontend', {}],
    ['of a word that would be a path', '../go', {}],
    ['of a run that failed', 'fail', {}],
    ['with options of Node', 'go', { NODE_OPTIONS: '--max-old-space-size=512' }],
  ])('%s', (_, word, env) => {
    const { run, kept } = build()
    expect(run(word, env).stdout).toBe(SAID.stdout)
    expect(kept()).toEqual([])
  })

  test('where it cannot be written, and nobody is told', () => {
    const { root, run, directory } = build()
    writeFileSync(join(root, '.cache'), '')
    expect(run()).toEqual(SAID)
    rmSync(join(root, '.cache'))
    mkdirSync(join(directory, 'cli-go'), { recursive: true })
    expect(run()).toEqual(SAID)
    expect(readdirSync(directory)).toEqual(['cli-go'])
  })
})

test('many runs at once leave one whole file, and what a killed one left goes', async () => {
  const { root, run, kept, directory, file } = build()
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'cli-go.1.tmp'), 'half')
  const runs = Array.from({ length: 8 }, () =>
    promisify(execFile)(process.execPath, [join(root, 'main.js'), 'go'], { env: {} }),
  )
  for (const { stdout } of await Promise.all(runs)) expect(stdout).toBe(SAID.stdout)
  rmSync(file)
  expect(run()).toEqual(SAID)
  expect(kept()).toEqual(['cli-go'])
  expect(run()).toEqual(SAID)
})

test('a program that ends with a fault says so as it would without', () => {
  const { put, run } = build()
  run()
  put('say.js', `throw new Error('a fault of ours')`)
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('say.js') })
  expect(run().stderr).toContain('a fault of ours')
})

describe('a file of its own that is not there', () => {
  /** A build of one file, which needs another. */
  function broken(entry: string) {
    const root = tempDirectory()
    const started = entry === 'cli.js' ? 'main.js' : 'hook.cjs'
    copyFileSync(join(DIST, started), join(root, started))
    writeFileSync(join(root, entry), `require('./gone.js')`)
    writeFileSync(join(root, 'sessions.json'), '{}')
    return (words: string[], env = {}) =>
      spawnSync(process.execPath, [join(root, started), ...words], {
        env: { AGENT_CHAT_HOME: root, ...env },
        encoding: 'utf8',
      })
  }
  const SAYS = 'cannot read its own files: ENOENT'

  test('a command says so in one line, and in another what to do', () => {
    const run = broken('cli.js')
    const { status, stdout, stderr } = run(['who'])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^agent-chat: cannot read its own files: ENOENT.*\n {2}hint: install .*\n$/,
    )
    const { code, message, hint } = JSON.parse(run(['who', '--json']).stderr).error
    expect([code, message, hint]).toEqual([
      'FAULT',
      expect.stringContaining(SAYS),
      expect.any(String),
    ])
  })

  test.each(['stop', 'user-prompt-submit', 'bell'])('the hook %s is silent', (word) => {
    expect(broken('hooks.js')([word])).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  test.each(['pre-tool-use', 'early-tool-use'])('%s asks, and says why', (word) => {
    const { status, stdout } = broken('beforeTool.js')([word])
    const said = JSON.parse(stdout).hookSpecificOutput
    expect([status, said.permissionDecision]).toEqual([0, 'ask'])
    expect(said.permissionDecisionReason).toContain(SAYS)
  })

  test.each([
    ['of a session', { AGENT_CHAT_NAME: 'frontend' }, 2],
    ['of nobody', {}, 0],
    ['where there is no home', { AGENT_CHAT_NAME: 'frontend', AGENT_CHAT_HOME: '/none' }, 0],
  ])('for another agent, the call %s is refused or not: %j', (_, env, code) => {
    const { status, stderr } = broken('beforeTool.js')(['pre-tool-use', 'codex'], env)
    expect(status).toBe(code)
    if (code === 2) expect(stderr).toContain(SAYS)
    else expect(stderr).toBe('')
  })
})

test('what others may write is never made', () => {
  const { root, directory, run, file } = build()
  chmodSync(root, 0o777)
  spawnSync('sh', ['-c', `umask 0; exec "$0" "$1" go`, process.execPath, join(root, 'main.js')], {
    env: {},
  })
  expect(run()).toEqual(SAID)
  for (const path of [join(root, '.cache'), directory, file])
    expect(statSync(path).mode & 0o022).toBe(0)
})
