import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../src/testing/home.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** What a package holds beside its programs. */
const FILES = [
  '.claude-plugin/icon.png',
  '.claude-plugin/marketplace.json',
  '.claude-plugin/plugin.json',
  'LICENSE',
  'README.md',
  'agents/chatter.md',
  'bin/agent-chat',
  'bin/on-node',
  'hooks/hooks.json',
  'hosts/opencode.js',
  'hosts/pi.js',
  'package.json',
  'room/.claude-plugin/plugin.json',
  'room/hooks/hooks.json',
  'room/hooks/room.js',
  'room/types/index.d.ts',
  'skills/agent-chat/SKILL.md',
  'skills/chat/SKILL.md',
]

/**
 * A global installation of what `npm pack` makes, in a place of its own; npm is asked nothing of
 * the registry.
 */
async function installed() {
  const place = tempDirectory()
  const env = {
    // As npm says after a global installation: its programs are on PATH.
    PATH: `${join(place, 'npm', 'bin')}:${process.env.PATH}`,
    HOME: join(place, 'home'),
    AGENT_CHAT_HOME: join(place, 'chat'),
  }
  await mkdir(env.HOME)
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', place], { cwd: ROOT, env })
  const tarball = (await readdir(place)).find((name) => name.endsWith('.tgz')) ?? ''
  await run(
    'npm',
    ['install', '--global', '--offline', '--prefix', join(place, 'npm'), join(place, tarball)],
    { env },
  )
  const root = join(place, 'npm', 'lib', 'node_modules', 'agent-chat')
  const chat = async (...args: string[]) =>
    (await run(join(place, 'npm', 'bin', 'agent-chat'), args, { env })).stdout
  return { root, chat, home: env.HOME }
}

test('a package holds what is needed, no more, and runs without any other', async () => {
  const { root, chat, home } = await installed()
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
  const programs = (await readdir(join(ROOT, 'dist')))
    .filter((name) => name !== '.cache')
    .map((name) => `dist/${name}`)
  expect(files).toEqual([...FILES, ...programs].sort())
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const {
    dependencies,
    private: kept,
    scripts,
  } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect({ dependencies, kept }).toEqual({})
  expect(Object.keys(scripts).filter((name) => /install|prepare|prepack/.test(name))).toEqual([])
  const setup = JSON.parse(await chat('setup', '--json'))
  expect(setup).toMatchObject({ ok: true })
  expect(setup.steps).toContainEqual(
    expect.objectContaining({ name: 'link', detail: expect.stringMatching(/^not needed/) }),
  )
  expect(await readdir(home)).not.toContain('.local')
  expect(JSON.parse(await chat('doctor', '--json'))).toMatchObject({ ok: true })
  expect(await chat('--version')).toBe(`${version}\n`)
  expect(await chat('join', 'frontend', '--no-watch')).toBe('joined as @frontend\n')
  expect(await chat('send', '@frontend', 'hello', '--as', 'backend')).toMatch(
    /^sent \S+ to @frontend\n$/,
  )
  expect(await chat('inbox', 'frontend')).toContain('\nhello\n')
})
