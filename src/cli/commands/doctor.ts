import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { type Check, checked } from '../../setup/check.ts'
import { checkEvents, checkFindings, checkHome, checkHooks } from '../../setup/home.ts'
import { checkClaude, checkCommand, checkNode, checkTmux } from '../../setup/programs.ts'
import { checkWatched } from '../../setup/watched.ts'
import { nodeVersion, temporaryDirectory } from '../../system/machine.ts'
import { beginFile } from '../../system/newFile.ts'
import { userHome } from '../../system/user.ts'
import { addCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import type { Ports } from '../ports.ts'
import { type CheckStyle, checkStyle, renderCheck } from '../render/check.ts'
import { spawnWatcher } from './join.ts'

/** With `report`, it only looks and mends nothing, and what it has found becomes a report; `out` is the file for that. */
export type DoctorOptions = { ring?: boolean; report?: boolean; out?: string }

/** What the doctor found. `ok` where nothing failed: what was mended, and what is only worth knowing, does not count. */
export type Diagnosis = { ok: boolean; checks: Check[] }

export function doctorCommand(program: Command, ports: Ports, run = runDoctor): void {
  addCommand(
    program,
    'doctor',
    'check and mend the installation and the home, and send one message through a real doorbell',
    'agent-chat doctor\nagent-chat doctor --no-ring --json\nagent-chat doctor --report --out report.md',
  )
    .option('--no-ring', 'send no message through a throwaway home and tmux server')
    .option('--report', 'mend nothing, and print all that a bug report needs, without any message')
    .option('--out <path>', 'write the report to this file')
    .action(async (options: DoctorOptions & { json?: boolean }) => {
      if (options.report || options.out !== undefined) return report(options, ports, run)
      const diagnosis = await run(options, ports, options.json ? () => {} : printCheck(ports, await checkStyle(ports)))
      if (options.json) ports.print(`${JSON.stringify(diagnosis)}\n`)
      ports.setExitCode(exitOf(diagnosis))
    })
}

/** Checks everything, mends what is safe to mend, and tells each answer as it comes. */
export async function runDoctor(
  options: DoctorOptions,
  ports: Ports,
  tell: (check: Check) => void,
): Promise<Diagnosis> {
  const checks: Check[] = []
  const add = (found: Check[]) => {
    checks.push(...found)
    for (const check of found) tell(check)
  }
  add([checkNode(nodeVersion())])
  const [tmux, claude] = await Promise.all([checkTmux(ports.env), checkClaude(ports.env)])
  add([tmux, claude])
  add(await checked('agent-chat', () => [checkCommand(ports.env, ports.self.root, linkDirectory())]))
  let bus: Bus | undefined
  const home = await checked('home', () => {
    bus = ports.bus()
    return [checkHome(bus)]
  })
  add(home)
  if (bus !== undefined && home[0]?.status !== 'failed')
    await checkBus(bus, tmux.status === 'ok', !options.report, ports, add)
  if (options.ring !== false) add([await ring(bus, tmux, ports)])
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

/** Where setup links `agent-chat`. */
export function linkDirectory(): string {
  return join(userHome(), '.local', 'bin')
}

/** Prints each check as it comes. */
export function printCheck(ports: Pick<Ports, 'print'>, style: CheckStyle): (check: Check) => void {
  return (check) => ports.print(renderCheck(check, style))
}

/** 0 where nothing failed; 7 where a program is missing or too old. */
export function exitOf({ checks }: Diagnosis): number {
  const failed = checks.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (failed.includes('node') || failed.includes('tmux')) return EXIT.missingProgram
  return failed.length === 0 ? EXIT.done : EXIT.fault
}

/** Puts a report together, and says of one that goes to a file what is in it. */
async function report(options: DoctorOptions & { json?: boolean }, ports: Ports, run: typeof runDoctor): Promise<void> {
  if (!options.report)
    throw new CodedError('USAGE', '--out is for a report', { hint: 'agent-chat doctor --report --out report.md' })
  const { checks } = await run(options, ports, () => {})
  const { makeReport } = await import('../report.ts')
  const { REPORT_HOLDS, renderReport } = await import('../render/report.ts')
  const made = await makeReport(checks, homeOf(ports), ports)
  const text = options.json ? `${JSON.stringify(made)}\n` : renderReport(made)
  if (options.out === undefined) return ports.print(text)
  const out = resolve(ports.cwd, options.out)
  writeReport(out, text)
  ports.print(options.json ? `${JSON.stringify({ out })}\n` : `${REPORT_HOLDS.join('\n')}\nwrote ${out}\n`)
}

/** A home that is not there, or is another user's, has nothing to tell. */
function homeOf(ports: Ports): Bus | undefined {
  try {
    const bus = ports.bus()
    return existsSync(bus.home.root) ? bus : undefined
  } catch (error) {
    if (isCoded(error)) return undefined
    throw error
  }
}

function writeReport(out: string, text: string): void {
  try {
    const file = beginFile(out)
    try {
      file.write(text)
      file.finish()
    } catch (error) {
      file.drop()
      throw error
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    const full = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes(String(error.code))
    throw new CodedError(full ? 'FAULT' : 'USAGE', `the report cannot be written to ${out} (${error.code})`, {
      hint: 'give the path of a file in a directory of yours that is there; or leave --out away for standard output',
      cause: error,
    })
  }
}

async function checkBus(
  bus: Bus,
  hasTmux: boolean,
  mend: boolean,
  ports: Ports,
  add: (checks: Check[]) => void,
): Promise<void> {
  if (existsSync(bus.home.root)) {
    const { sweepHome } = await import('../../bus/sweep.ts')
    const { checkSessions, sweepSessions } = await import('../../setup/sessions.ts')
    const sessionPorts = { tmux: ports.tmux, hasTmux, startWatcher: (name: string) => spawnWatcher(name, ports) }
    add(
      await checked('sweep', async () => {
        const sweep = { bus, mend, findings: await sweepHome(bus, { mend }) }
        await sweepSessions(sweep, sessionPorts)
        return checkFindings(sweep.findings)
      }),
    )
    add(await checked('sessions', () => checkSessions({ bus, mend: false, findings: [] }, sessionPorts)))
  }
  add(await checked('hooks', () => [checkHooks(bus)]))
  add(await checked('events', async () => [await checkEvents(bus)]))
  add(await checked('watched files', () => checkWatched(bus)))
}

async function ring(bus: Bus | undefined, tmux: Check, ports: Ports): Promise<Check> {
  const missing = tmux.status !== 'ok' ? 'tmux' : bus === undefined ? 'a home' : undefined
  if (bus === undefined || missing !== undefined)
    return {
      name: 'doorbell',
      status: 'warning',
      detail: `not tried, for want of ${missing}`,
      hint: 'when that is mended, try it with: agent-chat doctor',
    }
  const { proveRing } = await import('../../setup/ring.ts')
  let stopped = false
  ports.onStop(() => {
    stopped = true
  })
  const { AGENT_CHAT_PROMPT: _, AGENT_CHAT_DOORBELL: __, ...env } = ports.env
  const startWatcher = (name: string, own: Bus) =>
    spawnWatcher(name, { self: ports.self, env: { ...env, AGENT_CHAT_HOME: own.home.root }, bus: () => own })
  const [check] = await checked('doorbell', async () => {
    const ms = await proveRing(temporaryDirectory(), { bus, tmux: ports.tmux, startWatcher, stopped: () => stopped })
    return [{ name: 'doorbell', status: 'ok', detail: `a message rang a real pane in ${ms} ms` }]
  })
  return check as Check
}
