import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { modsOff } from './modsOff.ts'

const SECURITY = { 'cc-plugin-sec-default@builtin': { options: { allowManagedModsOnly: true } } }

const CASES: [name: string, argv: string[], files: Record<string, unknown>, why: RegExp | null][] =
  [
    ['nothing is set', [], {}, null],
    ['a flag', ['--bare'], {}, /--bare/],
    ['the user', [], { 'home/.claude/settings.json': { disableAllHooks: true } }, /home\/.claude/],
    ['not quite', [], { 'home/.claude/settings.json': { disableAllHooks: 'no' } }, null],
    [
      'the project',
      [],
      { 'work/.claude/settings.json': { disableAllHooks: true } },
      /work\/.claude/,
    ],
    ['only here', [], { 'work/.claude/settings.local.json': { disableAllHooks: true } }, /local/],
    ['mods by rule', [], { 'managed.json': { pluginConfigs: SECURITY } }, /allowManagedModsOnly/],
    ['hooks by rule', [], { 'managed.json': { allowManagedHooksOnly: true } }, /ManagedHooksOnly/],
    ['another rule', [], { 'managed.json': { cleanupPeriodDays: 3, pluginConfigs: null } }, null],
    ['no JSON', [], { 'managed.json': undefined }, null],
  ]

test.each(CASES)('whether mods are switched off: %s', (_, argv, files, why) => {
  const root = tempDirectory()
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(value) ?? '{')
  }
  const place = { env: {}, userHome: join(root, 'home'), cwd: join(root, 'work') }
  const found = modsOff({ ...place, argv, managed: [join(root, 'managed.json')] })
  if (why === null) expect(found).toBeUndefined()
  else expect(found?.[0]).toMatch(why)
})
