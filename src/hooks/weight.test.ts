import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { Home } from '../bus/home.ts'
import { DIST, HOOK, ROOT, runHookProcess } from '../testing/cli.ts'
import { tempDirectory, tempHome } from '../testing/home.ts'

/** Words that a library's code holds however it is minified. */
const MARKS = {
  chokidar: 'awaitWriteFinish',
  commander: 'commander.excessArguments',
  execa: 'ExecaError',
  'gray-matter': 'excerpt_separator',
  'js-yaml': 'YAMLException',
  'proper-lockfile': 'ECOMPROMISED',
}

/** Which hooks Claude Code is told to run. */
function hookWords(): string[] {
  const { hooks } = JSON.parse(readFileSync(`${ROOT}/hooks/hooks.json`, 'utf8'))
  const groups: { hooks: { args: string[] }[] }[] = Object.values(hooks).flat() as typeof groups
  return [...new Set(groups.flatMap((group) => group.hooks.map(({ args }) => args.at(-1) ?? '')))]
}

const marksIn = (file: string) => {
  const text = readFileSync(`${DIST}/${file}`, 'utf8')
  return Object.entries(MARKS).flatMap(([library, mark]) => (text.includes(mark) ? [library] : []))
}

test('the marks are those of the libraries in this build', () => {
  const found = readdirSync(DIST)
    .filter((file) => file.endsWith('.js'))
    .flatMap(marksIn)
  expect([...new Set(found)].sort()).toEqual(Object.keys(MARKS))
})

const PROGRAMS: Record<string, string> = {
  'pre-tool-use': 'beforeTool.js',
  'early-tool-use': 'beforeTool.js',
  'post-tool-use': 'afterTool.js',
}

test.each(hookWords())('%s loads no library', async (word) => {
  const home = tempHome('frontend')
  const { root } = home
  // Of a session of which nothing was told, the whole gate asks the client's record.
  const state = { activity: 'idle', since: '', agent: null, gate: 'off' }
  mkdirSync(home.states, { recursive: true })
  writeFileSync(home.state('frontend'), JSON.stringify(state))
  const trace = `${tempDirectory()}/trace.cjs`
  writeFileSync(
    trace,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(`${trace}.out`)}, Object.keys(require.cache).join('\\n')))`,
  )
  const env = { AGENT_CHAT_NAME: 'frontend', NODE_OPTIONS: `--require=${trace}` }
  const options = { home: root, env, onNode: true }
  expect(
    (await runHookProcess(word, { hook_event_name: 'x', tool_name: 'Bash' }, options)).code,
  ).toBe(0)
  const loaded = readFileSync(`${trace}.out`, 'utf8')
    .split('\n')
    .filter((path) => path.startsWith(DIST))
    .map((path) => basename(path))
  const own = PROGRAMS[word] ?? 'hooks.js'
  expect(loaded.sort()).toEqual([HOOK, own].sort())
  expect(
    loaded.flatMap((file) => marksIn(file).map((library) => `${file} holds ${library}`)),
  ).toEqual([])
})

test.each(['hooks', 'beforeTool', 'afterTool'])('%s knows every place that it names', (program) => {
  const text = readFileSync(`${DIST}/${program}.js`, 'utf8')
  const loaded = [...text.matchAll(/require\("\.\/([\w-]+\.js)"\)/g)].map(([, file]) => file)
  const all = [text, ...loaded.map((file) => readFileSync(`${DIST}/${file}`, 'utf8'))].join('\n')
  const places = Object.getOwnPropertyNames(Home.prototype).filter((name) => name !== 'constructor')
  const isNamed = (name: string) => new RegExp(`\\.${name}\\b|[{,]${name}[:,}]`).test(all)
  const isThere = (name: string) =>
    new RegExp(`\\b${name}\\([\\w,]*\\)\\{return\`\\$\\{this`).test(text)
  const known = places.filter(isThere)
  expect(places.filter(isNamed).filter((name) => !known.includes(name))).toEqual([])
  expect(known.length).toBeLessThan(places.length / 2)
})

test.each(['hooks.js', 'beforeTool.js', 'afterTool.js'])(
  '%s is ASCII: of a text with one other letter V8 reads every letter as two bytes',
  (program) => {
    expect(readFileSync(`${DIST}/${program}`, 'utf8')).toMatch(/^[\x00-\x7f]*$/)
  },
)
