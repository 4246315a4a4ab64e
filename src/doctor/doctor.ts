import { existsSync } from 'node:fs'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import type { Bus } from '../bus/bus.ts'
import { spawnWatcher } from '../doorbell/startWatcher.ts'
import { checkAgent } from '../setup/agentCheck.ts'
import { type Check, checked } from '../setup/check.ts'
import { linkDirectory } from '../setup/link.ts'
import { checkRuntime, type NativePorts } from '../setup/native.ts'
import { checkClaude, checkCommand, checkNode, checkPlugin, checkTmux } from '../setup/programs.ts'
import { checkSandbox } from '../setup/sandbox.ts'
import { nodeVersion, temporaryDirectory } from '../system/machine.ts'
import type { Tmux } from '../system/tmux.ts'
import { userHome } from '../system/user.ts'
import { checkAllowed } from './allowed.ts'
import { checkAnswers } from './answers.ts'
import { checkEvents, checkFindings, checkHome, checkHooks } from './home.ts'
import { checkLinks } from './links.ts'
import { checkMail } from './mail.ts'
import { checkMods } from './mods.ts'
import { checkRoom } from './room.ts'
import { checkStrays } from './strays.ts'
import { checkTools } from './tools.ts'
import { checkWatched } from './watched.ts'
import { checkWorkers } from './workers.ts'

export type DoctorPorts = NativePorts & {
  self: { script: string }
  bus: () => Bus
  tmux: Tmux
  /** The checks of the bridge to a team's server, where this home has one. */
  bridge: (bus: Bus) => Promise<Check[]>
  /** Calls back when the person has had enough. */
  onStop: (callback: () => void) => void
}

/**
 * What the doctor found. `ok` where nothing failed: what was mended, and what is only worth
 * knowing, does not count.
 */
export type Diagnosis = { ok: boolean; checks: Check[] }

/**
 * Checks everything, mends what is safe to mend (`mend`), sends a message through a doorbell of its
 * own (`ring`), and tells each answer as it comes.
 */
export async function diagnose(
  { ring = true, mend }: { ring?: boolean | undefined; mend: boolean },
  ports: DoctorPorts,
  tell: (check: Check) => void,
): Promise<Diagnosis> {
  const checks: Check[] = []
  const add = (found: Check[]) => {
    checks.push(...found)
    for (const check of found) tell(check)
  }
  add([checkNode(nodeVersion())])
  add(await checked('runtime', () => [checkRuntime(ports)]))
  const [tmux, claude] = await Promise.all([checkTmux(ports.env), checkClaude(ports.env)])
  add([tmux, claude])
  const client = claude.status === 'ok' ? claude.detail : undefined
  add(
    await checked('agent-chat', () => [checkCommand(ports.env, ports.self.root, linkDirectory())]),
  )
  add(
    await checked('plugin', () => {
      const plugin = checkPlugin(ports.env, userHome(ports.env), ports.version)
      return plugin ? [plugin] : []
    }),
  )
  add(await checked('mods', () => checkMods(ports.env)))
  const look = (agent: Agent) => checkAgent(agent, { ...ports, ask: undefined })
  for (const agent of AGENTS) add(await checked(agent.name, () => look(agent)))
  let bus: Bus | undefined
  const home = await checked('home', () => {
    bus = ports.bus()
    return [checkHome(bus)]
  })
  add(home)
  // A sandbox may be why the home cannot be written.
  const seen = bus
  if (seen) add(await checked('sandbox', () => checkSandbox(ports.env, seen)))
  if (bus !== undefined && home[0]?.status !== 'failed')
    await checkBus(bus, tmux.status === 'ok', client, mend, ports, add)
  if (ring) add([await checkRing(bus, tmux, ports)])
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

async function checkBus(
  bus: Bus,
  hasTmux: boolean,
  client: string | undefined,
  mend: boolean,
  ports: DoctorPorts,
  add: (checks: Check[]) => void,
): Promise<void> {
  if (existsSync(bus.home.root)) {
    const { sweepHome } = await import('./sweep.ts')
    const { checkSessions, sweepSessions } = await import('./sessions.ts')
    const sessionPorts = {
      tmux: ports.tmux,
      hasTmux,
      startWatcher: () => spawnWatcher(ports),
    }
    add(
      await checked('leftovers', async () => {
        const sweep = { bus, mend, findings: await sweepHome(bus, { mend }) }
        await sweepSessions(sweep, sessionPorts)
        return checkFindings(sweep.findings)
      }),
    )
    add(
      await checked('sessions', () =>
        checkSessions({ bus, mend: false, findings: [] }, sessionPorts),
      ),
    )
  }
  const { env, self } = ports
  add(await checked('room', () => checkRoom({ env, bus, root: self.root, client })))
  add(await checked('hooks', () => [checkHooks(bus)]))
  add(await checked('tools', () => checkTools(bus)))
  add(await checked('allowed', () => checkAllowed(bus)))
  add(await checked('mail', () => checkMail(bus)))
  add(await checked('answers', () => checkAnswers(env, bus)))
  add(await checked('file events', async () => [await checkEvents(bus)]))
  add(await checked('strays', () => checkStrays(bus)))
  add(await checked('watched files', () => checkWatched(bus)))
  add(await checked('workers', () => checkWorkers(bus)))
  add(await checked('link', () => checkLinks(bus, ports.version, userHome(env))))
  add(await checked('bridge', () => ports.bridge(bus)))
}

async function checkRing(bus: Bus | undefined, tmux: Check, ports: DoctorPorts): Promise<Check> {
  const missing = tmux.status !== 'ok' ? 'tmux' : bus === undefined ? 'a home' : undefined
  if (bus === undefined || missing !== undefined)
    return {
      name: 'doorbell',
      status: 'warning',
      detail: `not tried: it needs ${missing}`,
      hint: 'repair that first, then run: agent-chat doctor',
    }
  const { proveRing } = await import('./ring.ts')
  let stopped = false
  ports.onStop(() => {
    stopped = true
  })
  const startWatcher = (own: Bus) =>
    spawnWatcher({ self: ports.self, env: ports.env, bus: () => own })
  const [check] = await checked('doorbell', async () => {
    const ms = await proveRing(temporaryDirectory(), {
      bus,
      tmux: ports.tmux,
      startWatcher,
      stopped: () => stopped,
    })
    return [{ name: 'doorbell', status: 'ok', detail: `a message rang a real pane in ${ms} ms` }]
  })
  return check as Check
}
