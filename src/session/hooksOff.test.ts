import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tmuxDoorbell } from '../doorbell/bells.ts'
import { clientIn, type Files, OFF, PLUGIN, project, sessionIn } from '../testing/client.ts'
import { guardOf, hooksReason, whyNotWoken } from './hooksOff.ts'
import { noteEvent } from './stateFile.ts'

async function reasonIn(...given: Parameters<typeof sessionIn>) {
  const { bus, root, session } = await sessionIn(...given)
  return hooksReason(session, bus)?.replaceAll(root, '')
}

const local = (value: unknown) => ({ ...PLUGIN, 'work/.claude/settings.local.json': value })

test.each<[string, Files, { heard?: boolean; name?: string }, string | undefined]>([
  ['hooks were heard', PLUGIN, { heard: true }, undefined],
  [
    'no hook was heard',
    PLUGIN,
    {},
    'no hook of this Claude Code has been heard: agent-chat doctor',
  ],
  ['a Claude Code without our plugin', {}, {}, undefined],
  ['one without our plugin, and no hooks', { 'work/.claude/settings.json': OFF }, {}, undefined],
  ['another program', project(OFF), { name: 'other' }, undefined],
  [
    'the project',
    project(OFF),
    {},
    'hooks do not run here: /work/.claude/settings.json has disableAllHooks',
  ],
  [
    'hot',
    project(OFF),
    { heard: true },
    'hooks do not run here: /work/.claude/settings.json has disableAllHooks',
  ],
  ['not quite', project({ disableAllHooks: 'true' }), { heard: true }, undefined],
  [
    'the folder’s own file',
    local(OFF),
    { heard: true },
    'hooks do not run here: /work/.claude/settings.local.json has disableAllHooks',
  ],
  [
    'the folder above',
    { ...PLUGIN, '.claude/settings.local.json': OFF },
    { heard: true },
    'hooks do not run here: /.claude/settings.local.json has disableAllHooks',
  ],
  [
    'the person',
    { 'home/.claude/settings.json': OFF },
    { heard: true },
    'hooks do not run here: /home/.claude/settings.json has disableAllHooks',
  ],
  [
    'the plugin by the project',
    project({ enabledPlugins: { 'agent-chat@agent-chat': false } }),
    { heard: true },
    'hooks do not run here: /work/.claude/settings.json has agent-chat@agent-chat switched off in enabledPlugins',
  ],
  [
    'the plugin by the project, and on again',
    {
      ...project({ enabledPlugins: { 'agent-chat@agent-chat': false } }),
      'work/.claude/settings.local.json': { enabledPlugins: { 'agent-chat@agent-chat': true } },
    },
    { heard: true },
    undefined,
  ],
  [
    'another plugin',
    project({ enabledPlugins: { 'agent-chat-room@agent-chat': false } }),
    { heard: true },
    undefined,
  ],
])('why hooks do not run: %s', async (_, files, how, why) => {
  expect(await reasonIn(files, how)).toBe(why)
})

test.each<[string, Files, boolean, RegExp | undefined]>([
  ['a session, its hooks not heard', PLUGIN, false, /^no hook of this Claude Code has been heard/],
  ['a worker, its hooks not heard yet', PLUGIN, true, undefined],
  ['a session, its hooks switched off', project(OFF), false, /^hooks do not run here: /],
  ['a worker, its hooks switched off', project(OFF), true, /^hooks do not run here: /],
])('what a sender is told of %s', async (_, files, worker, told) => {
  const { bus } = await sessionIn(files)
  const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  const front = { ...sessions.front, ...(worker ? { worker } : {}) }
  writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, front }))
  expect(whyNotWoken('front', bus)).toEqual(told && expect.stringMatching(told))
})

test('the tmux doorbell types nothing where hooks do not run', async () => {
  const { bus, session } = await sessionIn(project(OFF), { heard: true })
  const asked: string[][] = []
  const tmux = {
    run: async (args: string[]) => {
      asked.push(args)
      return { code: 1, stdout: '', stderr: '' }
    },
    runHere: async () => 0,
  }
  const pause = async () => {}
  const bell = tmuxDoorbell(bus, { tmux, processes: bus.processes, pause }, undefined)
  const why = expect.stringMatching(/^hooks do not run here: .* has disableAllHooks$/)
  expect(await bell.ring(session, () => ['x'])).toMatchObject({ kind: 'wait', why, typed: false })
  expect(asked).toEqual([])
})

test.each<[string, { native?: boolean; agent?: null; name?: string }, boolean]>([
  ['another program', { name: 'other', native: false }, true],
  ['a Claude Code without our plugin', { native: false }, true],
  ['a client whose name says nothing', { name: 'other' }, false],
  ['a session without a process', { agent: null, native: false }, false],
])('what has no hooks of ours has no guardrails: %s', async (_, { name, ...more }, none) => {
  const { bus, session } = await sessionIn({}, { name: name ?? 'claude' })
  expect(guardOf({ ...session, ...more }, bus)).toEqual(
    none ? { no_guardrails: 'it runs no hooks of agent-chat' } : {},
  )
})

test('what another Claude Code has told of this name is not told of the registered one', async () => {
  const { bus, session } = await sessionIn(project(OFF))
  const { agent } = await clientIn(PLUGIN, 'claude', bus)
  const at = '2026-11-21T03:39:13.123Z'
  noteEvent(bus, 'front', { kind: 'started', at, session_id: null, agent })
  expect(hooksReason(session, bus)).toMatch(/^hooks do not run here: .* has disableAllHooks$/)
  // Of a registered one that has ended nothing else is known.
  expect(hooksReason({ ...session, agent: { pid: 99_999_999, started: '1' } }, bus)).toBe(undefined)
  expect(hooksReason({ ...session, agent: null }, bus)).toBe(undefined)
})

test('a client below the registered process has told of the session', async () => {
  const { bus, session } = await sessionIn(PLUGIN, { heard: true })
  expect(hooksReason({ ...session, agent: bus.processes.self() }, bus)).toBe(undefined)
})

test.each<[what: string, plugin: string | undefined, why: string | undefined]>([
  ['that is there', 'plugin', undefined],
  [
    'that was moved or removed',
    'moved',
    'hooks do not run here: the plugin’s folder /moved is gone',
  ],
  ['that a version did not name', undefined, undefined],
])('a Claude Code whose hooks came from a folder %s', async (_, plugin, why) => {
  const { bus, root, session } = await sessionIn({ ...PLUGIN, 'plugin/hooks.json': {} })
  const at = '2026-11-21T03:39:13.123Z'
  const folder = plugin && join(root, plugin)
  const seen = { at, session_id: null, agent: session.agent }
  noteEvent(bus, 'front', { kind: 'started', ...seen, plugin: folder })
  noteEvent(bus, 'front', { kind: 'prompted', ...seen })
  expect(hooksReason(session, bus)?.replaceAll(root, '')).toBe(why)
})

test('a plugin that was loaded again runs its hooks from its new folder', async () => {
  const { bus, root, session } = await sessionIn({ ...PLUGIN, 'new/hooks.json': {} })
  const seen = { session_id: null, agent: session.agent }
  const at = (second: number) => `2026-11-21T03:39:1${second}.123Z`
  noteEvent(bus, 'front', { kind: 'started', at: at(3), ...seen, plugin: join(root, 'old') })
  expect(hooksReason(session, bus)).toMatch(/ is gone$/)
  noteEvent(bus, 'front', { kind: 'prompted', at: at(4), ...seen, plugin: join(root, 'new') })
  expect(hooksReason(session, bus)).toBe(undefined)
})

const DATA = 'home/.claude/plugins/data/agent-chat-inline'

test.each<[what: string, settings: Files, mark: (started: string) => string, why?: RegExp]>([
  ['by its mark', PLUGIN, (started) => `${DATA}/strangers/<pid>/${started}`],
  [
    'not by a mark of another start',
    PLUGIN,
    (started) => `${DATA}/strangers/<pid>/${started}1`,
    /^no hook of this Claude Code has been heard/,
  ],
  [
    'not by one of another process',
    PLUGIN,
    (started) => `${DATA}/strangers/1/${started}`,
    /^no hook of this Claude Code has been heard/,
  ],
  [
    'not by a mark that the project has',
    PLUGIN,
    (started) => `work/.claude/plugins/data/agent-chat-inline/strangers/<pid>/${started}`,
    /^no hook of this Claude Code has been heard/,
  ],
  [
    'not where its plugins are a file',
    { ...PLUGIN, 'home/.claude/plugins': 'a file' },
    () => 'work/other',
    /^no hook of this Claude Code has been heard/,
  ],
  [
    'and does not run them now',
    project(OFF),
    (started) => `${DATA}/strangers/<pid>/${started}`,
    /^hooks do not run here: /,
  ],
])('a Claude Code whose hooks ran before it joined is known %s', async (_, settings, mark, why) => {
  const { bus, root, session } = await sessionIn(settings)
  const { pid, started } = session.agent ?? { pid: 0, started: '' }
  const path = join(root, mark(started).replace('<pid>', String(pid)))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  expect(hooksReason(session, bus) ?? '').toMatch(why ?? /^$/)
})

test('a Claude Code whose hooks told of it under another name is known', async () => {
  const { bus, session } = await sessionIn(PLUGIN)
  const at = '2026-11-21T03:39:13.123Z'
  noteEvent(bus, 'former', { kind: 'started', at, session_id: null, agent: session.agent })
  expect(hooksReason(session, bus)).toBe(undefined)
  const { agent } = await clientIn(PLUGIN, 'claude', bus)
  expect(hooksReason({ ...session, agent }, bus)).toMatch(/^no hook of this Claude Code/)
})
