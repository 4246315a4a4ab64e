import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startAgent } from '../testing/agent.ts'
import { type RunOptions, runHookProcess } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
import { HOOKS as SESSION_HOOKS } from './main.ts'
import { AFTER_TOOL, BEFORE_TOOL } from './tools.ts'

const HOOKS = { ...SESSION_HOOKS, ...BEFORE_TOOL, ...AFTER_TOOL }

const IS_ROOT = process.getuid?.() === 0
const NOBODY = 65534
const SILENT = { code: 0, signal: null, stdout: '', stderr: '' }
const TOOL = { tool_name: 'Write', tool_input: { file_path: '/x' }, tool_use_id: '1', cwd: '/' }

/** A home that a Claude Code never joined, another user's where it is said so. */
function world(owner?: number) {
  const bus = tempBus(['frontend', 'backend'])
  const own = IS_ROOT && owner === undefined ? NOBODY : owner
  for (const path of [dirname(bus.home.root), ...below(dirname(bus.home.root))])
    if (own !== undefined) chownSync(path, own, own)
  const agent = startAgent(bus)
  const options: RunOptions = {
    home: bus.home.root,
    ...(IS_ROOT ? { uid: NOBODY } : {}),
    env: { CLAUDE_PID: String(agent.ref.pid) },
  }
  return { bus, options }
}

const below = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))

type World = ReturnType<typeof world>

const FAULTS: [what: string, make: (world: World) => void][] = [
  ['sessions.json is broken', ({ bus }) => writeFileSync(bus.home.sessions, '{"torn')],
  [
    'sessions.json is a directory',
    ({ bus }) => {
      rmSync(bus.home.sessions)
      mkdirSync(bus.home.sessions)
    },
  ],
  ['sessions.json cannot be read', ({ bus }) => chmodSync(bus.home.sessions, 0)],
  [
    'neither sessions.json nor the states can be read',
    ({ bus }) => {
      chmodSync(bus.home.sessions, 0)
      chmodSync(bus.home.states, 0)
    },
  ],
  ['the home cannot be read', ({ bus }) => chmodSync(bus.home.root, 0)],
  ['what is above the home cannot be read', ({ bus }) => chmodSync(dirname(bus.home.root), 0)],
  [
    'the home is below a file',
    ({ options }) => {
      options.home = `${options.home}/sessions.json/home`
    },
  ],
  [
    'the name that its environment gives is none',
    ({ options }) => {
      options.env = { ...options.env, AGENT_CHAT_NAME: 'No Name' }
    },
  ],
]

describe('a Claude Code that never joined is not stopped', () => {
  test.each(FAULTS)('where %s', async (_, make) => {
    const here = world()
    make(here)
    expect(await runHookProcess('pre-tool-use', TOOL, here.options)).toEqual(SILENT)
    for (const word of Object.keys(HOOKS)) {
      const { code, stderr, stdout } = await runHookProcess(word, TOOL, here.options)
      expect([word, code, stderr]).toEqual([word, 0, ''])
      expect(stdout).not.toMatch(/permissionDecision|additionalContext|systemMessage/)
    }
    chmodSync(dirname(here.bus.home.root), 0o700)
  })

  test('where the home is another user’s', leftOut(!IS_ROOT && 'it takes root'), async () => {
    const { options } = world(0)
    expect(await runHookProcess('pre-tool-use', TOOL, options)).toEqual(SILENT)
  })
})

test('a launched session is asked about where all of its home is out of reach', async () => {
  const { bus, options } = world()
  chmodSync(bus.home.root, 0)
  const env = { ...options.env, AGENT_CHAT_NAME: 'frontend' }
  const { stdout } = await runHookProcess('pre-tool-use', TOOL, { ...options, env })
  expect(stdout).toContain('"permissionDecision":"ask"')
})
