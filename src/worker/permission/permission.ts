import { resolve } from 'node:path'
import { record } from '../../bus/history.ts'
import type { PostPorts } from '../../chat/post.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { isDecisionAnswer } from '../../session/asked.ts'
import { dropGiven, type Given, OPEN_TURN, writeGiven } from '../../session/given.ts'
import { servesBelow } from '../../session/mcpServers.ts'
import { readState } from '../../session/stateFile.ts'
import { isWord } from '../../session/words.ts'
import { isThere } from '../../system/files.ts'
import { approvalFor, readLedger } from '../../trust/sendGate/ledger.ts'
import { noteShown } from '../../trust/sendGate/shown.ts'
import { effectOfCall } from '../../trust/toolGate/call.ts'
import { type Answer, askHuman } from './ask.ts'
import type { Call, Decision } from './call.ts'

/**
 * `trust` and `tools` are the definition's, the tools as the client calls them; `cwd` is where the
 * client was started. `onWait` is told in one line what the worker waits for, and undefined when it
 * waits no more. `limitMs`: how long it waits for the human. `isOwn`: whether a message is the
 * human's own word in another way than typed, as a run of their schedule is. `createsOnly`: Write
 * writes only where no file is, whoever began the turn.
 */
export type PermissionRequest = {
  name: string
  trust: 'ask' | 'tools'
  tools: readonly string[]
  createsOnly?: boolean | undefined
  cwd: string
  onWait?: (reason: string | undefined) => void
  limitMs?: number
  isOwn?: (message: Message) => boolean
}

/**
 * What a worker's process knows of its turn, and decides by. `give` is called before the line with
 * `prompt` is written to the client; `decide` for each call that the client asks about; `over` when
 * the turn has ended, whatever ended it: calls that still wait are then refused, and their decisions
 * stay open. `isGated` tells, from the client's first request on, whether its hooks have seen the turn:
 * where they are switched off, the client asks about nothing, and must not go on.
 */
export type Permission = {
  give(message: Message, prompt: string): Given
  isGated(): boolean
  decide(call: Call): Promise<Decision>
  over(): void
}

/** `at`: when its message was given, by which the hook names it. */
type Turn = { message: Message; at: string; open: boolean; answer?: Answer; end: AbortController }

/** After that, the model is told that there is no answer yet. In milliseconds. */
const LIMIT_MS = 30 * 60_000

/** Tools about which the hook of ours is not asked. They change nothing. */
const UNHOOKED = new Set('Read Glob Grep LS WebFetch WebSearch NotebookRead'.split(' '))

/**
 * The worker's process decides about its client's calls by what it knows itself: no file, variable
 * or command that a tool of the client could reach tells it whose turn this is.
 */
export function openPermission(request: PermissionRequest, ports: PostPorts): Permission {
  const bus = ports.bus()
  const { name } = request
  let turn: Turn | undefined
  let line: Promise<unknown> = Promise.resolve()
  return {
    give: (message, prompt) => {
      const { given, open } = givenOf(message, request, ports)
      turn?.end.abort()
      const at = writeGiven(bus, name, given, prompt)
      turn = { message, at, open, end: new AbortController() }
      noteShown(bus, name, [message])
      return given
    },
    isGated: () => turn !== undefined && readState(bus.home, name)?.turn?.at === turn.at,
    decide: (call) => {
      const of = turn
      // One question at a time: a yes or no to the first may settle the others.
      const decided = line.then(() => decide(call, of, request, ports))
      line = decided.catch(() => {})
      return decided
    },
    over: () => {
      turn?.end.abort()
      turn = undefined
      dropGiven(bus, name)
    },
  }
}

/**
 * Whose word a message is. An answer to a decision of the worker's own says yes to one call, and
 * opens no turn. `open`: what changes something may run without a question.
 */
function givenOf(
  message: Message,
  { name, isOwn = () => false }: PermissionRequest,
  { bus, env }: Pick<PostPorts, 'bus' | 'env'>,
): { given: Given; open: boolean } {
  const { home, clock } = bus()
  const { id, from, kind, chain } = message
  const own =
    from === HUMAN &&
    ((env.AGENT_CHAT_HUMAN !== 'ask' && isWord(home, name, id)) || isOwn(message)) &&
    !isDecisionAnswer(home, name, message)
  const approved = approvalFor(readLedger(home, name), from, clock.now()) !== undefined
  const given = { message: id, from, kind, chain, own }
  return {
    given: { ...given, cause: from === HUMAN ? 'human' : 'doorbell' },
    open: own || approved,
  }
}

async function decide(
  call: Call,
  turn: Turn | undefined,
  {
    name,
    trust,
    tools,
    createsOnly,
    cwd,
    onWait = () => {},
    limitMs = LIMIT_MS,
  }: PermissionRequest,
  ports: PostPorts,
): Promise<Decision> {
  const bus = ports.bus()
  const refuse = (reason: string, message = reason): Decision => {
    record(bus, 'refused', { name, tool: call.tool, rule: 'human approval', reason })
    return { allow: false, message: `agent-chat: ${message}` }
  }
  if (!tools.some((tool) => isOf(tool, call.tool)))
    return refuse(`${call.tool} is not among this worker's tools`)
  if (createsOnly && call.tool === 'Write') {
    const why = whyNoNewFile(call.input.file_path, cwd)
    if (why !== undefined)
      return refuse(why, `${why}: your definition lets you create files, not change them. ${END}`)
  }
  if (call.tool === 'AskUserQuestion')
    return refuse('nobody sits here', 'nobody sits here; ask with: agent-chat escalate "…"')
  if (trust === 'tools') return { allow: true }
  if (!turn || turn.end.signal.aborted) return refuse('no message began this turn')
  if (isFree(call, turn, cwd, ports)) return { allow: true }
  if (turn.answer?.kind === 'rest') return { allow: true }
  if (turn.answer?.kind === 'no')
    return refuse('your user already said no in this turn', `${NO_MORE}; ${END}`)
  const answer = await askHuman(
    { name, call, message: turn.message, cwd, limitMs, onWait, signal: turn.end.signal },
    ports,
  )
  if (answer.kind === 'yes' || answer.kind === 'rest') {
    if (answer.kind === 'rest') turn.answer = answer
    const reason = `decision ${answer.number}`
    record(bus, 'approved', { name, tool: call.tool, by: 'human', rule: 'human approval', reason })
    return { allow: true }
  }
  if (answer.kind === 'no') {
    turn.answer = answer
    const words = answer.words === '' ? '' : `: “${answer.words}”`
    return refuse(
      `your user said no (decision ${answer.number})`,
      `your user said no${words}. ${END}`,
    )
  }
  return refuse(
    `no answer yet (decision ${answer.number})`,
    `no answer yet: decision ${answer.number} stays open for your user. ${END}`,
  )
}

/** Undefined for the path of a file that is not there yet, nor a link of that name. */
function whyNoNewFile(path: unknown, cwd: string): string | undefined {
  if (typeof path !== 'string' || path === '') return 'Write names no file'
  return isThere(resolve(cwd, path)) ? `${path} is there already` : undefined
}

/** Whether a tool is one of a definition's: itself, or one of the MCP server that it names. */
function isOf(listed: string, tool: string): boolean {
  const agents = ['Agent', 'Task']
  if (agents.includes(tool)) return agents.includes(listed)
  return tool === listed || (listed.startsWith('mcp__') && tool.startsWith(`${listed}__`))
}

const NO_MORE = 'your user already said no in this turn'
const END =
  'Do not try to do it in another way. Go on without it, or end your turn and say what you would have done'

/** Whether a call needs no question. The hook has a say in it, where it was asked. */
function isFree(call: Call, { open }: Turn, cwd: string, ports: PostPorts): boolean {
  const { tool, input, reason } = call
  if (open && (reason === OPEN_TURN || UNHOOKED.has(tool))) return true
  if (reason.startsWith('agent-chat')) return false
  const { home, processes } = ports.bus()
  const serves = () => servesBelow(home, processes, processes.self().pid)
  const here = { cwd, root: cwd, home: home.root, mode: 'default', env: ports.env, serves }
  return effectOfCall({ name: tool, input }, here, false) !== 'changing'
}
