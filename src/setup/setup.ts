import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { ensureHome } from '../bus/home.ts'
import { updateSessions } from '../bus/names/registry.ts'
import { nearestThere } from '../system/files.ts'
import { nodeVersion } from '../system/machine.ts'
import { userHome } from '../system/user.ts'
import { type Check, checked } from './check.ts'
import { hasCompletion, installCompletion, type Shell } from './completion.ts'
import { checkPrograms, install, wantedOf } from './install.ts'
import { linkCommand, linkDirectory } from './link.ts'
import { checkCommand, otherAgent } from './programs.ts'
import { offerRoom } from './room.ts'
import { offerSandbox } from './sandbox.ts'

export type SetupPorts = {
  env: NodeJS.ProcessEnv
  self: { root: string }
  bus: () => Bus
  /** Asks the person who is there; undefined where nobody is. */
  ask: ((question: string) => Promise<boolean>) | undefined
  /** Tells what an installer does, a line at a time. */
  say: (text: string) => void
  notice: (text: string) => void
}

/**
 * `yes`: what is missing is installed or set without asking. `shell`: where to complete; `insists`: that
 * was asked for outright.
 */
export type SetupRequest = { yes: boolean; shell: Shell | undefined; insists: boolean }

/**
 * Sets agent-chat up for this user, and tells each step as it is done. Safe to run again; touches
 * nothing that it did not make. What somebody chose not to install is for a diagnosis to judge.
 */
export async function setUp(
  request: SetupRequest,
  ports: SetupPorts,
  tell: (check: Check) => void,
): Promise<Check[]> {
  const steps: Check[] = []
  const add = (found: Check[]) => {
    steps.push(...found)
    for (const check of found) tell(check)
  }
  const agree = request.yes ? async () => true : (ports.ask ?? (async () => false))
  const { env, say } = ports
  for (const wanted of wantedOf(await checkPrograms(nodeVersion(), env), env)) {
    const done = await install(wanted, { env, agree, insists: request.yes, say })
    add(done === undefined ? [] : [done])
  }
  add(await checked('home', async () => [await makeHome(ports)]))
  const may = request.yes ? agree : ports.ask
  add(await checked('sandbox', () => offerSandbox({ env, bus: ports.bus() }, may, say)))
  add(await checked('link', () => [link(ports)]))
  add(await checked('completion', () => complete(request, ports)))
  if (!request.yes) add(await checked('room', () => offerRoom(ports, userHome())))
  return steps
}

/** Changes nothing. Claude Code counts as needed unless another agent is there. */
export async function checkSetup(
  { env, self, bus }: Pick<SetupPorts, 'env' | 'self' | 'bus'>,
  tell: (check: Check) => void,
): Promise<{ ok: boolean; checks: Check[] }> {
  const found = await checkPrograms(nodeVersion(), env)
  const programs = found.map((check, at): Check => {
    const needed = at < 2 || !(env.AGENT_CHAT_CMD || otherAgent(env))
    return check.status === 'warning' && needed ? { ...check, status: 'failed' } : check
  })
  const home = await checked('home', () => [checkHome(bus().home.root)])
  const checks = [...programs, ...home, checkCommand(env, self.root, linkDirectory())]
  for (const check of checks) tell(check)
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

/** Throws where nothing can be written to it, or where it cannot be made. */
function checkHome(root: string): Check {
  const there = nearestThere(root)
  accessSync(there, constants.W_OK | constants.X_OK)
  const detail = `messages ${there === root ? 'are' : 'will be'} stored in ${root}`
  return { name: 'home', status: 'ok', detail }
}

/** A package manager may have put this very program on PATH: then no link is needed. */
function link({ env, self }: SetupPorts): Check {
  const { status, detail } = checkCommand(env, self.root, linkDirectory())
  const found = status === 'ok' && dirname(detail) !== linkDirectory()
  if (found) return { name: 'link', status, detail: `not needed: ${detail} is on PATH` }
  return linkCommand(self.root, linkDirectory())
}

async function makeHome(ports: SetupPorts): Promise<Check> {
  const bus = ports.bus()
  const { root, sessions } = bus.home
  if (existsSync(root) && existsSync(sessions))
    return { name: 'home', status: 'ok', detail: `messages are stored in ${root}` }
  ensureHome(bus.home)
  // Under the registry's lock, so that a session which joins at this moment is not lost.
  await updateSessions(bus, (now) => (existsSync(sessions) ? undefined : now))
  return { name: 'home', status: 'ok', detail: `made ${root}, where messages are stored` }
}

/** Where it was asked for, or a person agrees. `yes` is about what is missing. */
async function complete(
  { shell, insists, yes }: SetupRequest,
  { env, ask }: SetupPorts,
): Promise<Check[]> {
  if (shell === undefined) return []
  const home = userHome()
  if (!insists) {
    if (yes || hasCompletion(shell, env, home) || ask === undefined) return []
    if (!(await ask(`Complete agent-chat with Tab in ${shell}?`))) return []
  }
  return [installCompletion(shell, env, home)]
}
