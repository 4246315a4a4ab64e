import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { checkAnswers } from './answers.ts'

const HOOKS = { hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command: 'x' }] }] } }

function write(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
  return path
}

function world() {
  const bus = tempBus()
  const HOME = tempDirectory()
  const cwd = tempDirectory()
  writeFileSync(bus.home.sessions, JSON.stringify({ backend: { name: 'backend', cwd } }))
  return { HOME, cwd, found: () => checkAnswers({ HOME }, bus, [join(HOME, 'managed.json')]) }
}

test.each([
  ['your settings', ({ HOME }: { HOME: string }) => join(HOME, '.claude/settings.json')],
  ['a project', ({ cwd }: { cwd: string }) => join(cwd, '.claude/settings.json')],
  [
    'a project’s own settings',
    ({ cwd }: { cwd: string }) => join(cwd, '.claude/settings.local.json'),
  ],
  ['an administrator', ({ HOME }: { HOME: string }) => join(HOME, 'managed.json')],
])('a hook of %s that can answer is named with its file', (_, place) => {
  const here = world()
  const path = write(place(here), HOOKS)
  expect(here.found()).toMatchObject([
    { name: 'answers', status: 'warning', detail: expect.stringContaining(path) },
  ])
})

test('so is one of another plugin, and none of our own', () => {
  const here = world()
  const installed = (name: string) => {
    const installPath = join(here.HOME, name)
    return {
      path: write(join(installPath, 'hooks/hooks.json'), HOOKS),
      installs: [{ installPath }],
    }
  }
  const [helpful, own] = [installed('helpful'), installed('own')]
  const plugins = { 'helpful@x': helpful.installs, 'agent-chat@agent-chat': own.installs }
  write(join(here.HOME, '.claude/plugins/installed_plugins.json'), { plugins })
  const [check] = here.found()
  expect(check?.detail).toContain(helpful.path)
  expect(check?.detail).not.toContain(own.path)
})

test.each([{}, { hooks: {} }, { hooks: { PermissionRequest: [] } }, { hooks: 'x' }])(
  'settings with %j have none',
  (value) => {
    const here = world()
    write(join(here.HOME, '.claude/settings.json'), value)
    expect(here.found()).toEqual([])
  },
)
