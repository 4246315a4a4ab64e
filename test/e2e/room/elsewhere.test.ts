import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { leftOut } from '../../../src/testing/leftOut.ts'
import { install, makeRepository } from '../harness/marketplace.ts'
import { eventually } from '../harness/poll.ts'
import { hears } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import { ROOT, type StageOptions, stageFor } from './stage.ts'

const RING = 'New message from @backend. Check inbox.'
const SECURITY = { 'cc-plugin-sec-default@builtin': { options: { allowManagedModsOnly: true } } }
const MOUNTS = spawnSync('unshare', ['-m', 'true']).status === 0
const run = promisify(execFile)

const UNLESS = leftOut(!MOUNTS && 'this user may mount nothing')

// Long: npm run e2e:room.
const ROOM = leftOut(process.env.AGENT_CHAT_E2E_ROOM === undefined && 'npm run e2e:room plays it')

describe('the room elsewhere', ROOM, () => {
  test('both plugins installed from a git marketplace: band, button and guardrails', async () => {
    const world = await worldForTest()
    await makeRepository(world)
    const [root = '', room = ''] = await install(world, world.home, [
      'agent-chat',
      'agent-chat-room',
    ])
    expect(existsSync(join(room, 'hooks', 'room.js'))).toBe(true)
    const chat = (name: string, ...args: string[]) =>
      run(join(root, 'bin', 'agent-chat'), args, {
        env: { ...world.env, AGENT_CHAT_NAME: name },
        cwd: world.cwd,
      })
    await chat('backend', 'join', 'backend', '--no-watch')
    await chat('frontend', 'join', 'frontend', '--no-watch')
    const pane = await world.startClaude({ name: 'frontend' })
    await eventually('the room', () => roomsIn(world.chat) > 0 || undefined)
    await chat('backend', 'escalate', 'Drop it?', '--option', 'drop it', '--option', 'keep it')
    await pane.waitFor(/\? @backend asks: Drop it\? +\[ drop it \]/)
    await pane.key('C-x', 'Tab')
    await pane.key('Enter')
    await pane.waitFor((text) => !text.includes('Drop it?'))
    expect(history(world.chat)).toMatch(/"event":"sent".*"from":"human","to":"backend"/)
  })

  const FORBIDDEN: [name: string, settings: Record<string, unknown>, hooks: boolean][] = [
    ['disableAllHooks', { disableAllHooks: true }, false],
    ['allowManagedHooksOnly', { allowManagedHooksOnly: true }, false],
    ['allowManagedModsOnly', { pluginConfigs: SECURITY }, true],
  ]
  test.each(FORBIDDEN)('an administrator sets %s', UNLESS, (name, managed, hooks) => {
    const insteadOf = (claude: string, folder: string) =>
      underAdministrator(claude, folder, managed)
    return withoutMods({ insteadOf }, hooks, name)
  })

  test('the user sets disableAllHooks', () =>
    withoutMods(
      { settings: { disableAllHooks: true } },
      false,
      'settings.json has disableAllHooks',
    ))
})

/**
 * Where hooks run, the message arrives and a dialog is up. Where none does, nothing is typed, the
 * message waits and `show` says so. Doctor says why.
 */
async function withoutMods(options: StageOptions, hooks: boolean, why: string): Promise<void> {
  const { world, pane, chat } = await stageFor({
    ...options,
    without: true,
    rule: (request) => {
      if (hears(request, RING))
        return { tool: 'Bash', input: { command: 'agent-chat inbox', description: 'x' } }
      if (hears(request, 'please write it'))
        return { tool: 'Write', input: { file_path: 'PWN', content: 'x' } }
      return { text: 'ok' }
    },
  })
  const sent = await chat(['send', '@frontend', 'please write it'], 'backend')
  if (hooks) {
    await pane.waitFor(/Do you want to create PWN\?/)
    expect(history(world.chat)).toMatch(/"doorbell":"native"/)
  } else {
    const id = /sent (\w+)/.exec(sent)?.[1] ?? ''
    // An administrator's file that only the client sees is told by the hooks that are not heard.
    const why = /not delivered yet: (?:hooks do not run here|no hook of this Claude Code)/
    expect(await chat(['show', id], 'backend')).toMatch(why)
    expect(history(world.chat)).not.toMatch(/"event":"(?:rung|presented)"/)
  }
  expect(existsSync(join(world.cwd, 'PWN'))).toBe(false)
  expect(roomsIn(world.chat)).toBe(0)
  const doctor = [process.execPath, join(ROOT, 'dist', 'main.js'), 'doctor', '--json'] as const
  const [program, ...args] = existsSync(join(world.dir, 'etc'))
    ? [join(world.dir, 'within'), ...doctor]
    : doctor
  const env = { ...world.env, PATH: `${join(world.claude, '..')}:${world.env.PATH}` }
  // It ends with another code where it warns.
  const { stdout } = await run(String(program), args, { env }).catch((error) => error)
  expect(stdout).toContain('not in @frontend')
  expect(stdout).toContain(why)
}

/** A `claude` for which /etc is a copy with these settings of an administrator. */
function underAdministrator(claude: string, folder: string, settings: object): string {
  const etc = join(folder, 'etc')
  cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(etc, 'claude-code'), { recursive: true })
  writeFileSync(join(etc, 'claude-code', 'managed-settings.json'), JSON.stringify(settings))
  const inside = `exec unshare -m sh -c 'mount --bind ${etc} /etc && exec "$@"' sh`
  writeFileSync(join(folder, 'within'), `#!/bin/sh\n${inside} "$@"\n`, { mode: 0o755 })
  mkdirSync(join(folder, 'bin'))
  const path = join(folder, 'bin', 'claude')
  writeFileSync(path, `#!/bin/sh\n${inside} ${claude} "$@"\n`, { mode: 0o755 })
  return path
}

function roomsIn(chat: string): number {
  const folder = join(chat, 'rooms')
  return existsSync(folder) ? readdirSync(folder).length : 0
}

function history(chat: string): string {
  return readFileSync(join(chat, 'history.log'), 'utf8')
}
