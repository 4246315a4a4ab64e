import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tmuxDoorbell } from '../doorbell/bells.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { hooksReason } from './hooksOff.ts'
import { noteEvent } from './stateFile.ts'

type Files = Record<string, unknown>

/** A process with this name that stands for the client of a session. */
function client(files: Files, name: string) {
  const root = tempDirectory()
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(value))
  }
  const cwd = join(root, 'work')
  mkdirSync(cwd, { recursive: true })
  const program = join(root, name)
  copyFileSync('/bin/sleep', program)
  const child = spawn(program, ['150'], { cwd, env: { HOME: join(root, 'home') }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { root, pid: child.pid ?? 0 }
}

/** A session of such a client; `heard`: its hooks have told of it. */
async function sessionIn(files: Files, { heard = false, name = 'claude' } = {}) {
  const bus = tempBus(['front'])
  const { root, pid } = client(files, name)
  await until('the client is up', () => bus.processes.find(pid)?.command === name)
  const agent = { pid, started: bus.processes.find(pid)?.started ?? '' }
  const at = '2026-11-21T03:39:12.123Z'
  if (heard) noteEvent(bus, 'front', { kind: 'started', at, session_id: null, agent })
  const place = { pane: '%1', tmux_socket: '/s', joined_at: at, cwd: join(root, 'work') }
  return { bus, root, session: { name: 'front', agent, native: true, doorbell: 'auto', ...place } }
}

async function reasonIn(...given: Parameters<typeof sessionIn>) {
  const { bus, root, session } = await sessionIn(...given)
  return hooksReason(session, bus)?.replaceAll(root, '')
}

const PLUGIN = {
  'home/.claude/settings.json': { enabledPlugins: { 'agent-chat@agent-chat': true } },
}
const OFF = { disableAllHooks: true }
const project = (value: unknown) => ({ ...PLUGIN, 'work/.claude/settings.json': value })
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
    'hooks are off here: /work/.claude/settings.json has disableAllHooks',
  ],
  [
    'hot',
    project(OFF),
    { heard: true },
    'hooks are off here: /work/.claude/settings.json has disableAllHooks',
  ],
  ['not quite', project({ disableAllHooks: 'true' }), { heard: true }, undefined],
  [
    'the folder’s own file',
    local(OFF),
    { heard: true },
    'hooks are off here: /work/.claude/settings.local.json has disableAllHooks',
  ],
  [
    'the folder above',
    { ...PLUGIN, '.claude/settings.local.json': OFF },
    { heard: true },
    'hooks are off here: /.claude/settings.local.json has disableAllHooks',
  ],
  [
    'the person',
    { 'home/.claude/settings.json': OFF },
    { heard: true },
    'hooks are off here: /home/.claude/settings.json has disableAllHooks',
  ],
  [
    'the plugin by the project',
    project({ enabledPlugins: { 'agent-chat@agent-chat': false } }),
    { heard: true },
    'hooks are off here: /work/.claude/settings.json has agent-chat@agent-chat switched off in enabledPlugins',
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
  const why = expect.stringMatching(/^hooks are off here: .* has disableAllHooks$/)
  expect(await bell.ring(session, () => ['x'])).toMatchObject({ kind: 'wait', why, typed: false })
  expect(asked).toEqual([])
})
