import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agent, AgentHooks } from '../agents/agent.ts'
import { AGENTS, agentOf } from '../agents/agents.ts'
import { ROOT } from '../testing/cli.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { version } from '../version.ts'
import { removeAgent, setUpAgent } from './agent.ts'
import { checkAgent } from './agentCheck.ts'
import { hooksPath } from './agentPlaces.ts'

const HOOKED = AGENTS.filter(({ hooks }) => hooks)
// Codex itself says what it trusts: test/e2e/agents has that.
const TRUSTING = HOOKED.filter(({ hooks }) => !hooks?.config)
const CLOSED: [name: string, file: string, text: string][] = [
  ['codex', '.codex/config.toml', 'sandbox_mode = "read-only"\n'],
  ['gemini', '.gemini/settings.json', '{ "tools": { "sandbox": "docker" } }'],
  ['qwen', '.qwen/settings.json', '{ "tools": { "sandbox": true } }'],
]

/** A user with this version of the agent's program, and with `node`, on PATH. */
function user({ programs: [program], versions }: Agent, version = versions.tested) {
  const home = tempDirectory()
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, program), `#!/bin/sh\necho ${version}\n`)
  chmodSync(join(bin, program), 0o755)
  symlinkSync(process.execPath, join(bin, 'node'))
  const bus = tempBus()
  const env = { HOME: home, PATH: bin }
  return { home, ports: { env, self: { root: ROOT }, bus: () => bus, ask: undefined } }
}

function write(home: string, [file, text]: [string, string]): void {
  mkdirSync(dirname(join(home, file)), { recursive: true })
  writeFileSync(join(home, file), text)
}

describe.each(HOOKED.map((agent) => [agent.name, agent] as const))('%s', (name, agent) => {
  test('that is not installed is no affair of doctor’s', async () => {
    const { ports } = user(agent)
    expect(await checkAgent(agent, { ...ports, env: { HOME: '/none', PATH: '' } })).toEqual([])
  })

  test('of an old version is to be installed anew', async () => {
    const [check] = await checkAgent(agent, user(agent, '0.0.1').ports)
    expect(check).toMatchObject({ status: 'warning', hint: expect.stringContaining('npm install') })
    expect(check?.detail).toMatch(/0\.0\.1 is older than/)
  })

  test('of a version that no test has run is said to be so', async () => {
    const [check] = await checkAgent(agent, user(agent, '99.1.0').ports)
    expect(check?.detail).toContain(`99.1.0 (agent-chat is tested with ${agent.versions.tested})`)
  })

  test('without our hooks is to be set up', async () => {
    const [check] = await checkAgent(agent, user(agent).ports)
    expect(check?.detail).toMatch(/(hooks|extension) (are|is) not set up.*nobody is asked/)
    expect(check?.hint).toContain(`agent-chat setup --agent ${name}`)
  })

  test('with a PATH without node runs no hooks', async () => {
    const { ports, home } = user(agent)
    mkdirSync(join(home, 'other'))
    symlinkSync(join(home, 'bin', agent.programs[0]), join(home, 'other', agent.programs[0]))
    // Its shell is found by its path, and echo is a part of it.
    const checks = await checkAgent(agent, {
      ...ports,
      env: { ...ports.env, PATH: join(home, 'other') },
    })
    expect(checks.map(({ detail }) => detail).join('\n')).toMatch(/node is not on PATH/)
    expect(checks.map(({ hint }) => hint).join('\n')).toMatch(/install Node/)
  })
})

test.each(CLOSED)('%s in a sandbox that keeps our commands from writing', async (name, ...file) => {
  const agent = agentOf(name) as Agent
  const { ports, home } = user(agent)
  write(home, file)
  const checks = await checkAgent(agent, ports)
  const found = checks.find(({ detail }) => /sandbox/.test(detail))
  expect(found).toMatchObject({ status: 'warning', hint: expect.stringContaining(home) })
})

test.each(TRUSTING.map((agent) => [agent.name, agent] as const))(
  '%s is right once it is set up, and not any more when that is taken out',
  async (_, agent) => {
    const { ports } = user(agent)
    await setUpAgent(agent, ports)
    expect(await checkAgent(agent, ports)).toMatchObject([
      { status: 'ok', detail: expect.stringMatching(/hooks set up/) },
    ])
    removeAgent(agent, ports)
    expect(await checkAgent(agent, ports)).toMatchObject([{ status: 'warning' }])
  },
)

/** Those whose hooks are commands. */
const COMMANDED = TRUSTING.filter(({ hooks }) => hooks?.source === undefined)

/** Commands as earlier versions set them up: for Node alone, and without a guard. */
const FORMER: [what: string, command: string][] = [
  ['for Node alone', "node $1/dist/hook.js'"],
  ['without a guard', "sh $1/bin/agent-chat' --hook"],
]

/** As an earlier version set it up. */
async function formerly(agent: Agent, own: string | null, command = FORMER[0]?.[1] ?? '') {
  const { ports, home } = user(agent)
  const path = hooksPath(agent.hooks as AgentHooks, ports)
  if (own !== null) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, own)
  }
  await setUpAgent(agent, ports)
  const [now, record] = [path, ports.bus().home.agentSetup(agent.name)].map((file) => {
    const text = readFileSync(file, 'utf8')
    const former = text.replaceAll(
      /\/bin\/sh -c (?:(?!\/bin\/agent-chat' --hook).)*?('[^' ]+)\/bin\/agent-chat' --hook/g,
      command,
    )
    expect(former).not.toBe(text)
    writeFileSync(file, former)
    return text
  })
  return { ports, home, path, now, record }
}

describe.each(COMMANDED.map((agent) => [agent.name, agent] as const))(
  '%s as an earlier version has set it up',
  (name, agent) => {
    const own = agent.hooks?.own ? null : '{"theme": "dark",\n  "hooks": {}}'

    test.each(FORMER)('%s is to be set up again', async (_, command) => {
      const { ports, home } = await formerly(agent, own, command)
      const where = { status: 'warning', detail: expect.stringMatching(/where they cannot run/) }
      expect(await checkAgent(agent, ports)).toMatchObject([where])
      rmSync(join(home, 'bin', 'node'))
      addNative(home)
      expect(await checkAgent(agent, ports)).toMatchObject([
        {
          status: 'warning',
          hint: expect.stringContaining(`again with: agent-chat setup --agent ${name}`),
        },
      ])
      await setUpAgent(agent, ports)
      expect(await checkAgent(agent, ports)).toMatchObject([{ status: 'ok' }])
    })

    test('has the commands of now after another setup, and none after their removal', async () => {
      const { ports, path, now } = await formerly(agent, own)
      await setUpAgent(agent, ports)
      expect(readFileSync(path, 'utf8')).toBe(now)
      removeAgent(agent, ports)
      expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(own)
    })

    test.each([[false], [true]])(
      'loses them where its file was changed since: %s',
      async (again) => {
        const { ports, path } = await formerly(agent, own)
        const file = JSON.parse(readFileSync(path, 'utf8'))
        writeFileSync(path, JSON.stringify({ ...file, other: 1 }))
        if (again) await setUpAgent(agent, ports)
        removeAgent(agent, ports)
        expect(existsSync(path) ? readFileSync(path, 'utf8') : '').not.toMatch(/hook\.js|--hook/)
        if (own) expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ theme: 'dark', other: 1 })
      },
    )
  },
)

/** What `bin/agent-chat` takes for the native program. */
function addNative(home: string): void {
  const path = join(home, '.local/share/agent-chat/native', version, 'agent-chat')
  write(home, [path.slice(home.length + 1), '#!/bin/sh\nexit 0\n'])
  chmodSync(path, 0o755)
}
