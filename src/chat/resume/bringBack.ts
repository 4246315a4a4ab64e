import { agentOf } from '../../agents/agents.ts'
import type { Bus } from '../../bus/bus.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { isCoded } from '../../errors.ts'
import { isBelow } from '../../session/agent.ts'
import { leave } from '../../session/leave.ts'
import { makeDirectory } from '../../system/files.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { sameProcess } from '../../system/processes.ts'
import { launchInTmux } from '../launch/inTmux.ts'
import type { Ports } from '../ports.ts'
import { type Conversation, inBackground, runsIn } from './conversation.ts'
import type { Ended, EndedRow } from './rows.ts'

/**
 * What became of a session that was to come back: it is `back` with its conversation, or with a
 * `fresh` one; it was `left` out, or `failed`, and `why` says why.
 */
export type Outcome = EndedRow & {
  outcome: 'back' | 'fresh' | 'left' | 'failed'
  why: string | null
}

/**
 * So many start at once. On two cores ten were there and told after 0.93 and 0.83 of the time that one
 * after the other takes; with two, 0.95; with ten at once, the last ones waited for their wake-up.
 */
const AT_ONCE = 3

/**
 * Starts these sessions again, three at a time, each in its folder and with its own conversation by
 * the agent's own id of it, and tells of each. Nothing is typed: what they do next is what wakes
 * them.
 */
export async function bringBack(
  ended: Ended[],
  ports: Ports,
  tell: (outcome: Outcome) => void = () => {},
): Promise<Outcome[]> {
  const lists = backgroundLists(ports)
  return someAtATime(ended, async (one) => {
    const outcome = { ...one.row, ...(await oneBack(one, lists, ports)) }
    tell(outcome)
    return outcome
  })
}

/** Acts for each, and gives what comes of it, in the same order. */
export async function someAtATime<T, Outcome>(
  all: T[],
  act: (one: T) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const queue = all.map((one, at) => ({ one, at }))
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      outcomes[next.at] = await act(next.one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

type Said = Pick<Outcome, 'outcome' | 'why'>
const left = (why: string): Said => ({ outcome: 'left', why })

async function oneBack(
  ended: Ended,
  lists: ReturnType<typeof backgroundLists>,
  ports: Ports,
): Promise<Said> {
  const { row, goesOn } = ended
  if (row.not !== null) return left(row.not)
  const bus = ports.bus()
  makeDirectory(bus.home.launches)
  const lock = goesOn ? tryPidLock(bus.home.resumeLock(goesOn.id), bus.processes) : () => {}
  if (typeof lock !== 'function') return left(`process ${lock.pid} brings it back`)
  try {
    const elsewhere = goesOn && (await isOpen(goesOn, lists, bus))
    return elsewhere ? left(elsewhere) : await start(ended, ports)
  } catch (error) {
    if (isCoded(error, 'NAME_TAKEN')) return left(error.message)
    if (isCoded(error)) return { outcome: 'failed', why: error.message }
    throw error
  } finally {
    lock()
  }
}

/** A child that an agent has forked has its command line for a moment. In milliseconds. */
const MOMENT_MS = 400

/** What a look finds, where it finds it once more a moment later. */
async function staysOpen(look: () => string | undefined): Promise<string | undefined> {
  if (look() === undefined) return undefined
  await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
  return look()
}

async function isOpen(
  conversation: Conversation,
  lists: ReturnType<typeof backgroundLists>,
  bus: Bus,
): Promise<string | undefined> {
  const here = await staysOpen(() => runsIn(conversation, bus))
  if (here) return here
  const listed = await lists(conversation)
  if (listed === 'not said')
    return `${conversation.agent.title} does not say what it runs in the background`
  return listed.includes(conversation.id) ? 'it runs in the background' : undefined
}

/** Each configuration's list is asked for once. */
function backgroundLists({ env }: Pick<Ports, 'env'>) {
  const asked = new Map<string, ReturnType<typeof inBackground>>()
  return (conversation: Conversation) => {
    const key = `${conversation.agent.name} ${conversation.config}`
    const list = asked.get(key) ?? inBackground(conversation, env)
    asked.set(key, list)
    return list
  }
}

async function start({ row, launch, back, goesOn }: Ended, ports: Ports): Promise<Said> {
  const { name } = row
  const env = envOf(launch, ports)
  const words = goesOn?.agent.resume?.words(goesOn.id) ?? []
  const launched = await launchInTmux(
    name,
    {
      ...{ env, agentArgs: [...words, ...back], command: launch.command, force: false },
      agent: launch.program,
    },
    { detach: true },
    { ...ports, env, cwd: launch.cwd },
  )
  if (typeof launched === 'number' || launched.outcome !== 'started')
    return left(`@${name} is running`)
  const twice = goesOn && (await isTwice(name, goesOn, ports))
  if (twice) return left(twice)
  return { outcome: goesOn ? 'back' : 'fresh', why: row.fresh }
}

/** The environment, with the agent's own configuration folder as it was: named, or not named. */
function envOf({ program, config }: Ended['launch'], { env }: Ports): NodeJS.ProcessEnv {
  const variable = agentOf(program)?.resume?.folder.variable
  return variable ? { ...env, [variable]: config ?? undefined } : env
}

/**
 * Somebody may have gone on with the conversation by hand in the same moment: two processes would
 * write one record, so ours ends again. Says where it is open then.
 */
async function isTwice(
  name: string,
  conversation: Conversation,
  ports: Ports,
): Promise<string | undefined> {
  const bus = ports.bus()
  const { processes } = bus
  const agent = findSession(readSessions(bus.home), name)?.agent
  if (!agent) return undefined
  const isOurs = (pid: number) => isBelow(processes, pid, agent.pid)
  const elsewhere = await staysOpen(() => runsIn(conversation, bus, isOurs))
  if (elsewhere === undefined) return undefined
  processes.signal(agent, 'SIGTERM')
  await leave(name, { bus }, (session) => sameProcess(session.agent, agent))
  return elsewhere
}
