import { existsSync } from 'node:fs'
import { howToInstall } from '../agents/agents.ts'
import { CLAUDE } from '../agents/claude.ts'
import { ensureHome, ensureInbox } from '../bus/home.ts'
import type { Ports as ChatPorts } from '../chat/ports.ts'
import { CodedError, isCoded } from '../errors.ts'
import { join } from '../session/join.ts'
import { leave } from '../session/leave.ts'
import { readWorkerState } from '../session/workerState.ts'
import { makeDirectory } from '../system/files.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { findProgram } from '../system/programs.ts'
import { keepClient } from './client/keeper.ts'
import { requireLogin } from './client/login.ts'
import { requireVersion } from './client/version.ts'
import { tellHuman, type WorkEnd, workOn } from './loop.ts'
import type { Parts } from './parts.ts'
import { endRemains } from './remains.ts'
import { keepState, type StateKeeper } from './stateKeeper.ts'
import { stopFrom } from './stop.ts'
import type { Shown, WorkDefinition, Worker } from './worker.ts'

export type WorkPorts = Pick<
  ChatPorts,
  'env' | 'cwd' | 'bus' | 'self' | 'tmux' | 'notice' | 'onStop'
>

export type WorkRequest = {
  name: string
  /** Reads the definition. Throws where there is none that may be used. */
  define: () => WorkDefinition
  /** `onWait` is told what the human is asked, and when they no longer are. */
  parts: (
    definition: WorkDefinition,
    cwd: string,
    onWait: (reason: string | undefined) => void,
  ) => Parts
  show: (shown: Shown) => void
}

/**
 * Works as `name` until it is to end. Throws `NAME_TAKEN` where another process does, and what is
 * wrong with the definition, its directory or Claude Code: the worker has `failed` then, and the
 * human is told.
 */
export async function work(request: WorkRequest, ports: WorkPorts): Promise<WorkEnd> {
  const bus = ports.bus()
  const { name } = request
  // Of an agent that was never defined nothing is written down.
  const definition = definitionOf(request)
  ensureHome(bus.home)
  makeDirectory(bus.home.workers)
  const lock = tryPidLock(bus.home.workerLock(name), bus.processes)
  if (typeof lock !== 'function')
    throw new CodedError('NAME_TAKEN', `@${name} is working already (process ${lock.pid})`, {
      hint: `see what it does with: agent-chat status ${name}; end it with: agent-chat down ${name}`,
    })
  const before = readWorkerState(bus.home, name)
  const state = keepState(bus, name, markOf(definition), before)
  try {
    await endRemains(bus, name, before)
    return await workAs(request, definition, state, ports)
  } catch (error) {
    await noteFailure(error, name, state, ports)
    throw error
  } finally {
    state.end()
    lock()
  }
}

/** What is invalid has to be known of; what was never there has not. */
function definitionOf({ define }: WorkRequest): WorkDefinition | Error {
  try {
    return define()
  } catch (error) {
    if (isCoded(error) && !isCoded(error, 'AGENT_UNKNOWN')) return error
    throw error
  }
}

async function workAs(
  request: WorkRequest,
  definition: WorkDefinition | Error,
  state: StateKeeper,
  ports: WorkPorts,
): Promise<WorkEnd> {
  if (definition instanceof Error) throw definition
  const { name } = request
  const cwd = definition.cwd ?? ports.cwd
  const program = await programFor(definition, cwd, ports)
  await joinAs(name, cwd, ports)
  const { worker, close } = assemble(request, { definition, cwd, program, state }, ports)
  const { bus, keeper } = worker
  request.show({ type: 'joined' })
  try {
    const end = await workOn(worker)
    if (end.end === 'failed') throw failed(name, end.why)
    await keeper.end()
    // One that was idle is back with the next message, and keeps its place.
    if (end.end === 'stopped') await leave(name, { bus })
    state.set({ activity: 'stopped', reason: undefined })
    return end
  } finally {
    close()
    await keeper.end()
  }
}

/** The Claude Code to work with. Throws where it, or the directory, is not there. */
async function programFor(
  { name, path }: WorkDefinition,
  cwd: string,
  { env }: Pick<WorkPorts, 'env'>,
): Promise<string> {
  if (!existsSync(cwd))
    throw new CodedError('FAULT', `the directory of @${name} is missing: ${cwd}`, {
      hint: `make it, or change cwd in ${path}`,
    })
  const program = findProgram('claude', env)
  if (program === undefined)
    throw new CodedError('PROGRAM_MISSING', 'Claude Code is not installed', {
      hint: howToInstall(CLAUDE),
    })
  await requireVersion(program, env)
  await requireLogin(program, env)
  return program
}

/** Puts together what its turns use. `close` ends its watches. */
function assemble(
  request: WorkRequest,
  made: Pick<Worker, 'definition' | 'cwd' | 'program' | 'state'>,
  ports: WorkPorts,
): { worker: Worker; close: () => void } {
  const { name, show } = request
  const { definition, cwd, state } = made
  const bus = ports.bus()
  const keeper = keepClient({ env: ports.env, processes: bus.processes }, (client) =>
    state.set({ client }),
  )
  const places = [{ directory: bus.home.inbox(name) }, { directory: bus.home.bell(name) }]
  const { stop, close } = stopFrom(ports, places, {
    draining: () => state.now().message && state.set({ activity: 'draining' }),
    interrupt: keeper.interrupt,
    kill: () => void keeper.end(0),
  })
  const parts = request.parts(definition, cwd, (reason) => {
    state.set({ activity: reason === undefined ? 'busy' : 'waiting', reason })
    if (reason !== undefined) show({ type: 'told', text: `  ${reason}` })
  })
  const own = { name, bus, ports, keeper, parts, stop, show }
  return {
    worker: { ...made, ...own, self: ports.self, reread: request.define },
    close,
  }
}

/** It is there for as long as this process is, and looks into its inbox by itself. */
async function joinAs(name: string, cwd: string, ports: WorkPorts): Promise<void> {
  const bus = ports.bus()
  ensureInbox(bus.home, name)
  await join(
    {
      ...{ name, pane: undefined, agent: bus.processes.self(), native: false },
      ...{ doorbell: 'stdout', watch: false, force: false, cwd, worker: true },
    },
    { bus, tmux: ports.tmux, warn: ports.notice, startWatcher: () => undefined },
  )
}

function failed(name: string, why: string): CodedError {
  return new CodedError('FAULT', `@${name} cannot go on: ${why}`, {
    hint: `look after it, then start it again with: agent-chat work ${name}; its messages are kept`,
  })
}

async function noteFailure(
  error: unknown,
  name: string,
  state: StateKeeper,
  ports: WorkPorts,
): Promise<void> {
  // Any other error is a crash, after which the supervisor tries again; so is a full disk.
  if (!isCoded(error) || error.code === 'HOME_UNUSABLE') return
  state.set({ activity: 'failed', reason: error.message })
  await tellHuman(`@${name} has failed: ${error.message}. ${error.hint}`, { name, ports })
}

function markOf(definition: WorkDefinition | Error): { path: string; hash: string } {
  return definition instanceof Error
    ? { path: '', hash: '' }
    : { path: definition.path, hash: definition.hash }
}
