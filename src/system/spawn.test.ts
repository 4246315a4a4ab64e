import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { spawnDetached } from './spawn.ts'

// It starts processes (node:child_process): the tests that do run in a project of their own.
test.each([
  ['NODE_OPTIONS', '--require /gone/debugger.js'],
  ['NODE_OPTIONS', '--max-old-space-size=99 --import="/gone/b.mjs"'],
  ['OPENSSL_CONF', '/dev/null/openssl.cnf'],
  ['NODE_ICU_DATA', '/gone'],
])('what outlives a terminal starts without its %s', async (name, value) => {
  const directory = tempDirectory()
  const out = join(directory, 'out')
  const program = `require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify([process.env.${name} ?? null, process.env.KEPT]))`
  spawnDetached([process.execPath, '-e', program], { [name]: value, KEPT: 'yes' }, directory)
  await until(
    'the program has written',
    () => existsSync(out) && readFileSync(out, 'utf8').endsWith(']'),
  )
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual([null, 'yes'])
})

test('what it names is there: the variable stays', async () => {
  const directory = tempDirectory()
  const out = join(directory, 'out')
  writeFileSync(join(directory, 'first.cjs'), '')
  const program = `require('node:fs').writeFileSync(${JSON.stringify(out)}, process.env.NODE_OPTIONS)`
  const value = `--require=${directory}/first.cjs`
  spawnDetached([process.execPath, '-e', program], { NODE_OPTIONS: value }, directory)
  await until('the program has written', () => existsSync(out) && readFileSync(out, 'utf8') !== '')
  expect(readFileSync(out, 'utf8')).toBe(value)
})
