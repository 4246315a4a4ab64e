import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { homeError } from '../bus/homeError.ts'
import { tempBus } from '../testing/home.ts'
import type { HookPorts } from './ports.ts'
import { type Hooks, runHook } from './run.ts'

/** A hook that has to load a file which is not there, as after half an update. */
const HOOKS: Hooks = {
  judges: { run: missing, onFault: 'closed', costs: '' },
  tells: { run: missing, onFault: 'open', costs: '' },
}

async function missing(): Promise<never> {
  throw new Error('Cannot find module')
}

function ports(env: Record<string, string>): HookPorts {
  const bus = tempBus(['frontend'])
  return { env, bus: () => bus, self: { node: process.execPath, script: '/none' } }
}

describe('a fault that comes later', () => {
  test.each([
    ['judges', { AGENT_CHAT_NAME: 'frontend' }, /"permissionDecision":"ask"/],
    ['judges', {}, undefined],
    ['tells', { AGENT_CHAT_NAME: 'frontend' }, undefined],
  ])('%s, %j', async (word, env: Record<string, string>, said) => {
    const here = ports(env)
    const { stdout } = await runHook(HOOKS, word, () => '{}', here)
    if (said === undefined) expect(stdout).toBeUndefined()
    else expect(stdout).toMatch(said)
    const { hookLog } = here.bus().home
    expect(existsSync(hookLog) && readFileSync(hookLog, 'utf8')).toMatch(`${word}: Error: Cannot`)
  })
})

test.each([
  ['EMFILE', /"permissionDecision":"ask"/],
  ['EIO', /"permissionDecision":"ask"/],
  ['EACCES', /^$/],
])('a home that answers %s: a call is asked about where that may pass', async (code, said) => {
  const bus = tempBus([])
  const unusable = () => {
    throw homeError(bus.home, Object.assign(new Error(code), { code, path: bus.home.sessions }))
  }
  const here = { ...ports({}), bus: unusable }
  const { stdout = '' } = await runHook(HOOKS, 'judges', () => '{}', here)
  expect(stdout).toMatch(said)
})
