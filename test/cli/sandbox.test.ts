import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { readSessions } from '../../src/bus/names/registry.ts'
import { agentsWith } from '../../src/testing/agent.ts'
import { DIST } from '../../src/testing/cli.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'

/** A list of processes of its own, as Claude Code's sandbox has one. */
const SANDBOX = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc']
const HAS = spawnSync(SANDBOX[0] ?? '', [...SANDBOX.slice(1), 'true']).status === 0

type Ran = { code: number; stdout: string; stderr: string }

/** @backend and @frontend live; commands run in a sandbox that shows neither. */
async function world() {
  const { bus, agents } = await agentsWith({}, 'backend', 'frontend')
  const [backend] = agents
  const registry = readFileSync(bus.home.sessions, 'utf8')
  /** With nothing in the environment but these. */
  const inside = async (
    args: string[],
    env: Record<string, string> = {},
    below: string[] = [],
  ): Promise<Ran> => {
    const given = { AGENT_CHAT_HOME: bus.home.root, PATH: process.env.PATH ?? '', ...env }
    const line = [...SANDBOX, ...below, RUNTIME, join(DIST, 'main.js'), ...args]
    try {
      const [program = '', ...rest] = line
      const ran = await promisify(execFile)(program, rest, { env: given })
      return { code: 0, ...ran }
    } catch (error) {
      return error as Ran
    }
  }
  const pid = String(backend?.ref.pid)
  return { bus, registry, inside, own: { CLAUDE_PID: pid } }
}

describe(
  'in a sandbox that shows no session',
  leftOut(!HAS && 'unshare makes no list of processes'),
  () => {
    test.each([[['join', 'backend']], [['join', 'backend', '--force']], [['join', 'fresh']]])(
      '%j takes no name',
      async (args) => {
        const { bus, registry, inside, own } = await world()
        for (const env of [{}, own, { AGENT_CHAT_PROCESSES: '' }]) {
          expect(await inside(args, env)).toMatchObject({
            code: 3,
            stderr: expect.stringContaining('a sandbox does not show the sessions'),
          })
        }
        expect(readFileSync(bus.home.sessions, 'utf8')).toBe(registry)
      },
    )

    test('a command that says that it sees them takes no name either', async () => {
      const { bus, registry, inside } = await world()
      const noted = readFileSync(bus.home.processList, 'utf8')
      const say = 'AGENT_CHAT_PROCESSES=$(readlink /proc/self/ns/pid) exec "$@"'
      const line = (...args: string[]) => inside(args, {}, ['sh', '-c', say, 'sh'])
      expect(await line('join', 'backend')).toMatchObject({ code: 3 })
      await line('--hook', 'session-start')
      expect(readFileSync(bus.home.processList, 'utf8')).toBe(noted)
      expect(readFileSync(bus.home.sessions, 'utf8')).toBe(registry)
    })

    test('nobody is believed dead', async () => {
      const { bus, registry, inside } = await world()
      const who = JSON.parse((await inside(['who', '--json'])).stdout)
      expect(who.sessions).toMatchObject([{ alive: 'alive' }, { alive: 'alive' }])
      await inside(['doctor', '--no-ring'])
      await inside(['prune', '--older-than', '1d'])
      expect(readFileSync(bus.home.sessions, 'utf8')).toBe(registry)
      expect(eventsOf(bus.home, 'left')).toEqual([])
    })

    test('a session is itself by the name that it was given, which nothing confirms', async () => {
      const { bus, inside, own } = await world()
      const named = { ...own, AGENT_CHAT_NAME: 'backend' }
      expect(await inside(['whoami'], named)).toMatchObject({
        code: 0,
        stdout: '@backend (by AGENT_CHAT_NAME, not confirmed)\n',
      })
      const asked = ['ask', '@frontend', 'why?', '--timeout', '0.2']
      expect(await inside(asked, named)).toMatchObject({ code: 5 })
      sendMessage(bus, { from: 'frontend', to: 'backend', kind: 'note', body: 'hello' })
      for (const env of [own, { ...own, AGENT_CHAT_NAME: 'frontend' }, { CLAUDE_PID: '999999' }]) {
        expect(await inside(['whoami'], env)).toMatchObject({ code: 6 })
        expect(await inside(['inbox'], env)).toMatchObject({ code: 6 })
      }
      expect(await inside(['inbox'], named)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('hello'),
      })
      expect(Object.keys(readSessions(bus.home))).toEqual(['backend', 'frontend'])
    })

    test('nobody there is the user', async () => {
      const { inside, own } = await world()
      for (const env of [{}, own])
        expect(await inside(['allow', 'npm test'], env)).toMatchObject({ code: 3 })
    })
  },
)

test('where sessions are seen, a name of one that has ended is free', async () => {
  const { bus, agents } = await agentsWith({}, 'backend')
  await agents[0]?.end()
  expect(readFileSync(bus.home.processList, 'utf8')).toMatch(/^pid:\[\d+\]\n$/)
  expect(await agents[0]?.chat('join', 'backend')).toMatchObject({ code: 0 })
})
