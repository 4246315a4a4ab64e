import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { isInProject } from './project.ts'

/** A project with what a hostile model would like to reach through it. */
function project() {
  const top = tempDirectory()
  const root = join(top, 'project')
  for (const folder of ['src', '.git/hooks', '.claude', 'chat/state', 'meta/objects', 'venv/bin'])
    mkdirSync(join(root, folder), { recursive: true })
  mkdirSync(join(top, 'elsewhere'))
  for (const file of ['src/a.ts', 'meta/HEAD', 'meta/config', '../elsewhere/b'])
    writeFileSync(join(root, file), '')
  symlinkSync('../elsewhere', join(root, 'out'))
  symlinkSync('../elsewhere/b', join(root, 'b'))
  symlinkSync('../elsewhere/new', join(root, 'dangling'))
  symlinkSync('.git/hooks', join(root, 'hooks'))
  symlinkSync('src', join(root, 'in'))
  symlinkSync('venv', join(root, 'env'))
  linkSync(join(top, 'elsewhere/b'), join(root, 'second-name'))
  return {
    root,
    isIn: (path: string) =>
      isInProject(path, {
        ...{ cwd: root, root, home: join(root, 'chat') },
        env: { PATH: `/usr/bin:${root}/env/bin:${root}/tools:` },
      }),
  }
}

const CASES: [path: string, inside: boolean][] = [
  ['src/a.ts', true],
  ['src/new/deep.ts', true],
  ['src/../src/a.ts', true],
  ['in/a.ts', true],
  ['src/a.b.ts', true],
  ['.git/hooks/pre-commit', false],
  ['.GIT/config', false],
  ['src/.git/config', false],
  ['hooks/pre-commit', false],
  ['.claude/settings.json', false],
  ['.mcp.json', false],
  ['.npmrc', false],
  ['rust-toolchain.toml', false],
  ['HEAD', false],
  ['src/head', false],
  ['CLAUDE.md', false],
  ['src/agents.md', false],
  ['src/agents.ts', true],
  ['venv/bin/python3', false],
  ['venv/lib/site.py', false],
  ['tools/ls', false],
  ['tools/src/ls.ts', true],
  [' src/a.ts', false],
  ['~/src/a.ts', false],
  ['src/e\u0301.ts', false],
  ['src/\u00e9.ts', true],
  ['meta/config', false],
  ['meta/hooks/x', false],
  ['chat/state/frontend.json', false],
  ['../elsewhere/b', false],
  ['src/../../elsewhere/b', false],
  ['out/b', false],
  ['out/new', false],
  ['b', false],
  ['dangling', false],
  ['second-name', false],
  ['/etc/hostname', false],
  ['', false],
  ['.', false],
  ['a\0b', false],
]

test.each(CASES)('%j is inside: %s', (path, inside) => {
  const { root, isIn } = project()
  expect(isIn(path)).toBe(inside)
  if (path !== '' && !/^[/~ ]/.test(path)) expect(isIn(`${root}/${path}`)).toBe(inside)
})

test('nothing is inside of what is not known', () => {
  const { root } = project()
  const path = `${root}/src/a.ts`
  expect(isInProject('src/a.ts', { cwd: undefined, root, home: '/chat', env: {} })).toBe(false)
  for (const top of [undefined, '', '/', `${root}/gone`, 'src'])
    expect(isInProject(path, { cwd: root, root: top, home: '/chat', env: {} })).toBe(false)
})
