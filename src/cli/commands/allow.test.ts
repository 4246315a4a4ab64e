import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { eventsOf, tempDirectory, tempHome } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'

function world() {
  const home = tempHome()
  const project = realpathSync(tempDirectory())
  writeFileSync(join(project, 'package.json'), '{"scripts":{"test":"vitest run"}}')
  const allow = (...args: string[]) =>
    runAsOwner(['allow', ...args], { home: home.root, cwd: project })
  return { home, project, allow }
}

test('a command is allowed, listed and removed, in a file that anybody can read', async () => {
  const { home, project, allow } = world()
  expect((await allow()).stdout).toMatch(/^nothing is allowed; for example: agent-chat allow "/)
  expect(await allow('npm test', '--project')).toMatchObject({
    code: 0,
    stdout: `allowed: npm test  in ${project}, as long as its script stays the same\n`,
  })
  expect(await allow('git fetch')).toMatchObject({ stdout: 'allowed: git fetch  everywhere\n' })
  expect(await allow('npm test', '--project')).toMatchObject({ code: 0 })
  expect(await allow('mcp__github__get_issue')).toMatchObject({ code: 0 })
  expect(statSync(home.allowed).mode & 0o777).toBe(0o600)
  const kept = JSON.parse(readFileSync(home.allowed, 'utf8'))
  expect(JSON.parse((await allow('--json')).stdout)).toEqual(kept)
  expect(kept).toMatchObject([
    { text: 'git fetch', words: ['git', 'fetch'], project: null, script: null },
    { text: 'npm test', project, script: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { text: 'mcp__github__get_issue', words: ['mcp__github__get_issue'] },
  ])
  expect(await allow('--remove', 'npm test')).toMatchObject({ code: 0 })
  expect((await allow()).stdout).not.toContain('npm test')
  expect(await allow('--remove', 'npm test')).toMatchObject({ code: 2 })
  const events = ['allowed', 'allow-removed'].map((event) => eventsOf(home, event).length)
  expect(events).toEqual([4, 1])
})

test('the same words are the same command, however they are written', async () => {
  const { home, allow } = world()
  for (const text of ['git  fetch', 'git fetch', '"git" fetch', "git 'fe\u202etch'"])
    expect(await allow(text)).toMatchObject({ code: 0 })
  expect((await allow()).stdout).toBe(
    'allowed: "git" fetch  everywhere\nallowed: git \'fe<U+202E>tch\'  everywhere\n',
  )
  expect(await allow('--remove', 'git fetch')).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(home.allowed, 'utf8'))).toHaveLength(1)
})

test.each([
  [['bash x'], 'bash can run anything'],
  [['*'], 'it is more than one program with plain words'],
  [['npm test && ls'], 'it is more than one program with plain words'],
  [[''], 'it is more than one program with plain words'],
  [['node -e 1'], 'node would run code that it is given'],
  [['npm run none'], 'says what it runs'],
  [['mcp__agent-chat__send'], 'it is not the exact name of a tool'],
  [['mcp__github__*'], 'it is not the exact name of a tool'],
  [['--project'], 'no command is named'],
  [['--remove'], 'no command is named'],
])('%j is bad usage: %s', async (args, why) => {
  const { home, allow } = world()
  const run = await allow(...args)
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) })
  expect(eventsOf(home, 'allowed')).toEqual([])
})

test('a file with anything else in it is named, and not written over', async () => {
  const { home, allow } = world()
  writeFileSync(home.allowed, '[{"text":1}]')
  for (const args of [[], ['npm test'], ['--remove', 'npm test']])
    expect(await allow(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`rm ${home.allowed}`),
    })
  expect(readFileSync(home.allowed, 'utf8')).toBe('[{"text":1}]')
})

test('an agent in a turn that a message began allows nothing', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend] = agents as [TestAgent]
  mkdirSync(bus.home.states, { recursive: true })
  await frontend.rung()
  expect(await frontend.chat('allow', 'git fetch')).toMatchObject({ code: 3 })
  expect(await frontend.chat('allow', '--remove', 'git fetch')).toMatchObject({ code: 3 })
  expect(await frontend.may('Bash', { command: 'agent-chat allow "git fetch"' })).toBe('ask')
})
