import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPlugin } from '../../src/setup/programs.ts'
import { claudeIn, commit, install, makeRepository } from '../e2e/harness/marketplace.ts'
import { hears } from '../e2e/harness/request.ts'
import { claudeWorld, type World } from '../e2e/harness/world.ts'

const PLUGIN = ['agent-chat']
const run = promisify(execFile)

let world: World
let copy = ''

beforeAll(async () => {
  world = await claudeWorld()
  await makeRepository(world)
  ;[copy = ''] = await install(world, world.home, PLUGIN)
}, 300_000)
afterAll(() => world.close())

test('the copy holds the tracked files and no package', async () => {
  const tracked = (await run('git', ['ls-files'], { cwd: join(world.dir, 'repo') })).stdout
    .trim()
    .split('\n')
  for (const file of tracked) expect(existsSync(join(copy, file)), file).toBe(true)
  expect(await readdir(copy)).not.toContain('node_modules')
  expect(npmRuns(world.home)).toBe(false)
})

test('without the overrides in package.json, the same install runs npm', async () => {
  const home = join(world.dir, 'home-of-the-control')
  const manifest = join(world.dir, 'repo', 'package.json')
  const { overrides, ...rest } = JSON.parse(await readFile(manifest, 'utf8'))
  expect(overrides).toBeDefined()
  await writeFile(manifest, JSON.stringify(rest))
  await commit(join(world.dir, 'repo'), world.env)
  await mkdir(home)
  await install(world, home, PLUGIN)
  expect(npmRuns(home)).toBe(true)
})

test('Claude Code lists it, enabled and without an error', async () => {
  const [plugin] = JSON.parse(await claudeIn(world, world.home, 'plugin', 'list', '--json'))
  expect(plugin).toMatchObject({ id: 'agent-chat@agent-chat', enabled: true, installPath: copy })
  expect(plugin).not.toHaveProperty('errors')
  expect(await claudeIn(world, world.home, 'plugin', 'details', 'agent-chat')).toContain(
    'Skills (2)',
  )
})

test('doctor says when its version is not that of the command', async () => {
  const { version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'))
  expect(checkPlugin(world.env, world.home, version)).toEqual({
    name: 'plugin',
    status: 'ok',
    detail: version,
  })
  expect(checkPlugin(world.env, world.home, '9.9.9')).toMatchObject({
    status: 'warning',
    detail: `Claude Code has version ${version} installed, and this command is 9.9.9`,
  })
})

test('its command line runs, from the copy and through a link', async () => {
  const { version } = JSON.parse(
    await readFile(join(copy, '.claude-plugin', 'plugin.json'), 'utf8'),
  )
  const link = join(world.dir, 'agent-chat')
  await symlink(join(copy, 'bin', 'agent-chat'), link)
  for (const command of [join(copy, 'bin', 'agent-chat'), link]) {
    expect((await run(command, ['--version'], { env: world.env })).stdout.trim()).toBe(version)
  }
})

test('in a session its hook tells the name and what is unread, and the model finds agent-chat', async () => {
  const chat = (name: string, ...args: string[]) =>
    run(join(copy, 'bin', 'agent-chat'), args, {
      env: { ...world.env, AGENT_CHAT_NAME: name },
      cwd: world.cwd,
    })
  await chat('backend', 'join', 'backend', '--no-watch')
  await chat('frontend', 'join', 'frontend', '--no-watch')
  await chat('backend', 'send', '@frontend', 'the endpoint is ready')
  world.api.setRule((request) =>
    hears(request, 'look')
      ? { tool: 'Bash', input: { command: 'command -v agent-chat' } }
      : { text: 'ok' },
  )
  const client = await world.startHeadless({
    name: 'frontend',
    args: ['--allowedTools', 'Bash(command -v *)'],
  })
  client.prompt('look')
  const asked = await world.api.waitFor('the prompt', (request) => hears(request, 'look'))
  expect(JSON.stringify(asked.messages)).toMatch(
    /SessionStart hook additional context: [^"]*@frontend[^"]*1 message/,
  )
  await world.api.waitFor('the path', (request) => hears(request, join(copy, 'bin', 'agent-chat')))
})

function npmRuns(home: string): boolean {
  return existsSync(join(home, 'npm.log'))
}
