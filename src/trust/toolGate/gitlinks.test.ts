import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { effectOf } from '../shell/reading.ts'
import { hasGitlink, holdsGitlinks } from './gitlinks.ts'
import { placeAt } from './place.ts'

/** A repository with files, and what git says in it. */
function repository(directory = join(tempDirectory(), 'project')) {
  mkdirSync(join(directory, 'src'), { recursive: true })
  const env = { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: directory,
      env,
      encoding: 'utf8',
    })
  git('init', '-q')
  for (const name of ['one.txt', 'src/two.txt', `src/${'long'.repeat(50)}`])
    writeFileSync(join(directory, name), name)
  git('add', '.')
  git('commit', '-qm', 'first')
  return { directory, git }
}

/**
 * One whose index names another repository, which runs a program of its own when git looks into it.
 */
function withNested() {
  const outer = repository()
  const ran = join(tempDirectory(), 'ran')
  const program = join(tempDirectory(), 'monitor')
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 })
  const inner = repository(join(outer.directory, 'vendored'))
  inner.git('config', 'core.fsmonitor', program)
  rmSync(ran, { force: true })
  outer.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'vendored')
  outer.git('commit', '-qm', 'second')
  writeFileSync(join(inner.directory, 'one.txt'), 'changed')
  return { ...outer, ran }
}

const effectIn = (directory: string, command: string) =>
  effectOf(command, placeAt(directory, directory, {})).effect

const LOOKING = ['git status', 'git diff', 'git diff HEAD --stat', 'git status --short | head']
const NOT_LOOKING = [
  'git status --ignore-submodules=dirty',
  'git diff --ignore-submodules',
  'git diff --cached',
  'git log -p',
]

test.each(LOOKING)('%s asks where it would run the program of a nested repository', (command) => {
  const { directory, ran } = withNested()
  execFileSync('sh', ['-c', command], { cwd: directory })
  expect(existsSync(ran)).toBe(true)
  expect(effectIn(directory, command)).toBe('changing')
  expect(effectIn(join(directory, 'src'), command)).toBe('changing')
})

test.each(NOT_LOOKING)('%s does not look there, and passes', (command) => {
  const { directory, ran } = withNested()
  execFileSync('sh', ['-c', command], { cwd: directory })
  expect(existsSync(ran)).toBe(false)
  expect(effectIn(directory, command)).toBe('reading')
})

test.each([
  'git diff --ignore-submodules --ignore-submodules=none',
  'git status --ignore-submodules --no-ignore-submodules',
  'git status --ignore-s=none',
  'git diff -S --cached',
  'git diff -G --ignore-submodules',
])('%s asks: the last word counts, and a short one too', (command) =>
  expect(effectIn(withNested().directory, command)).toBe('changing'),
)

test.each([2, 3, 4])('entries are told apart in version %i of the index', (version) => {
  const plain = repository()
  plain.git('update-index', '--index-version', String(version))
  // Version 3 is written where an entry needs it.
  if (version === 3) {
    writeFileSync(join(plain.directory, 'later'), '')
    plain.git('add', '--intent-to-add', 'later')
  }
  const index = () => readFileSync(join(plain.directory, '.git', 'index'))
  expect(index().readUInt32BE(4)).toBe(version)
  expect(hasGitlink(index())).toBe(false)
  expect(LOOKING.map((command) => effectIn(plain.directory, command))).toEqual(
    LOOKING.map(() => 'reading'),
  )
  repository(join(plain.directory, 'vendored'))
  plain.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'vendored')
  expect(index().readUInt32BE(4)).toBe(version)
  expect(hasGitlink(index())).toBe(true)
})

test('an index that cannot be told may hold anything', () => {
  const { directory, git } = withNested()
  const bytes = readFileSync(join(directory, '.git', 'index'))
  const first = bytes.indexOf(Buffer.from([0, 0, 0xe0, 0]))
  for (let length = first + 4; length < bytes.length; length += 1)
    expect([length, hasGitlink(bytes.subarray(0, length))]).toEqual([length, true])
  for (const text of ['', 'DIRC', 'DIRC\0\0\0\x05\0\0\0\0', 'DIRD\0\0\0\x02\0\0\0\0'])
    expect(hasGitlink(Buffer.from(text))).toBe(true)
  git('rm', '-q', '--cached', 'vendored')
  expect(holdsGitlinks(directory)).toBe(false)
  git('update-index', '--split-index')
  expect(holdsGitlinks(directory)).toBe(true)
})

test('a size or a time that looks like a mode is none', () => {
  const { directory, git } = repository()
  writeFileSync(join(directory, 'large'), Buffer.alloc(0xe000))
  git('add', 'large')
  const bytes = readFileSync(join(directory, '.git', 'index'))
  expect(bytes.includes(Buffer.from([0, 0, 0xe0, 0]))).toBe(true)
  expect(hasGitlink(bytes)).toBe(false)
  git('update-index', '--index-version', '4')
  expect(hasGitlink(readFileSync(join(directory, '.git', 'index')))).toBe(false)
})

test('the index of a linked worktree is found, and a repository without one holds nothing', () => {
  const { directory, git } = withNested()
  const tree = join(tempDirectory(), 'tree')
  git('worktree', 'add', '-q', tree)
  expect(holdsGitlinks(tree)).toBe(true)
  const plain = repository()
  const plainTree = join(tempDirectory(), 'tree')
  plain.git('worktree', 'add', '-q', plainTree)
  expect(holdsGitlinks(plainTree)).toBe(false)
  rmSync(join(plain.directory, '.git', 'index'))
  expect(holdsGitlinks(plain.directory)).toBe(false)
  expect(holdsGitlinks(tempDirectory())).toBe(false)
  expect(holdsGitlinks(join(directory, 'no'))).toBe(true)
})

test('names that look like what an index tells hide no nested repository', () => {
  const { directory, git } = withNested()
  for (let n = 0; n < 1200; n += 1) writeFileSync(join(directory, `linksdi-${n}`), '')
  git('add', '.')
  expect(holdsGitlinks(directory)).toBe(true)
  git('rm', '-q', '--cached', 'vendored')
  expect(holdsGitlinks(directory)).toBe(false)
})

test('a mark that goes across two pieces of an index is seen', () => {
  const directory = tempDirectory()
  mkdirSync(join(directory, '.git'))
  const holds = (mark: string, at: number) => {
    const bytes = Buffer.alloc(70_000, 'x')
    bytes.write('DIRC\0\0\0\x02\0\0\0\x01', 'latin1')
    bytes.write(mark, at, 'latin1')
    writeFileSync(join(directory, '.git', 'index'), bytes)
    return holdsGitlinks(directory)
  }
  for (const mark of ['\0\0\xe0\0', '\0link', 'sdir']) {
    for (const border of [12, 32_768, 65_528, 70_000 - 8])
      for (let at = border - 8; at < border + 4; at += 1)
        if (at >= 12) expect([mark, at, holds(mark, at)]).toEqual([mark, at, true])
    expect(holds(mark.replace('\0', 'x').slice(0, -1), 32_766)).toBe(false)
  }
})
