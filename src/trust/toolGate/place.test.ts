import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { effectOf } from '../shell/reading.ts'
import { placeAt } from './place.ts'

test('a directory that is not there is no other repository, and one that a name leads to might be', () => {
  const directory = tempDirectory()
  const place = placeAt(directory, directory, {})
  expect(place.isOwn(join(directory, 'no'))).toBe(true)
  expect(place.isOwn('no')).toBe(false)
  mkdirSync(join(directory, 'nested', '.git'), { recursive: true })
  expect(place.isOwn(join(directory, 'nested'))).toBe(false)
  for (const command of ['cd nested', 'git -C nested log', `git -C ${directory}/nested log`])
    expect([command, effectOf(command, place).effect]).toEqual([command, 'changing'])
})

test('a way up from a linked directory is not the way that git goes', () => {
  const directory = tempDirectory()
  mkdirSync(join(directory, 'there', 'deep'), { recursive: true })
  symlinkSync(join(directory, 'there', 'deep'), join(directory, 'link'))
  expect(placeAt(join(directory, 'there'), directory, {}).isOwn('..')).toBe(true)
  expect(placeAt(join(directory, 'link'), directory, {}).isOwn('..')).toBe(false)
})

test('what is no plain file asks where it would be opened', () => {
  const directory = tempDirectory()
  execFileSync('mkfifo', [join(directory, 'pipe')])
  writeFileSync(join(directory, 'file'), '')
  symlinkSync('pipe', join(directory, 'link'))
  const place = placeAt(directory, directory, {})
  const effect = (command: string) => effectOf(command, place).effect
  for (const command of ['cat file', 'cat missing', 'ls -l pipe', 'stat pipe', 'cat /dev/null'])
    expect([command, effect(command)]).toEqual([command, 'reading'])
  for (const command of ['cat pipe', 'grep x link', 'tail -n +1 pipe', 'sed p pipe', 'wc < pipe'])
    expect([command, effect(command)]).toEqual([command, 'changing'])
})

test('with CDPATH a name may lead anywhere', () => {
  const directory = tempDirectory()
  mkdirSync(join(directory, 'src'))
  const effect = (command: string, CDPATH?: string) =>
    effectOf(command, placeAt(directory, directory, { CDPATH })).effect
  expect(effect('cd src')).toBe('reading')
  expect(effect('cd src', '/elsewhere')).toBe('changing')
  expect(effect('cd ./src', '/elsewhere')).toBe('reading')
})

test.each([
  ['.npmrc', 'registry=http://127.0.0.1/\n', 'npm ls', 'go env'],
  ['rust-toolchain.toml', '[toolchain]\npath = "evil"\n', 'cargo --version', 'npm ls'],
  ['rust-toolchain', 'nightly\n', 'rustc --version', 'npm ls'],
  ['.python-version', '../../evil\n', 'pip show x', 'npm ls'],
  ['rust-toolchain', 'nightly\n', 'rustup toolchain list', 'pip show x'],
  ['go.mod', 'module x\n\ntoolchain go1.99.0\n', 'go env', 'npm ls'],
])('%s in a project, or above it, makes its tool ask', (file, text, command, other) => {
  const home = tempDirectory()
  const project = join(home, 'project')
  const inside = join(project, 'inside')
  mkdirSync(inside, { recursive: true })
  const effect = (line: string, root: string) =>
    effectOf(line, placeAt(root, root, { HOME: home })).effect
  writeFileSync(join(home, file), text)
  expect(effect(command, inside)).toBe('reading')
  writeFileSync(join(project, file), text)
  for (const root of [project, inside])
    expect([effect(command, root), effect(other, root)]).toEqual(['changing', 'reading'])
})

test('a project that names no toolchain of Go does not ask; an .npmrc that cannot be read asks', () => {
  const root = tempDirectory()
  writeFileSync(join(root, 'go.mod'), 'module x\n\ngo 1.22\n')
  const effect = (line: string) => effectOf(line, placeAt(root, root, {})).effect
  expect(effect('go version')).toBe('reading')
  mkdirSync(join(root, '.npmrc'))
  expect(effect('npm ls')).toBe('changing')
})

test.each([
  ['npm ls', 'NODE_OPTIONS', '--require ./x.js'],
  ['npm -v', 'NODE_OPTIONS_OF_COMMANDS', '-r./x.js'],
  ['tsc -v', 'NODE_OPTIONS', '--max-old-space-size=4096 --import ./x.js'],
  ['node -p 1', 'NODE_OPTIONS_OF_COMMANDS', '--import=./x.js'],
  ['pip show x', 'PYTHONPATH', 'src'],
])('%s asks where %s is %j', (command, variable, value) => {
  const root = tempDirectory()
  const effect = (env: NodeJS.ProcessEnv) => effectOf(command, placeAt(root, root, env)).effect
  expect(effect({ [variable]: value })).toBe('changing')
  for (const env of [{}, { [variable]: '' }, { NODE_OPTIONS: '--max-old-space-size=4096 ' }])
    expect(effect(env)).toBe('reading')
})

test('a pattern that may find a file whose name is an option asks where some grep obeys it', () => {
  const root = tempDirectory()
  const effect = (line: string) => effectOf(line, placeAt(root, root, {})).effect
  writeFileSync(join(root, 'a'), '')
  const lines = [
    'grep foo *',
    'ls | xargs grep foo',
    'for f in *; do grep foo "$f"; done',
    'jq . *',
  ]
  for (const line of lines) expect([line, effect(line)]).toEqual([line, 'reading'])
  writeFileSync(join(root, '--filter=*:sh evil'), '')
  for (const line of lines) expect([line, effect(line)]).toEqual([line, 'changing'])
  for (const line of ['grep foo ./*', 'grep foo a', 'cat *'])
    expect([line, effect(line)]).toEqual([line, 'reading'])
})

test('sqlite3 makes no file where no folder is for it', () => {
  const directory = tempDirectory()
  mkdirSync(join(directory, 'data'))
  const place = placeAt(directory, directory, {})
  const effect = (file: string) => effectOf(`sqlite3 ${file} 'SELECT 1'`, place).effect
  expect(effect(`${directory}/none/a.db`)).toBe('reading')
  for (const file of [`${directory}/data/a.db`, `${directory}/a.db`, 'none/a.db', 'a.db', '/a.db'])
    expect([file, effect(file)]).toEqual([file, 'changing'])
})
