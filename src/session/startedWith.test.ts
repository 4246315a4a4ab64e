import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { countingEnv, settingsThatTried, triedLine } from './startedWith.ts'

type Place = {
  /** What the client was started with; null where the system does not tell. */
  start?: Record<string, string> | null
  argv?: string[]
  /** Settings by their files. */
  files?: Record<string, unknown>
}

const project = (env: Record<string, unknown>) => ({ 'work/.claude/settings.json': { env } })
const person = (env: Record<string, unknown>) => ({ 'home/.claude/settings.json': { env } })

function placeOf({ start = {}, argv = [], files = {} }: Place) {
  const root = tempDirectory()
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    writeFileSync(join(root, path), text.replaceAll('ROOT', root))
  }
  const HOME = join(root, 'home')
  const looks = {
    environmentOf: () => (start === null ? undefined : { HOME, ...start }),
    argumentsOf: () => argv.map((word) => word.replace('ROOT', root)),
    directoryOf: () => join(root, 'work'),
  }
  return { root, HOME, looks }
}

const GATE = 'AGENT_CHAT_GATE'

test.each<[string, Place, Record<string, string>, string, string | undefined]>([
  ['what it was started with', { start: { [GATE]: 'off' } }, { [GATE]: 'off' }, GATE, 'off'],
  ['nobody said so', {}, { [GATE]: 'off' }, GATE, undefined],
  ['a project', { files: project({ [GATE]: 'off' }) }, { [GATE]: 'off' }, GATE, undefined],
  [
    'a project, in place of what it was started with',
    { start: { [GATE]: 'warn' }, files: project({ [GATE]: 'off' }) },
    { [GATE]: 'off' },
    GATE,
    'warn',
  ],
  ['the person', { files: person({ [GATE]: 'off' }) }, { [GATE]: 'off' }, GATE, 'off'],
  [
    'the person, in a folder of their own',
    { start: { CLAUDE_CONFIG_DIR: '/nowhere' }, files: person({ [GATE]: 'off' }) },
    { [GATE]: 'off' },
    GATE,
    undefined,
  ],
  [
    'a file that the person named',
    {
      argv: ['claude', '--settings', 'ROOT/own.json'],
      files: { 'own.json': { env: { [GATE]: 'off' } } },
    },
    { [GATE]: 'off' },
    GATE,
    'off',
  ],
  [
    'settings on the command line',
    { argv: ['claude', `--settings={"env":{"${GATE}":"warn"}}`] },
    { [GATE]: 'warn' },
    GATE,
    'warn',
  ],
  [
    'a project whose start is not seen',
    { start: null, files: project({ [GATE]: 'off' }) },
    { [GATE]: 'off' },
    GATE,
    undefined,
  ],
  [
    'a home of a project’s',
    { files: project({ AGENT_CHAT_HOME: '/x' }) },
    { AGENT_CHAT_HOME: '/x' },
    'AGENT_CHAT_HOME',
    undefined,
  ],
  [
    'a home of a project’s, in place of the person’s',
    { start: { AGENT_CHAT_HOME: '/mine' }, files: project({ AGENT_CHAT_HOME: '/x' }) },
    { AGENT_CHAT_HOME: '/x' },
    'AGENT_CHAT_HOME',
    '/mine',
  ],
  [
    'an empty home of a project’s',
    { start: { AGENT_CHAT_HOME: '/mine' }, files: project({ AGENT_CHAT_HOME: '' }) },
    { AGENT_CHAT_HOME: '' },
    'AGENT_CHAT_HOME',
    '/mine',
  ],
  [
    'a home that a command names',
    { files: project({ AGENT_CHAT_HOME: '/x' }) },
    { AGENT_CHAT_HOME: '/y' },
    'AGENT_CHAT_HOME',
    '/y',
  ],
  [
    'a name in the folder’s own file',
    { files: { 'work/.claude/settings.local.json': { env: { AGENT_CHAT_NAME: 'api' } } } },
    { AGENT_CHAT_NAME: 'api' },
    'AGENT_CHAT_NAME',
    undefined,
  ],
  [
    'a number',
    { files: project({ AGENT_CHAT_WORKER: 1 }) },
    { AGENT_CHAT_WORKER: '1' },
    'AGENT_CHAT_WORKER',
    undefined,
  ],
  [
    'a file that is no JSON',
    { files: { 'work/.claude/settings.json': '{' } },
    { [GATE]: 'off' },
    GATE,
    undefined,
  ],
])('a variable counts or not: %s', (_, place, env, key, counts) => {
  const { looks, HOME } = placeOf(place)
  const counting = countingEnv({ HOME, CLAUDE_PID: '4711', ...env }, looks)
  expect(counting[key]).toBe(counts)
  expect(Object.hasOwn(counting, key)).toBe(counts !== undefined)
  expect(counting.HOME).toBe(HOME)
})

test.each<[string, Place, Record<string, string>, string | undefined]>([
  ['a project', { files: project({ HOME: '/x' }) }, { HOME: '/x' }, 'ROOT/home'],
  ['a project, an empty one', { files: project({ HOME: '' }) }, { HOME: '' }, 'ROOT/home'],
  ['nobody', {}, { HOME: '/x' }, 'ROOT/home'],
  ['the person', { files: person({ HOME: '/x' }) }, { HOME: '/x' }, '/x'],
  [
    'a project, with settings in it that agree',
    {
      files: {
        ...project({ HOME: 'ROOT/work' }),
        'work/.claude/settings.local.json': '{}',
      },
    },
    { HOME: 'ROOT/work' },
    'ROOT/home',
  ],
  [
    'a project whose start is not seen',
    { start: null, files: project({ HOME: '/x' }) },
    { HOME: '/x' },
    undefined,
  ],
  [
    'a project whose start is not seen, with settings of its own in it',
    {
      start: null,
      files: {
        'work/.claude/settings.local.json': { env: { HOME: 'ROOT/work' } },
        'work/.claude/settings.json': { env: { HOME: 'ROOT/work' } },
      },
    },
    { HOME: 'ROOT/work' },
    undefined,
  ],
  ['one whose start is not seen', { start: null }, { HOME: '/mine' }, '/mine'],
])('a HOME counts or not: of %s', (_, place, env, counts) => {
  const { looks, root } = placeOf(place)
  const [given, home] = [env.HOME, counts].map((text) => text?.replace('ROOT', root))
  const counting = countingEnv({ CLAUDE_PID: '4711', HOME: given }, looks)
  expect(counting.HOME).toBe(home)
})

test('outside Claude Code everything is the person’s own', () => {
  const { looks } = placeOf({ files: project({ [GATE]: 'off' }) })
  const env = { [GATE]: 'off' }
  expect(countingEnv(env, looks)).toBe(env)
})

test('the files that tried are named with their keys', () => {
  const { root } = placeOf({
    files: {
      'work/.claude/settings.json': {
        env: { PATH: '/bin', [GATE]: 'off', NODE_OPTIONS: '--max-old-space-size=4096' },
      },
      'work/.claude/settings.local.json': {
        env: { CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1', NODE_OPTIONS: '--require /x.js' },
      },
      '.claude/settings.local.json': { env: { AGENT_CHAT_ROOM: 'off' } },
      '.claude/settings.json': { env: { [GATE]: 'off' } },
    },
  })
  expect(settingsThatTried(join(root, 'work'))).toEqual([
    { path: join(root, 'work/.claude/settings.json'), keys: [GATE] },
    {
      path: join(root, 'work/.claude/settings.local.json'),
      keys: ['CLAUDE_CODE_SKIP_PROMPT_HISTORY', 'NODE_OPTIONS'],
    },
    { path: join(root, '.claude/settings.local.json'), keys: ['AGENT_CHAT_ROOM'] },
  ])
  expect(settingsThatTried(join(root, 'home'))).toEqual([
    { path: join(root, '.claude/settings.local.json'), keys: ['AGENT_CHAT_ROOM'] },
  ])
})

test.each([
  ['PATH', '/usr/bin:/bin', false],
  ['PATH', '/opt/tools/bin:/usr/bin', false],
  ['PATH', './bin:/usr/bin', true],
  ['PATH', 'node_modules/.bin:/usr/bin', true],
  ['PATH', '/usr/bin:', true],
  ['PATH', 'WORK/bin:/usr/bin', true],
  ['PATH', '/usr/../WORK:/usr/bin', true],
  ['PATH', 'WORKER/bin', false],
  ['LD_PRELOAD', 'x.so', true],
  ['LD_LIBRARY_PATH', '/x', true],
  ['DYLD_INSERT_LIBRARIES', 'x.dylib', true],
  ['BASH_FUNC_read%%', '() { exit 0; }', true],
  ['NODE_OPTIONS', '--import ./x.mjs', true],
  ['SHELLOPTS', 'xtrace', true],
  ['HOME', '/x', true],
  ['XDG_DATA_HOME', '/x', true],
  ['NODE_ENV', 'test', false],
  ['LDFLAGS', '-L/x', false],
])('a project that sets %s=%s is named: %j', (key, value, named) => {
  const { root } = placeOf({})
  const work = join(root, 'work')
  const file = join(work, '.claude/settings.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ env: { [key]: value.replaceAll('WORK', work) } }))
  const lines = settingsThatTried(work).map(triedLine)
  const line = `${file} sets ${key}: the project's own program can run in the place of a hook`
  expect(lines).toEqual(named ? [line] : [])
})

test('a project that moves where agents keep their settings is named', () => {
  const { root } = placeOf({ files: project({ XDG_CONFIG_HOME: '/x', XDG_RUNTIME_DIR: '/y' }) })
  const keys = ['XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']
  const path = join(root, 'work/.claude/settings.json')
  expect(settingsThatTried(join(root, 'work'))).toEqual([{ path, keys }])
  expect(triedLine({ path, keys })).toBe(
    `${path} sets XDG_CONFIG_HOME, XDG_RUNTIME_DIR; a project's settings do not count for agent-chat`,
  )
})

test('a file with variables of both kinds is named in one line', () => {
  expect(triedLine({ path: '/x', keys: [GATE, 'PATH', 'AGENT_CHAT_HOME'] })).toBe(
    `/x sets ${GATE}, AGENT_CHAT_HOME; a project's settings do not count for agent-chat; it sets PATH: the project's own program can run in the place of a hook`,
  )
})
