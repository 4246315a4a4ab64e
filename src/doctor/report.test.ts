import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IS_NATIVE } from '../../scripts/runtime.mjs'
import { agentsOn } from '../testing/agent.ts'
import { runCli } from '../testing/cli.ts'
import { filesIn, tempDirectory, tempHome } from '../testing/home.ts'

const SECRETS = [
  's3cret-body',
  's3cret-subject',
  's3cret-reason',
  's3cret-quote',
  's3cret-kind',
  's3cret-cmd',
  's3cret-log',
]

/** What the report says of the runtime that the tests run. */
const RUNS_ON = IS_NATIVE ? 'native program (Bun ' : process.version.slice(1)

test('a report of a home in use has what a bug needs, and nothing that anybody wrote', async () => {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const { home } = bus
  const [backend] = agents
  if (!backend) throw new Error('no agent')
  await backend.human('s3cret-body of the human')
  const more = ['--subject', 's3cret-subject']
  expect((await backend.chat('send', '@frontend', 's3cret-body', ...more)).code).toBe(0)
  await runCli(['rename', 'frontend', 'site'], { home: home.root })
  writeFileSync(join(home.inbox('site'), 'broken.md'), 's3cret-body')
  await runCli(['inbox', 'site', '--peek'], { home: home.root })
  writeFileSync(
    home.history,
    `${JSON.stringify({ at: '2026-11-21T03:00:00Z', event: 'held', why: 's3cret-reason', kind: 's3cret-kind' })}\n`,
    {
      flag: 'a',
    },
  )
  mkdirSync(home.logs, { recursive: true })
  const now = new Date().toISOString()
  writeFileSync(
    home.hookLog,
    `${now} bell: SyntaxError: "s3cret-quote" is not valid JSON\n${now} s3cret-log\n`,
  )
  writeFileSync(
    home.watcherLog('site'),
    '2026-11-21T03:39:12.123Z waiting to ring: the input box holds "s3cret-quote"\n2026-11-21T03:39:12.123Z s3cret-log\n',
  )
  const env = { AGENT_CHAT_CMD: 'TOKEN=s3cret-cmd agent', AGENT_CHAT_GATE: 'warn' }
  for (const json of [[], ['--json']]) {
    const run = await runCli(['doctor', '--report', '--no-ring', ...json], { home: home.root, env })
    expect([run.code, run.stderr]).toEqual([0, ''])
    for (const secret of SECRETS) expect(run.stdout).not.toContain(secret)
    for (const part of [
      ...[
        'It does not have: text of messages',
        'AGENT_CHAT_CMD is set',
        'AGENT_CHAT_GATE=warn',
        '@site: 1 unread',
      ],
      ...['2 faults in the last day', 'backend', RUNS_ON],
    ])
      if (json.length === 0 || !/^It|"/.test(part)) expect(run.stdout).toContain(part)
  }
})

test('a report mends nothing', async () => {
  const home = tempHome('backend')
  chmodSync(home.messages, 0o755)
  writeFileSync(`${home.messages}/.x.99999999.tmp`, 'half')
  const run = await runCli(['doctor', '--report', '--no-ring'], { home: home.root })
  expect(run.stdout).toContain('other users can read this')
  expect(filesIn(home.messages)).toEqual(['.x.99999999.tmp'])
  const mended = await runCli(['doctor', '--no-ring'], { home: home.root })
  expect(mended.stdout).toContain('fixed')
  expect(filesIn(home.messages)).toEqual([])
})

test('a home whose registry is broken, and one that is not there, are told of', async () => {
  const home = tempHome('backend')
  writeFileSync(home.sessions, '{"half')
  const run = await runCli(['doctor', '--report', '--no-ring'], { home: home.root })
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining('could not be read: REGISTRY_BROKEN'),
  ])
  const root = join(tempDirectory(), 'nowhere')
  const none = await runCli(['doctor', '--report', '--no-ring'], { home: root })
  expect([none.code, none.stdout, existsSync(root)]).toEqual([
    0,
    expect.stringContaining('does not exist yet'),
    false,
  ])
})

test('to a file, with what is in it told; a path that cannot be one is bad usage', async () => {
  const home = tempHome('backend')
  const cwd = tempDirectory()
  const write = (...args: string[]) =>
    runCli(['doctor', '--no-ring', ...args], { home: home.root, cwd })
  const run = await write('--report', '--out', 'report.md')
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining(`wrote ${join(cwd, 'report.md')}`),
  ])
  expect(run.stdout).toContain('It does not have')
  expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toMatch(/^# agent-chat report, /)
  for (const args of [
    ['--report', '--out', 'no/such/report.md'],
    ['--report', '--out', '.'],
    ['--out', 'x.md'],
  ])
    expect((await write(...args)).code).toBe(2)
  expect(filesIn(cwd)).toEqual(['report.md'])
})
