import { requireHuman } from '../../chat/human.ts'
import { CodedError } from '../../errors.ts'
import { strangersEnv } from '../../launcher/plan.ts'
import { parseName } from '../../message/name.ts'
import type { WorkerState } from '../../session/workerState.ts'
import { readWorkerState } from '../../session/workerState.ts'
import { supervisorOf, workerNames } from '../../session/workers.ts'
import { spawnSelf } from '../../system/spawn.ts'
import { untilChanged } from '../../system/untilChanged.ts'
import { personHere } from '../../trust/human/person.ts'
import { areRepeats, type Repeat } from '../../trust/human/repeats.ts'
import { LAUNCH_MS } from './decide.ts'
import { type Ended, endWorker } from './end.ts'
import { dropTmuxSession } from './launch.ts'
import type { ControlPorts, Defined, UpPorts } from './ports.ts'
import { workerProcess } from './stateFile.ts'
import { readWanted, wish } from './wanted.ts'

/** What became of a worker that was to be started; `running` where it ran before. */
export type Started = {
  name: string
  pid: number | null
  state: 'started' | 'running' | 'failed' | 'late'
  reason: string | null
}

/** How long a supervisor may take until it holds its lock. In milliseconds. */
const SUPERVISOR_MS = 10_000

/**
 * Starts the supervisor where none runs, and these workers, or those that start by themselves; and
 * tells of each as soon as it is there. Throws what `require` throws before anything is started,
 * and `GATE_REFUSED` in a turn that is not the human's.
 */
export async function up(
  input: string[],
  ports: UpPorts,
  tell: (started: Started) => void = () => {},
): Promise<Started[]> {
  return begin(mayStart('up', input, ports), ports, tell)
}

async function begin(
  names: string[],
  ports: UpPorts,
  tell: (started: Started) => void = () => {},
): Promise<Started[]> {
  const bus = ports.bus()
  const running = names.filter((name) => isUp(readWorkerState(bus.home, name), name, ports))
  const since = bus.clock.now()
  wish(bus, names, 'up', ports.cwd)
  await keepSupervisor(ports)
  return Promise.all(
    names.map(async (name) => {
      const started = await firstSign(name, running.includes(name), since, ports)
      tell(started)
      return started
    }),
  )
}

/**
 * Ends these workers, or all and the supervisor. Each one finishes its turn, unless `now`. Throws
 * `GATE_REFUSED` in a turn that is not the human's, `SESSION_UNKNOWN` for a worker that never ran.
 */
export async function down(
  input: string[],
  { now }: { now: boolean },
  ports: ControlPorts,
  tell: (ended: Ended) => void = () => {},
): Promise<{ workers: Ended[]; supervisor: number | null }> {
  requireHuman('down', ports)
  const bus = ports.bus()
  const known = [...new Set([...workerNames(bus.home), ...Object.keys(readWanted(bus.home))])]
  const names = input.length > 0 ? [...new Set(input.map(parseName))] : known
  for (const name of names) if (!known.includes(name)) throw neverRan(name)
  wish(bus, names, 'down', ports.cwd)
  // First: it must not start again what ends now.
  const supervisor = input.length > 0 ? null : await endSupervisor(ports)
  const workers = names.map(async (name) => {
    const ended = await endWorker(name, now, bus)
    await dropTmuxSession(name, { bus, tmux: ports.tmux })
    tell(ended)
    return ended
  })
  return { workers: await Promise.all(workers), supervisor }
}

/** Ends a worker and starts it again, also one that has failed. */
export async function restart(input: string, ports: UpPorts): Promise<Started> {
  const [name = ''] = mayStart('restart', [input], ports)
  const bus = ports.bus()
  wish(bus, [name], 'down', ports.cwd)
  await endWorker(name, false, bus)
  const [started] = await begin([name], ports)
  return started as Started
}

/**
 * The workers that a command starts: these, or those that start by themselves. Where only repeats
 * may be started, those of the latter that have changed are left out. Throws what `require` throws,
 * and `GATE_REFUSED` where nobody may start them, as they are defined now, from here.
 */
export function mayStart(verb: 'up' | 'restart', input: string[], ports: StartPorts): string[] {
  const named = [...new Set(input.map(parseName))]
  for (const name of named) ports.require(name)
  if (named.length > 0) {
    const defined = repeatsOf(ports).filter(({ name }) => named.includes(name))
    requireHuman(verb, ports, [SUPERVISOR, ...defined])
    return named
  }
  const all = repeatsOf(ports).filter(({ autoStart }) => autoStart)
  const bus = ports.bus()
  const same = all.filter((one) => areRepeats(bus, [one]))
  const chosen = personHere(ports).is === 'nobody' && same.length > 0 ? same : all
  requireHuman(verb, ports, [SUPERVISOR, ...chosen])
  for (const { name } of all)
    if (!chosen.some((one) => one.name === name))
      bus.notice?.(`@${name} was changed since you started it: agent-chat up ${name}`)
  return chosen.map(({ name }) => name)
}

type StartPorts = Pick<UpPorts, 'bus' | 'env' | 'cwd' | 'definitions' | 'require'>

/** What runs in any case, also where no worker starts by itself. */
export const SUPERVISOR: Repeat = { what: 'supervisor', definition: null }

/** Every definition here, as what may be started again while it stays the same. */
export function repeatsOf({
  cwd,
  definitions,
}: Pick<StartPorts, 'cwd' | 'definitions'>): (Repeat & Defined)[] {
  return definitions(cwd).map((one) => ({ ...one, what: `@${one.name}`, definition: one.hash }))
}

function neverRan(name: string): CodedError {
  return new CodedError('SESSION_UNKNOWN', `no worker named @${name} has run`, {
    hint: 'see the workers with: agent-chat health; end a session with: agent-chat stop <name>',
  })
}

function isUp(state: WorkerState | undefined, name: string, { bus }: ControlPorts): boolean {
  return state !== undefined && workerProcess(bus(), name) !== undefined
}

/** Starts a supervisor in the background where none runs, and waits until there is one. */
export async function keepSupervisor(ports: ControlPorts): Promise<void> {
  const bus = ports.bus()
  if (supervisorOf(bus)) return
  spawnSelf(['up', '--foreground', '--quiet'], { ...ports, env: strangersEnv(ports.env) })
  const found = await untilChanged(bus.home.workers, SUPERVISOR_MS, () => supervisorOf(bus))
  if (found) return
  throw new CodedError('FAULT', 'the supervisor did not start', {
    hint: 'see why with: agent-chat up --foreground',
  })
}

async function endSupervisor({ bus: open }: ControlPorts): Promise<number | null> {
  const bus = open()
  const ref = supervisorOf(bus)
  if (!ref) return null
  bus.processes.signal(ref, 'SIGTERM')
  const gone = () => !bus.processes.isAlive(ref) || undefined
  if (!(await untilChanged(bus.home.workers, SUPERVISOR_MS, gone)))
    bus.processes.signal(ref, 'SIGKILL')
  return ref.pid
}

/** Waits for the first sign of life of a worker, or for its failure. */
async function firstSign(
  name: string,
  ran: boolean,
  since: number,
  { bus: open }: ControlPorts,
): Promise<Started> {
  const bus = open()
  const look = (): Started | undefined => {
    const state = readWorkerState(bus.home, name)
    if (!state) return undefined
    const { activity, process: ref, reason = null } = state
    if (bus.processes.isAlive(ref) && activity !== 'starting' && activity !== 'failed')
      return { name, pid: ref.pid, state: ran ? 'running' : 'started', reason: null }
    const failed = activity === 'failed' && Date.parse(state.since) >= since
    return failed ? { name, pid: null, state: 'failed', reason } : undefined
  }
  const late: Started = { name, pid: null, state: 'late', reason: 'no sign of life yet' }
  return (await untilChanged(bus.home.workers, LAUNCH_MS, look)) ?? late
}
