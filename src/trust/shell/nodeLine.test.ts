import { expect, test } from 'vitest'
import { placeWith } from '../../testing/place.ts'
import { effectOf } from './reading.ts'

test.each([
  ...['node -p 1', 'node -p process.version', 'node -e "console.log(1)"', 'node -p \'"x"\''],
  ...[`node -p "require('./package.json').version"`, 'node --print process.versions.v8'],
  ...[`node -p 'require("./package.json").scripts["test:all"]' | head -1`],
  ...[`node -e "console.log(require('./package.json').dependencies)"`],
])('reads: %s', (command) => expect(effectOf(command, placeWith()).effect).toBe('reading'))

test.each([
  ...['node', 'node -e 1', 'node x.js', 'node -p', 'node -p "1" x', 'node -i -p 1', 'node -p 1n'],
  ...[
    'node -r ./x -p 1',
    'node --import=./x -p 1',
    'node --env-file=.env -p 1',
    'node -p 1 -r ./x',
  ],
  ...['node --require ./x -p 1', 'node --inspect -p 1', 'node --cpu-prof -p 1', 'node -pe 1 -e 2'],
  ...[`node -p "require('./x.json')"`, `node -p "require('./package.json.js')"`],
  ...[`node -p "require('package.json')"`, `node -p "require('../package.json')"`],
  ...[`node -p "require('./package.json').constructor.constructor('x')()"`],
  ...[`node -p "require('./package.json'),process.exit()"`, 'node -p "process.exit()"'],
  ...[`node -p "require('./package.json')[require('x')]"`, "node -p '`x`'"],
  ...[`node -p "'a' + require('fs')"`, `node -p "'\\x27+x()+\\x27'"`, 'node -p "$X"'],
  ...['node -p process.env', 'node -p process.env.TOKEN', 'node -p process.binding', 'node -p x'],
  ...[`node -e "console.log(1);x()"`, `node -e "console.log(1)\nx()"`, 'node -p "1;x()"'],
  ...[
    'NODE_OPTIONS=-r./x node -p 1',
    './node -p 1',
    'node --pri 1',
    'node --print=1',
    'echo 1 | node',
  ],
  ...['python3 -c "print(1)"', 'deno eval 1', 'bun -p 1'],
])('asks: %s', (command) => expect(effectOf(command, placeWith()).effect).toBe('changing'))

test('where package.json is no file, node would look for another one', () => {
  const nowhere = placeWith({ isFile: () => false })
  const command = `node -p "require('./package.json').version"`
  expect(effectOf(command, nowhere).effect).toBe('changing')
  expect(effectOf('node -p 1', nowhere).effect).toBe('reading')
  const only = placeWith({ isFile: (path) => path === 'package.json' })
  expect(effectOf(command, only).effect).toBe('reading')
  expect(effectOf(`cd sub && ${command}`, only).effect).toBe('changing')
})
