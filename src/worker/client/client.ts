import { type LineEnd, startLineChild } from '../../system/lineChild.ts'
import type { Processes, ProcessRef } from '../../system/processes.ts'
import { carriersOf, endProcesses, treeBelow } from '../../system/tree.ts'
import { beginExchange, type Exchange, type Lost, type TurnHandlers } from './exchange.ts'
import { type ClientEvent, parseLine, type Result } from './line.ts'
import { SILENCE, type Silence } from './silence.ts'
import { type ClientRequest, clientArgv, clientEnv, markOf } from './start.ts'

/** A `claude -p` that takes one prompt after the other. */
export type Client = {
  ref: ProcessRef
  conversation: string
  isUp: () => boolean
  /** One at a time. Where there is no result, the client and all that it started have ended. */
  ask: (text: string, handlers: TurnHandlers) => Promise<Result | Lost>
  /** Ends the turn; its result comes all the same. */
  interrupt: () => void
  /** Lets it end by itself, then asks it to, then kills it and all that it started. */
  end: (graceMs?: number) => Promise<void>
}

/** One that has nothing to do ends within 0.1 s, one in a tool within 1.5 s. In milliseconds. */
const GRACE_MS = 3000
/** After an interrupt the result comes within 0.2 s. */
const INTERRUPT_MS = 10_000

/** Starts a client. It says nothing before its first prompt. */
export function startClient(
  request: ClientRequest,
  { env, processes }: { env: NodeJS.ProcessEnv; processes: Processes },
  limits: Silence = SILENCE,
): Client {
  let running: Exchange | undefined
  let ended: LineEnd | undefined
  let asked = false
  // What it says before its first prompt, as that it has no such conversation.
  let early: ClientEvent[] | undefined = []
  const child = startLineChild(clientArgv(request), {
    env: clientEnv(request, env),
    cwd: request.cwd,
    onLine: (line) => {
      running?.heard()
      for (const event of parseLine(line)) running ? running.take(event) : early?.push(event)
    },
  })
  const ref = { pid: child.pid ?? 0, started: processes.find(child.pid ?? 0)?.started ?? '' }
  const gone = child.ended.then(async (how) => {
    ended = how
    if (running || !asked) await endRest(processes, request)
    running?.settle(lostBy(how))
  })
  const line: Line = {
    send: (fields) => child.send(JSON.stringify(fields)),
    kill: async (graceMs) => {
      await killTree(processes, ref, graceMs)
      await gone
    },
    isUp: () => ended === undefined,
    begin: (exchange) => {
      running = exchange
      for (const event of early ?? []) exchange?.take(event)
      early = undefined
      if (ended) exchange?.settle(lostBy(ended))
    },
  }
  return {
    ...{ ref, conversation: request.conversation, isUp: () => processes.isAlive(ref) },
    ask: async (text, handlers) =>
      ended && !early?.length ? lostBy(ended) : converse(text, handlers, limits, line),
    interrupt: () => line.send(INTERRUPT),
    end: async (graceMs = GRACE_MS) => {
      asked = true
      child.closeInput()
      if (running || !(await within(GRACE_MS, gone))) await line.kill(graceMs)
    },
  }
}

/** The way to a client, for one exchange at a time. */
type Line = {
  send: (fields: Record<string, unknown>) => void
  kill: (graceMs: number) => Promise<void>
  isUp: () => boolean
  begin: (exchange: Exchange | undefined) => void
}

const INTERRUPT = {
  type: 'control_request',
  request_id: 'interrupt',
  request: { subtype: 'interrupt' },
}

async function converse(
  text: string,
  handlers: TurnHandlers,
  limits: Silence,
  line: Line,
): Promise<Result | Lost> {
  let silent: Lost | undefined
  const onSilence = async (why: Lost) => {
    silent = why
    handlers.onEvent({ type: 'silent', why: why.why })
    line.send(INTERRUPT)
    if (!(await within(INTERRUPT_MS, exchange.end))) await line.kill(GRACE_MS)
  }
  const exchange = beginExchange(handlers, limits, line.send, (why) => void onSilence(why))
  line.begin(exchange)
  if (line.isUp()) line.send({ type: 'user', message: { role: 'user', content: text } })
  const end = await exchange.end
  line.begin(undefined)
  const lost = silent ?? ('lost' in end ? end : undefined)
  if (lost && line.isUp()) await line.kill(GRACE_MS)
  return lost ?? end
}

/** Its tools have sessions of their own: who they are can only be seen while it lives. */
export async function killTree(
  processes: Processes,
  ref: ProcessRef,
  graceMs: number,
): Promise<void> {
  const tree = treeBelow(processes, ref.pid)
  await endProcesses(processes, [ref], graceMs)
  await endProcesses(processes, tree, graceMs)
}

/** Ends what a client that is gone has left running. */
export async function endRest(
  processes: Processes,
  whose: Pick<ClientRequest, 'name' | 'home'>,
): Promise<void> {
  await endProcesses(processes, carriersOf(processes, markOf(whose)), GRACE_MS)
}

function lostBy({ code, signal, stderr }: LineEnd): Lost {
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
  const said = stderr.trim().split('\n').at(-1) ?? ''
  return { lost: 'ended', why: `Claude Code ${how}${said === '' ? '' : `: ${said}`}` }
}

/** Whether something comes within so many milliseconds. */
async function within(ms: number, what: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const came = await Promise.race([what.then(() => true), late])
  clearTimeout(timer)
  return came
}
