import { expect, test } from 'vitest'
import { placeWith } from '../../testing/place.ts'
import { effectOf } from './reading.ts'

test.each([
  ...['node -p 1', 'node -p process.version', 'node -e "console.log(1)"', 'node -p \'"x"\''],
  ...['node --print process.versions.v8', "node -e 'console.log(process.platform);' | head -1"],
  ...['time node -p 1', '/usr/bin/node -p 1', 'x=1; node -p $x', 'node -p "\'//\'"'],
])('reads: %s', (command) => expect(effectOf(command, placeWith()).effect).toBe('reading'))

test.each([
  ...['node', 'node -e 1', 'node x.js', 'node -p', 'node -p "1" x', 'node -i -p 1', 'node -p 1n'],
  ...['node -r ./x -p 1', 'node --import=./x -p 1', 'node --env-file=.env -p 1'],
  ...['node -p 1 -r ./x', 'node --require ./x -p 1', 'node -C x -p 1', 'node --input-type=module'],
  ...['node --inspect -p 1', 'node --cpu-prof -p 1', 'node -pe 1 -e 2', 'node -pr ./x 1'],
  ...['node --experimental-config-file=x -p 1', 'node --experimental-loader ./x -p 1'],
  // A package.json that is a link to a module is run as one; and a field may have code behind it.
  ...[`node -p "require('./package.json').version"`, `node -p "require('./x.json')"`],
  ...[`node -p "require('./package.json').constructor.constructor('x')()"`, "node -p 'import(x)'"],
  ...[`node -p "require('#x')"`, 'node -p "process.exit()"', "node -p '`x`'"],
  ...[`node -p "'a' + require('fs')"`, `node -p "'\\x27+x()+\\x27'"`, 'node -p "$X"'],
  ...[`node -p "'\\u0027+x()+'"`, 'node -p "1/**/;x()"', 'node -p "1,x()"', 'node -p "{}+x()"'],
  ...['node -p process.env', 'node -p process.env.TOKEN', 'node -p process.binding', 'node -p x'],
  ...['node -p "process[\'version\']"', 'node -p process.versions.constructor.name'],
  ...['node -p "new Proxy({},{})"', 'node -p "({toString(){x()}})"', 'node -p process.mainModule'],
  ...[`node -e "console.log(1);x()"`, `node -e "console.log(1)\nx()"`, 'node -p "1;x()"'],
  ...[`node -e "console.log('a',x())"`, `node -e "console.log(1)(x())"`, "node -p '1\n'"],
  ...['NODE_OPTIONS=-r./x node -p 1', 'NODE_PATH=x node -p 1', 'NODE_V8_COVERAGE=x node -p 1'],
  ...['export NODE_OPTIONS=-r./x; node -p 1', 'PATH=.:$PATH node -p 1', 'PATH=.; node -p 1'],
  ...['./node -p 1', 'bin/node -p 1', '/tmp/node -p 1', 'node_modules/.bin/node -p 1'],
  ...['node() { x; }; node -p 1', 'alias node=x; node -p 1', 'function node { x; }; node -p 1'],
  ...['node --pri 1', 'node --print=1', 'echo 1 | node', 'node -p 1 > f', 'node -p 1 &'],
  ...['ls | xargs node -p 1', 'ls | xargs -I{} node -p {}', 'find . -exec node -p 1 {} +'],
  ...['node -p *', 'node -p $(cat f)', 'node $x -p 1', 'env node -p 1', 'command node -p 1'],
  ...['python3 -c "print(1)"', 'deno eval 1', 'bun -p 1', 'nodejs -p 1', 'npx node -p 1'],
])('asks: %s', (command) => expect(effectOf(command, placeWith()).effect).toBe('changing'))

test.each([
  ['where NODE_OPTIONS is set', { isSet: (name: string) => name === 'NODE_OPTIONS' }],
  ...['.tool-versions', 'mise.toml', '.mise.toml', '.node-version', 'package.json'].map(
    (file): [string, Parameters<typeof placeWith>[0]] => [
      `where ${file} names one`,
      { finds: (name) => name === file },
    ],
  ),
])('%s, node may be another program', (_, amiss) => {
  expect(effectOf('node -p 1', placeWith(amiss)).effect).toBe('changing')
})
