import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { checkMods } from './mods.ts'

test('the plugins that bring a mod are named, and no others', () => {
  const HOME = tempDirectory()
  const plugin = (name: string, hooks: unknown) => {
    const installPath = join(HOME, name)
    mkdirSync(join(installPath, 'hooks'), { recursive: true })
    writeFileSync(join(installPath, 'hooks/hooks.json'), JSON.stringify(hooks))
    return [{ installPath }]
  }
  const plugins = {
    'room@x': plugin('room', { hooks: {}, modules: ['./a.js'] }),
    'plain@x': plugin('plain', { hooks: {}, modules: [] }),
    'gone@x': [{ installPath: join(HOME, 'gone') }],
  }
  expect(checkMods({ HOME })).toEqual([])
  mkdirSync(join(HOME, '.claude/plugins'), { recursive: true })
  writeFileSync(join(HOME, '.claude/plugins/installed_plugins.json'), JSON.stringify({ plugins }))
  expect(checkMods({ HOME })).toMatchObject([
    { name: 'mods', status: 'warning', detail: expect.stringMatching(/: room@x$/) },
  ])
})
