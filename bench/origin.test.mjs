import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../src/testing/home.ts'
import { commandLine, commitOf } from './origin.mjs'

test('a run is told as it is typed', () => {
  expect(commandLine([])).toBe('npm run bench')
  expect(commandLine(['--quiet', '--archive-max', '1000000'])).toBe(
    'npm run bench -- --quiet --archive-max 1000000',
  )
  expect(commandLine(['--only', 'hook bell', "it's"])).toBe(
    "npm run bench -- --only 'hook bell' 'it'\\''s'",
  )
})

test('a commit is told, with a plus where the tree is dirty; a folder in another repository has none', () => {
  const root = tempDirectory()
  expect(commitOf(root)).toBeUndefined()
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  git('init', '-q')
  expect(commitOf(root)).toBeUndefined()
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
  const commit = git('rev-parse', '--short', 'HEAD').trim()
  expect(commitOf(root)).toBe(commit)
  mkdirSync(join(root, 'copy'))
  writeFileSync(join(root, 'copy', 'file'), 'new\n')
  expect(commitOf(root)).toBe(`${commit}+`)
  expect(commitOf(join(root, 'copy'))).toBeUndefined()
})
