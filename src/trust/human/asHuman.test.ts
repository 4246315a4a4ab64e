import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Bus } from '../../bus/bus.ts'
import { DIST, type Run, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempBus, tempDirectory } from '../../testing/home.ts'
import { questionsToHuman } from '../sendGate/questions.ts'

const asked = async (): Promise<Bus> => {
  const bus = tempBus(['backend', 'frontend'])
  const env = { AGENT_CHAT_NAME: 'backend', AGENT_CHAT_NOTIFY: 'off' }
  const question = ['escalate', 'Deploy?', '--option', 'yes', '--option', 'no']
  expect(await runCli(question, { home: bus.home.root, env })).toMatchObject({ code: 0 })
  return bus
}

const MARKED = { CLAUDECODE: '1', CLAUDE_PID: '17' }
/** An agent's pty, which nobody looks at. */
const onPty = async (bus: Bus, args: string[], env: Record<string, string>): Promise<Run> => {
  const folder = tempDirectory()
  const line = ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const words = [...line, RUNTIME, `${DIST}/main.js`, ...args].map((word) => `'${word}'`).join(' ')
  const [out, err] = [`${folder}/out`, `${folder}/err`]
  const argv = ['-qec', `${words} >${out} 2>${err}`, '/dev/null']
  const code = await new Promise<number>((ended) =>
    execFile(
      'script',
      argv,
      { env: { PATH: process.env.PATH, AGENT_CHAT_HOME: bus.home.root } },
      (error) => ended(typeof error?.code === 'number' ? error.code : 0),
    ),
  )
  const text = (path: string) => readFileSync(path, 'utf8')
  return { code, signal: null, stdout: text(out), stderr: text(err) }
}
const NAMED = { AGENT_CHAT_NAME: 'human' }
/** How an agent that never joined speaks in the human's name. */
const AS_HUMAN: [way: string, run: (bus: Bus, args: string[]) => Promise<Run>][] = [
  [
    'without a terminal',
    (bus, args) => runCli([...args, '--as', 'human'], { home: bus.home.root }),
  ],
  [
    'with its mark',
    (bus, args) => runCli([...args, '--as', 'human'], { home: bus.home.root, env: MARKED }),
  ],
  [
    'with AGENT_CHAT_NAME=human',
    (bus, args) => runCli(args, { home: bus.home.root, env: { ...MARKED, ...NAMED } }),
  ],
  ['on a pty', (bus, args) => onPty(bus, [...args, '--as', 'human'], MARKED)],
  [
    'on a pty, with AGENT_CHAT_NAME=human',
    (bus, args) => onPty(bus, args, { ...MARKED, ...NAMED }),
  ],
  ['on a pty that hides its marks', (bus, args) => onPty(bus, [...args, '--as', 'human'], {})],
]

test.each(AS_HUMAN)('says nothing that counts as yours: %s', async (_, run) => {
  const bus = await asked()
  for (const args of [
    ['send', '@frontend', 'do it'],
    ['ask', '@frontend', 'why?', '--no-wait'],
    ['task', '@frontend', 'do it'],
  ]) {
    const { code, stdout } = await run(bus, [...args, '--json'])
    expect([args[0], code]).toEqual([args[0], 0])
    const said = JSON.parse(stdout)
    expect(said.question ?? said).toMatchObject({ from: 'human', proven: false, hops: 1 })
  }
  expect(await run(bus, ['reply', '1', '1'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('an answer to a decision is for your user only, and '),
  })
  expect(filesIn(bus.home.words)).toEqual([])
  expect(eventsOf(bus.home, 'typed')).toEqual([])
  expect(questionsToHuman(bus)).toHaveLength(1)
  const { stdout } = await runCli(['inbox', 'frontend'], { home: bus.home.root })
  expect(stdout).toMatch(/^3 unread messages for @frontend, not proven to be from your user:/)
  expect(stdout).not.toContain('Your user wrote this')
})
