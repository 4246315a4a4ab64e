import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { sharesRepository } from './repository.ts'

/** A repository of the user's, with directories in it. */
function repository() {
  const directory = join(tempDirectory(), 'project')
  const at = (path: string) => {
    mkdirSync(join(directory, path), { recursive: true })
    return join(directory, path)
  }
  const git = (path: string, ...args: string[]) =>
    execFileSync('git', args, { cwd: at(path), encoding: 'utf8' }).trim()
  git('.', 'init', '-q')
  return { directory, at, git }
}

test('a repository is shared with what lies in it, but for other repositories in it', () => {
  const { directory, at, git } = repository()
  git('fixtures/plain', 'init', '-q', '--bare', '.')
  git('vendored/api', 'init', '-q')
  at('src/deep/er')
  symlinkSync(at('src'), join(directory, 'link'))
  symlinkSync(tempDirectory(), join(directory, 'out'))
  for (const path of ['.', 'src', 'src/deep/er', 'fixtures', 'vendored', 'link', 'out'])
    expect([path, sharesRepository(path, directory, directory)]).toEqual([path, true])
  for (const path of [
    'fixtures/plain',
    'fixtures/plain/objects',
    'vendored/api',
    'vendored/api/.git',
  ])
    expect([path, sharesRepository(path, directory, directory)]).toEqual([path, false])
})

test('whatever git takes for a repository is another one', () => {
  const { directory, at, git } = repository()
  const top = git('.', 'rev-parse', '--absolute-git-dir')
  const other = git('other', 'init', '-q', '--bare', '.') || at('other')
  writeFileSync(join(at('by-file'), '.git'), `gitdir: ${other}\n`)
  symlinkSync(other, join(at('by-link'), '.git'))
  // A HEAD may be a link to what is not there, and the rest may be in another place.
  git('common', 'init', '-q', '--bare', '.')
  for (const part of ['objects', 'refs', 'HEAD'])
    rmSync(join(at('common'), part), { recursive: true })
  writeFileSync(join(at('common'), 'commondir'), `${other}\n`)
  symlinkSync('refs/heads/main', join(at('common'), 'HEAD'))
  for (const path of ['by-file', 'by-link', 'common']) {
    expect(git(path, 'rev-parse', '--absolute-git-dir')).not.toBe(top)
    expect([path, sharesRepository(at(path), directory, directory)]).toEqual([path, false])
  }
})

test('from anywhere in a repository all of it is shared, and where there is none there is nothing to obey', () => {
  const { directory, at } = repository()
  for (const path of ['..', '.', at('docs'), directory])
    expect(sharesRepository(path, at('src'), at('src'))).toBe(true)
  const plain = tempDirectory()
  expect(sharesRepository(plain, directory, directory)).toBe(true)
  expect(sharesRepository('.', plain, plain)).toBe(true)
  expect(sharesRepository(directory, plain, plain)).toBe(false)
})

test('what cannot be told counts as another', () => {
  const { directory, at } = repository()
  expect(sharesRepository('.', undefined, directory)).toBe(false)
  for (const root of [undefined, '', 'no', join(directory, 'no')])
    expect(sharesRepository('.', directory, root)).toBe(false)
  for (const path of ['no', '\0', 'x'.repeat(5000)])
    expect(sharesRepository(path, directory, directory)).toBe(false)
  symlinkSync('round', join(directory, 'round'))
  writeFileSync(join(at('src'), 'file'), '')
  for (const path of ['round', 'src/file/x'])
    expect(sharesRepository(path, directory, directory)).toBe(false)
})
