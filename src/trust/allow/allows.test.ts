import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeAt } from '../../bus/home.ts'
import { tempDirectory } from '../../testing/home.ts'
import { wordsOf } from '../shell/reading.ts'
import { judgeAllowed } from './allows.ts'
import { type Allow, readAllows, type Script } from './file.ts'
import { whyNever } from './never.ts'
import { scriptOf } from './script.ts'

const SCRIPTS = {
  test: 'vitest run',
  'test:all': 'tsc --noEmit && vitest run',
  build: 'tsup',
  clean: 'rm -rf dist',
  install: 'vitest run',
  fixed: 'vitest run -u',
  around: 'vitest run',
  found: 'rm x \\; vitest run',
  printed: 'rm >& mocha',
  postaround: 'rm x',
  run: 'sh -c',
}

/** A project, and what is allowed in it or everywhere. */
function world(
  allowed: string[] = [],
  { everywhere = false, path = '/usr/bin:/bin', before = {} } = {},
) {
  const root = join(tempDirectory(), 'project')
  for (const folder of ['src', 'sub', 'bin', 'tests'])
    mkdirSync(join(root, folder), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  write('package.json', JSON.stringify({ scripts: SCRIPTS }))
  write('Makefile', 'check:\n\ttrue\n')
  write('run.sh', 'true\n')
  write('gen.py', 'print(1)\n')
  write('sub/package.json', JSON.stringify({ scripts: SCRIPTS }))
  for (const [name, text] of Object.entries<string>(before)) write(name, text)
  symlinkSync('/etc', join(root, 'etc'))
  const home = homeAt(tempDirectory())
  const allows = allowed.map((text): Allow => {
    const words = text.startsWith('mcp__') ? [text] : (wordsOf(text) ?? [])
    const script = scriptOf(words, root) as Script | undefined
    return {
      ...{ text, words, project: everywhere ? null : root },
      ...{ script: script?.digest ?? null, at: new Date(0).toISOString() },
    }
  })
  writeFileSync(home.allowed, JSON.stringify(allows))
  const judge = (command: string, more: Record<string, unknown> = {}, around = {}) =>
    judgeAllowed(
      { name: 'Bash', input: { command, ...more } },
      { cwd: root, root, home: home.root, env: { PATH: path }, changed: false, ...around },
      home,
    )
  const passes = (...args: Parameters<typeof judge>) => judge(...args).passes
  return { root, home, write, judge, passes }
}

test.each<[allowed: string, command: string, passes: boolean]>([
  // The very words.
  ['npm test', 'npm test', true],
  ['npm test', 'npm  "test"', true],
  ['npm test', 'npm test 2>&1', true],
  ['npm test', 'npm test >/dev/null 2>&1', true],
  ['curl -s http://localhost:3000/health', 'curl -s http://localhost:3000/health', true],
  ['curl -s http://localhost:3000/health', 'curl -s http://localhost:3000/', false],
  ['git fetch', 'git fetch', true],
  ['git fetch', 'git fetch origin', false],
  ['git fetch', 'git fetch --upload-pack=x', false],
  ['git fetch', 'git -c core.sshCommand=x fetch', false],
  ['git add', 'git add src/a.ts', true],
  ['git add', 'git add -A', false],
  ['git add', 'git add -f src/a.ts', false],
  ['git add', 'git add ../x', false],
  ['git add', 'git add .', false],
  ['git add', 'git add .env', false],
  ['git add', 'cd sub && git add src/a.ts', false],
  ['touch', 'touch src/a.ts', false],
  ['python3 gen.py', 'python3 gen.py', true],
  ['python3 -W error -m pytest', 'python3 -W error -m pytest', true],
  ['python3 gen.py', 'python3 gen.py src', false],
  ['python3 gen.py', 'python3 gen.py && npm test', false],
  ['npm audit', 'npm audit', true],
  ['npm audit', 'npm audit fix', false],
  ['npm pack', 'npm pack x/y', false],
  ['npm install', 'npm install evil', false],
  ['pip list', 'pip install x', false],
  ['terraform plan', 'terraform plan -out=x', false],
  // Files and names of tests.
  ['pytest', 'pytest', true],
  ['pytest', 'pytest tests', true],
  ['pytest', 'pytest tests/test_a.py::TestA::test_b tests/c.py', true],
  ['pytest -q', 'pytest -q tests', true],
  ['pytest', 'pytest -q', false],
  ['pytest -q', 'pytest tests -q', true],
  ['pytest -q -x', 'pytest -x tests -q', true],
  ['pytest -q', 'pytest tests', false],
  ['pytest -q', 'pytest tests -q -p evil', false],
  ['pytest -k slow', 'pytest -q -k slow', false],
  ['pytest', 'pytest tests -p evil', false],
  ['pytest -p', 'pytest -p evil', false],
  ['pytest -k slow', 'pytest -k slow tests', false],
  ['pytest', 'pytest http://evil/x.py', false],
  ['pytest', 'pytest git+ssh://evil/x', false],
  ['pytest', 'pytest /etc', false],
  ['pytest', 'pytest etc/x', false],
  ['pytest', 'pytest ../other', false],
  ['pytest', 'pytest tests/../../other', false],
  ['pytest', 'pytest ~/x', false],
  ['pytest', 'pytest @args', false],
  ['pytest', 'pytest .git/hooks', false],
  ['pytest', "pytest 'a b'", false],
  ['pytest', 'pytest tests/*', false],
  ['pytest', 'pytest $X', false],
  ['pytest', 'pytest scripts/deploy.py', false],
  ['pytest', 'pytest src', true],
  ['node --test', 'node --test src/a.test.js', true],
  ['node --test', 'node --test src/latest.js', false],
  ['pytest', 'pytest .', true],
  ['bun test', 'bun test ./scripts/deploy.ts', false],
  ['bun test', 'bun test ./tests/a.ts', true],
  ['rspec', 'rspec bin/deploy', false],
  ['rspec', 'rspec spec/a_spec.rb', true],
  ['phpunit', 'phpunit src/FooTest.php', true],
  ['node --test', 'node --test scripts/publish.js', false],
  ['node --test', 'node --test scripts/publish', false],
  ['npx vitest run', 'npx vitest run src/a.test.ts', true],
  ['npx vitest run', 'npx vitest watch', false],
  ['npx vitest', 'npx vitest run', false],
  ['npx', 'npx vitest', false],
  ['npx tsc --noEmit', 'npx tsc --noEmit src/a.ts', true],
  ['npx tsc', 'npx tsc src/a.ts', false],
  ['cargo test', 'cargo test parser', true],
  ['cargo test', 'cargo run', false],
  ['go test', 'go test ./...', true],
  ['go vet', 'go vet example.com/evil', false],
  ['go vet', 'go vet .../evil', false],
  ['ruff check', 'ruff check .', true],
  ['ruff check', 'ruff check ..', false],
  ['eslint --fix', 'eslint --fix src', false],
  // Scripts, by what they were.
  ['npm test', 'npm test src/a.test.ts', true],
  ['npm run test:all', 'npm run test:all src/a.test.ts', true],
  ['npm test', 'npm test -- -u', false],
  ['npm test', 'npm test --prefix=/x', false],
  ['npm test', 'npm run test', false],
  ['npm run build', 'npm run build', true],
  ['npm run build', 'npm run build src', false],
  ['npm run clean', 'npm run clean src', false],
  ['npm run found', 'npm run found src/a.ts', false],
  ['npm run printed', 'npm run printed src/a.test.ts', false],
  ['npm run run', 'npm run run reboot', false],
  ['npm run', 'npm run build', false],
  ['npm', 'npm test', false],
  ['pnpm install', 'pnpm install evil', false],
  ['yarn test', 'yarn test src/a.test.ts', true],
  ['make check', 'make check', true],
  ['make check', 'make check other', false],
  ['make check', 'make check SHELL=x', false],
  ['make check', 'make -C sub check', false],
  ['./run.sh', './run.sh', true],
  ['./run.sh', './run.sh src', false],
  // Given something else than its words.
  ['npm test', 'echo x | npm test', false],
  ['npm test', 'npm test <<< x', false],
  ['npm test', 'npm test < README', false],
  ['npm test', 'npm test > out', false],
  ['npm test', 'npm test >> out', false],
  ['npm test', 'npm test &', false],
  ['npm test', 'CI=1 npm test', false],
  ['npm test', 'NODE_OPTIONS=--require=./x npm test', false],
  ['npm test', 'LC_ALL=C npm test', false],
  ['npm test', 'TARGET=x; npm test', false],
  ['npm test', 'read x < a; npm test', false],
  ['npm test', 'export A=1; npm test', false],
  ['npm test', 'env npm test', false],
  ['npm test', 'timeout 60 npm test', false],
  ['npm test', 'time npm test', false],
  ['npm test', 'timeout 60 npm test <<< x', false],
  ['npm test', 'echo "$(npm test)"', false],
  ['npm test', 'cat <(npm test)', false],
  ['npm test', 'for i in 1 2; do npm test; done', false],
  ['npm test', 'while read x; do npm test; done < a', false],
  ['npm test', '(npm test)', false],
  ['npm test', '{ npm test; } < a', false],
  ['npm test', 'if true; then npm test; fi', false],
  ['npm test', 'bash -c "npm test"', false],
  ['npm test', 'eval npm test', false],
  ['npm test', 'xargs npm test', false],
  ['npm test', 'ls | xargs npm test', false],
  ['npm test', './npm test', false],
  ['npm test', '/usr/bin/npm test', false],
  ['npm test', 'n\\pm test', false],
  ['npm test', 'npm tes{t,}', false],
  ['npm test', 'npm test\u00a0x', false],
  // Beside others.
  ['npm test', 'npm test | tail -20', true],
  ['npm test', 'npm test 2>&1 | grep -c fail | head', true],
  ['npm test', 'npm test && git status', true],
  ['npm test', 'ls; npm test || echo failed', true],
  ['npm test', 'npm test && npm test', true],
  ['npm test', 'cd . && npm test', true],
  ['npm test', 'npm test && rm -rf x', false],
  ['npm test', 'rm -rf x; npm test', false],
  ['npm test', 'git checkout evil && npm test', false],
  ['npm test', 'npm test | tee out', false],
  ['npm test', 'npm test | sh', false],
  ['npm test', 'cd sub && npm test', false],
  ['npm test', 'cd /tmp; npm test', false],
  ['npm test', 'pushd sub; npm test', false],
  ['npm test', 'npm test; cd sub', true],
  ['npm test', 'alias npm=evil; npm test', false],
  ['npm test', 'npm () { rm x; }; npm test', false],
  ['npm test', 'trap "rm x" EXIT; npm test', false],
])('with %j, %j passes: %s', (allowed, command, passes) => {
  expect(world([allowed]).passes(command)).toBe(passes)
})

test('what is allowed beside what is allowed passes, but for what may bring other files', () => {
  const { judge } = world([
    'npm test',
    'npm run build',
    'git pull',
    'npx tsc --noEmit',
    'make check',
  ])
  const passing = { passes: true, changes: false }
  expect(judge('npx tsc --noEmit && npm run build && npm test | tail')).toEqual(passing)
  expect(judge('npm test && git pull')).toEqual({ passes: true, changes: true })
  const { judge: after } = world(['yarn upgrade', 'npm test'])
  expect(after('yarn upgrade')).toEqual({ passes: true, changes: true })
  expect(judge('git pull && npm test').passes).toBe(false)
  expect(judge('git pull; git pull').passes).toBe(false)
})

test('nothing passes once something in the turn has changed, nor in the background', () => {
  const { passes } = world(['npm test', 'git fetch'])
  for (const command of ['npm test', 'git fetch']) {
    expect(passes(command)).toBe(true)
    expect(passes(command, {}, { changed: true })).toBe(false)
    expect(passes(command, { run_in_background: true })).toBe(false)
  }
})

test.each([
  ...['npm test', 'npm run test:all', 'npx vitest run', 'npx tsc --noEmit', 'pytest', 'ruff check'],
  ...[
    'cargo clippy',
    'go vet',
    'mvn test',
    'npm run build',
    'npm install',
    'make check',
    './run.sh',
  ],
  ...['git fetch', 'python3 gen.py', 'eslint --fix', 'git add -A', 'docker compose ps'],
])('once something in the turn has changed, %s asks', (command) => {
  const { passes } = world([command])
  expect(passes(command)).toBe(true)
  expect(passes(command, {}, { changed: true })).toBe(false)
})

test('git add passes then, too, for files of the project', () => {
  const { judge, passes } = world(['git add', 'git pull'])
  expect(judge('git add src/a.ts', {}, { changed: true })).toEqual({ passes: true, changes: true })
  expect(judge('git add src/a.ts')).toEqual({ passes: true, changes: false })
  expect(passes('git pull && git add src/a.ts')).toBe(true)
  for (const line of ['git add -A', 'git add .env', 'git add src/a.ts && git pull'])
    expect([line, passes(line, {}, { changed: true })]).toEqual([line, false])
})

test('it holds where it was allowed, and everywhere means where a session was started', () => {
  const here = world(['npm test', 'make check', 'pytest'])
  const there = world(['npm test', 'pytest'], { everywhere: true })
  for (const { passes, root } of [here, there]) {
    expect(passes('pytest', {}, { cwd: join(root, 'sub') })).toBe(false)
    expect(passes('pytest', {}, { cwd: undefined })).toBe(false)
    expect(passes(`cd ${root} && pytest`)).toBe(true)
  }
  const other = world().root
  const elsewhere = { cwd: other, root: other }
  expect(here.passes('pytest', {}, elsewhere)).toBe(false)
  expect(there.passes('pytest', {}, elsewhere)).toBe(true)
  // The same line in another project is the same script.
  expect(there.passes('npm test', {}, elsewhere)).toBe(true)
  writeFileSync(join(other, 'package.json'), '{"scripts":{"test":"evil"}}')
  expect(there.passes('npm test', {}, elsewhere)).toBe(false)
})

describe('a script asks once it is another', () => {
  const withField = (field: string, value: unknown) =>
    JSON.stringify({ scripts: SCRIPTS, [field]: value })
  const changed = (name: string, text: string) => [name, text] as const
  test.each([
    ['npm test', changed('package.json', '{"scripts":{"test":"vitest run; rm x"}}')],
    ['npm test', changed('package.json', '{"scripts":{"test":"vitest run","pretest":"rm x"}}')],
    ['npm test', changed('package.json', '{"scripts":{"test":"vitest run","posttest":"rm x"}}')],
    ['npm test', changed('package.json', '{}')],
    ['npm test', changed('.npmrc', 'script-shell=./evil')],
    ['yarn test', changed('.yarnrc.yml', 'yarnPath: ./evil.cjs')],
    ['npm test', changed('package.json', 'no JSON')],
    ['npm run build', changed('package.json', '{"scripts":{"build":"tsup "}}')],
    ['yarn tsc', changed('package.json', '{"scripts":{"tsc":"rm x"}}')],
    ['make check', changed('Makefile', 'check:\n\trm x\n')],
    ['make check', changed('GNUmakefile', 'check:\n\tfalse\n')],
    ['./run.sh', changed('run.sh', 'rm x\n')],
    ['python3 gen.py', changed('gen.py', 'rm(x)')],
    ['python3 -W ignore gen.py --all', changed('gen.py', 'rm(x)')],
    ['node gen.py x', changed('gen.py', 'rm(x)')],
    ['deno run gen.py', changed('gen.py', 'rm(x)')],
    ['yarn test', changed('package.json', withField('packageManager', 'yarn@9'))],
    ['npm test', changed('package.json', withField('volta', { node: '1' }))],
    ['pnpm test', changed('pnpm-workspace.yaml', 'scriptShell: ./evil')],
  ])('%s, after %j', (command, [name, text]) => {
    const { passes, write } = world([command])
    expect(passes(command)).toBe(true)
    write(name, text)
    expect(passes(command)).toBe(false)
  })
})

const scriptsOf = (scripts: object) => JSON.stringify({ scripts })
const CALLS_LINT = { test: 'npm run lint && vitest run', lint: 'eslint' }

describe('what a command calls, or runs, is a part of it', () => {
  test.each<[command: string, before: Record<string, string>, name: string, text: string]>([
    // Scripts that call others, also by a pattern, and what runs around those.
    ...[{ lint: 'rm x' }, { prelint: 'rm x' }, { postlint: 'rm x' }].map(
      (more): [string, Record<string, string>, string, string] => [
        ...(['npm test', { 'package.json': scriptsOf(CALLS_LINT) }] as const),
        ...(['package.json', scriptsOf({ ...CALLS_LINT, ...more })] as const),
      ],
    ),
    ...['run-s lint:*', 'npm run $X', 'npm-run-all `x`'].map(
      (test): [string, Record<string, string>, string, string] => [
        ...(['yarn test', { 'package.json': scriptsOf({ test }) }] as const),
        ...(['package.json', scriptsOf({ test, 'lint:b': 'rm x' })] as const),
      ],
    ),
    [
      ...(['npm run a', { 'package.json': scriptsOf({ a: 'npm run b', b: 'npm t' }) }] as const),
      ...(['package.json', scriptsOf({ a: 'npm run b', b: 'npm t', test: 'rm x' })] as const),
    ],
    // Verbs that run scripts by themselves.
    ...['npm ci', 'npm install', 'npm pack', 'npm it', 'pnpm install', 'yarn', 'bun add x'].map(
      (verb): [string, Record<string, string>, string, string] => [
        ...([verb, { 'package.json': scriptsOf({ install: 'x' }) }] as const),
        ...(['package.json', scriptsOf({ install: 'x', prepare: 'rm x', test: 'y' })] as const),
      ],
    ),
    // Code, however it is run.
    ...['npx tsx a.ts', 'uv run a.ts', 'uv run -q a.ts', 'poetry run python a.ts', 'bun a.ts'].map(
      (line): [string, Record<string, string>, string, string] => [
        line,
        { 'a.ts': '1' },
        'a.ts',
        'x',
      ],
    ),
    ...['deno a.ts', 'deno run -A a.ts', 'go run a.ts', './run.sh a.ts', 'node b.js a.ts'].map(
      (line): [string, Record<string, string>, string, string] => [
        ...([line, { 'a.ts': '1', 'b.js': '' }, 'a.ts', 'x'] as const),
      ],
    ),
    ['python3 -m gen', {}, 'gen.py', 'rm(x)'],
    ['python3 -m src.a', { 'src/a.py': '' }, 'src/a.py', 'rm(x)'],
    ['python3 -m tests', { 'tests/__main__.py': '' }, 'tests/__main__.py', 'rm(x)'],
    ['python3 -m pytest', {}, 'pytest.py', 'rm(x)'],
    // Files of targets, and those that they take in.
    ['make check', { Makefile: 'include a.mk b.mk # x', 'a.mk': '' }, 'a.mk', 'A = $(shell rm x)'],
    ['make check', { Makefile: '-include a.mk' }, 'a.mk', 'A = $(shell rm x)'],
    ['make check', { Makefile: 'include a.mk', 'a.mk': 'sinclude src/b.mk' }, 'src/b.mk', 'x'],
    ['just a', { justfile: "import 'src/a.just'", 'src/a.just': '' }, 'src/a.just', 'x'],
    ['just a', { justfile: 'import? "src/a"', 'src/a': "import 'b'" }, 'src/b', 'x'],
    ['deno task a', { 'deno.json': '{}' }, 'deno.json', '{"tasks":{"a":"rm x"}}'],
    ['task a', { 'Taskfile.yml': 'x' }, 'Taskfile.yml', 'y'],
    ['bundle exec rake a', { Rakefile: 'x' }, 'Rakefile', 'y'],
    ['composer test', { 'composer.json': '{}' }, 'composer.json', '{"scripts":{}}'],
    ['uv run tox -e py', { 'tox.ini': 'x' }, 'tox.ini', 'y'],
    ['npx gulp a', { 'gulpfile.js': 'x' }, 'gulpfile.js', 'y'],
    ['yarn gulp a', { 'gulpfile.js': 'x' }, 'gulpfile.js', 'y'],
  ])('%s, with %j, asks after a change of %s', (command, before, name, text) => {
    const { passes, write } = world([command], { before })
    expect(passes(command)).toBe(true)
    write(name, text)
    expect(passes(command)).toBe(false)
  })

  test('a workspace says by which program, and with which shell, its packages run', () => {
    const { root, write, home } = world([])
    const sub = join(root, 'sub')
    const script = scriptOf(['pnpm', 'test'], sub) as Script
    const allow = { text: 'pnpm test', words: ['pnpm', 'test'], project: sub, at: 'x' }
    writeFileSync(home.allowed, JSON.stringify([{ ...allow, script: script.digest }]))
    const passes = () =>
      judgeAllowed(
        { name: 'Bash', input: { command: 'pnpm test' } },
        { cwd: sub, root, home: home.root, env: {}, changed: false },
        home,
      ).passes
    expect(passes()).toBe(true)
    for (const [name, text] of [
      ...[['pnpm-workspace.yaml', 'scriptShell: ./evil'] as const],
      ...[['.npmrc', 'script-shell=./evil'] as const],
      ...[['package.json', '{"packageManager":"yarn@https://evil/x.tgz"}'] as const],
    ]) {
      write(name, text)
      expect([name, passes()]).toEqual([name, false])
      write(name, name === 'package.json' ? scriptsOf(SCRIPTS) : '')
      rmSync(join(root, name), { force: name !== 'package.json' })
    }
  })

  test.each<[command: string, files?: Record<string, string>]>([
    ...['npm test -ws', 'npm test -w sub', 'npm test --workspaces', 'npm --prefix sub test'].map(
      (command): [string] => [command],
    ),
    ...['yarn workspace sub test', 'pnpm recursive run test', 'pnpm -r test', 'npm run'].map(
      (command): [string] => [command],
    ),
    ...['npm explore x', 'yarn workspaces run test', 'python3 none.py', 'tox', 'task a'].map(
      (command): [string] => [command],
    ),
    ['python3 link.py'],
    ['make check', { Makefile: 'include *.mk' }],
    ['make check', { Makefile: 'include $(X)' }],
    ['make check', { Makefile: 'include a.mk \\\n b.mk' }],
    ['just a', { justfile: 'mod a' }],
    ['just a', { justfile: 'set fallback' }],
    ['task a', { 'Taskfile.yml': 'includes:\n  a: b' }],
  ])('nobody can tell what %s runs, with %j', (command, before = {}) => {
    const { root } = world([], { before })
    symlinkSync(join(root, 'gen.py'), join(root, 'link.py'))
    expect(scriptOf(wordsOf(command) ?? [], root)).toBe('missing')
  })

  test.each([
    ['npm test', { 'package.json': scriptsOf({ ...SCRIPTS, more: 'rm x' }) }],
    ['yarn test', { 'package.json': scriptsOf({ ...SCRIPTS, postbuild: 'rm x' }) }],
    ['make check', { 'other.mk': 'x' }],
    ['npx vitest run src/a.test.ts', { 'src/a.test.ts': 'x' }],
    ['pytest tests/a.py', { 'tests/a.py': 'x' }],
    ['npm audit', { 'src/a.ts': 'x' }],
  ])('%s stays the same with %j', (command, files) => {
    const { passes, write } = world([command])
    for (const [name, text] of Object.entries(files)) write(name, text)
    expect(passes(command)).toBe(true)
  })
})

test('a program that the project puts into a folder of PATH asks', () => {
  for (const folder of ['bin', '', '.', 'sub/../bin', 'ROOT/bin', 'LINK']) {
    const made = world(['pytest'])
    const { root, passes } = made
    const program = join(root, folder === '' || folder === '.' ? '.' : 'bin', 'pytest')
    const link = join(tempDirectory(), 'link')
    symlinkSync(join(root, 'bin'), link)
    const path = folder.replace('ROOT', root).replace('LINK', link)
    const env = { PATH: `/nowhere:${path}:/usr/bin` }
    expect([folder, passes('pytest', {}, { env })]).toEqual([folder, true])
    writeFileSync(program, '')
    chmodSync(program, 0o755)
    expect([folder, passes('pytest', {}, { env })]).toEqual([folder, false])
  }
})

test('a tool of an MCP server passes by its exact name, and may have changed something', () => {
  const { root, home } = world(['mcp__github__pull_request_read'])
  const judge = (name: string, more = {}) =>
    judgeAllowed(
      { name, input: {} },
      { cwd: root, root, home: home.root, env: {}, changed: false, ...more },
      home,
    )
  expect(judge('mcp__github__pull_request_read')).toEqual({ passes: true, changes: true })
  for (const name of ['mcp__github__pull_request_read_', 'mcp__github__merge', 'Write'])
    expect([name, judge(name).passes]).toEqual([name, false])
  expect(judge('mcp__github__pull_request_read', { root: '/' }).passes).toBe(false)
})

test.each([
  ['', false],
  ['{}', false],
  ['[{"text":"rm x"}]', false],
  ['[{"text":"x","words":[],"project":null,"script":null,"at":"x"}]', false],
  ['[{"text":"x","words":["x",1],"project":null,"script":null,"at":"x"}]', false],
  ['[]', true],
])('a file that says %j is a list: %s', (text, isList) => {
  const { home, passes } = world(['npm test'])
  writeFileSync(home.allowed, text)
  expect(readAllows(home)).toEqual(isList ? [] : undefined)
  expect(passes('npm test')).toBe(false)
})

test.each([
  ...['sh x', 'bash', '/bin/sh x', 'zsh -c x', 'busybox sh', 'sudo npm test', 'su', 'ssh host ls'],
  ...['env npm test', 'timeout 5 ls', 'time ls', 'xargs rm', 'nohup x', 'nice x', 'watch x'],
  ...['node -e 1', 'node --eval=1', 'node', 'node -', 'node -p 1', 'python3', 'python3 -c 1'],
  ...['python3.12 -Bc 1', 'perl -e 1', 'perl -pe 1 x', 'ruby -e 1', 'php -r 1', 'deno eval 1'],
  ...['bun -e 1', 'awk x', 'sed x', 'npx -c x', 'npm exec -c x', 'npx --call=x', 'vim x'],
  ...['eval x', 'source x', '. x', 'export X', 'cd x', 'alias x', 'command x', 'exec x', 'set x'],
  ...[
    'python3 -c1',
    'perl -e1',
    'node -r./x y.js',
    'uv run python -c 1',
    'npx node -e 1',
    'docker exec api sh -c x',
    'poetry run bash',
  ],
  ...['pnpm exec zsh', 'docker run --rm node node -p 1', 'kubectl exec pod -- env rm x'],
  ...['rbash x', 'ltrace x', 'setarch x', 'taskset 1 x', 'xvfb-run x', 'fakeroot x', 'valgrind x'],
  ...['tmux x', 'screen x', 'ssh-agent x', 'dumb-init x', 'gosu a x', 'caffeinate x', 'ex x'],
  ...['pdm run python -c x', 'rye run bash', 'pyenv exec python -c 1', 'volta run node -e 1'],
  ...['git bisect run sh', 'git submodule foreach rm', 'git -c alias.x=!sh x', 'toybox sh'],
  ...['nix-shell --run x', 'npx concurrently x', 'concurrently x', 'nodemon x', 'ipython -c 1'],
  ...['irb', 'elixir -e 1', 'guile -c 1', 'octave --eval 1', 'ghc -e 1', 'bwrap x', 'run0 x'],
  ...['agent-chat send x', 'agent-chat allow x', "ls '*'", "rm 'src/*'", 'osascript -e x'],
])('%s can never be allowed', (command) => {
  expect(whyNever(wordsOf(command) ?? [])).toBeDefined()
})

test.each([
  ...['', ' ', '*', 'ls *', 'npm test | cat', 'npm test; ls', 'a && b', '$X', 'a $X', 'a "$(b)"'],
  ...['a > b', 'a < b', 'a <<< b', 'A=1 b', 'a &', '(a)', '{ a; }', 'a\nb', "a ''", 'a {b,c}'],
  ...['if a; then b; fi', 'a `b`', 'a ~', 'a\u0007'],
])('%j is no command of plain words', (command) => {
  expect(wordsOf(command)).toBeUndefined()
})

test.each([
  ...[
    'npm test',
    'npx vitest run',
    'python3 -m pytest -p x',
    'python3 x.py',
    'node --test',
    'node x.js',
  ],
  ...[
    'git fetch',
    'docker compose ps',
    './gradlew test',
    'bun test',
    'php artisan test',
    'deno test',
  ],
  ...[
    'ruby -Itest test/a.rb',
    'python3 -Werror a.py',
    'uv run pytest',
    'docker logs node',
    'uv run python -m pytest',
    'npm run node',
  ],
])('%s may be allowed', (command) => {
  expect(whyNever(wordsOf(command) ?? [])).toBeUndefined()
})
